import Testing

@testable import RepositoryRuntime

/// The ordered map of keys, compared with a sorted array.
@Suite struct OrderedTreeTests {
    private func key(_ number: Int) -> IndexKey {
        var writer = IndexKeyWriter()
        writer.append(.integer(Int64(number)), .int64, descending: false)
        return IndexKey(writer.bytes)
    }

    /// The nodes of a tree.
    private func nodes(_ node: OrderedTreeNode<Int>) -> Set<ObjectIdentifier> {
        node.children.reduce(into: [ObjectIdentifier(node)]) { $0.formUnion(nodes($1)) }
    }

    @Test(arguments: 1...6)
    func keepsWhatADictionaryKeeps(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let first = (0..<random.pick([0, 1, 49, 64, 3000], 1)).map { $0 * 2 }
        var model = Dictionary(uniqueKeysWithValues: first.map { ($0, -$0) })
        var tree = OrderedTree(sorted: first.map { (key($0), -$0) })
        for step in 0..<60 {
            let name: Comment = "seed \(seed), step \(step)"
            let before = tree
            let earlier = model
            let isGrowing = step % 20 < 13
            for _ in 0..<random.pick([1, 1, 20, 150], 1) {
                let number = random.below(6000)
                let isSame: Bool
                if random.below(10) < (isGrowing ? 7 : 2) {
                    let value = random.below(1_000_000)
                    let old = tree.updateValue(value, for: key(number))
                    isSame = old == model.updateValue(value, forKey: number)
                } else {
                    let old = tree.removeValue(for: key(number))
                    isSame = old == model.removeValue(forKey: number)
                }
                if !isSame { Issue.record("\(number) was another: \(name)") }
            }
            check(tree, model, &random, name)
            // The copy is as it was.
            check(before, earlier, &random, name)
        }
        for number in model.keys { tree.removeValue(for: key(number)) }
        #expect(tree.count == 0 && tree.values().isEmpty)
    }

    private func check(
        _ tree: OrderedTree<Int>, _ model: [Int: Int], _ random: inout SeededGenerator,
        _ name: Comment
    ) {
        let sorted = model.sorted { $0.key < $1.key }
        #expect(tree.count == sorted.count, name)
        #expect(tree.ascending(.all, limit: .max) == sorted.map { key($0.key) }, name)
        #expect(Array(tree.values()) == sorted.map(\.value), name)
        let number = random.below(6000)
        #expect(tree.value(for: key(number)) == model[number], name)
        let ends = [random.below(7000), random.below(7000)].sorted()
        let range = IndexKeyRange(lower: key(ends[0]), upper: key(ends[1]))
        let part = sorted.filter { range.contains(key($0.key)) }
        let limit = random.pick([0, 1, 100, 5000], 1)
        #expect(Array(tree.values(range, limit: limit)) == part.prefix(limit).map(\.value), name)
        #expect(
            tree.descending(range, limit: limit)
                == part.reversed().prefix(limit).map { key($0.key) }, name)
    }

    @Test func copiesOnlyTheWayToWhatIsChanged() {
        let count = 100_000
        var tree = OrderedTree(sorted: (0..<count).map { (key($0), $0) })
        let copy = tree
        let all = nodes(copy.root)
        tree.updateValue(-1, for: key(count / 2))
        let fresh = nodes(tree.root).subtracting(all)
        // One node on each of three levels, of about two thousand in all.
        #expect(all.count > 2000)
        #expect(fresh.count == 3)
        #expect(copy.value(for: key(count / 2)) == count / 2)
        #expect(tree.value(for: key(count / 2)) == -1)
        // What the tree alone has is changed in its place.
        let own = nodes(tree.root)
        tree.updateValue(-2, for: key(count / 2))
        #expect(nodes(tree.root) == own)
    }
}
