import Foundation
import Testing

@testable import RepositoryRuntime

/// The ordered set of keys, compared with a sorted array.
@Suite struct IndexPagesTests {
    private func key(_ number: Int) -> IndexKey {
        var writer = IndexKeyWriter()
        writer.append(.integer(Int64(number)), .int64, descending: false)
        return IndexKey(writer.bytes)
    }

    @Test(arguments: 1...2)
    func keepsWhatASortedArrayKeeps(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model: Set<Int> = []
        var pages = IndexPages()
        for step in 0..<150 {
            let count = random.pick([1, 1, 2, 9, 60, 700], 1)
            let shift = random.below(3000)
            let inserting = (0..<count).map { _ in random.below(4000) + shift }
            let removing = (0..<random.pick([0, 1, 5, count * 2], 0)).map { _ in
                random.below(4000) + shift
            }
            let name: Comment = "seed \(seed), step \(step)"
            let added = Set(inserting)
            let gone = Set(removing).subtracting(added)
            let expected = IndexPages<MemoryIndexPages>.Changes(
                inserted: added.subtracting(model).count, removed: gone.intersection(model).count)
            let before = pages
            let earlier = model
            let changes = try pages.apply(
                inserting: inserting.map(key), removing: removing.map(key))
            #expect(changes == expected, name)
            model = model.subtracting(gone).union(added)
            try check(pages, model, &random, name)
            // The copy is as it was.
            #expect(try before.count() == earlier.count, name)
        }
        let last = try pages.apply(inserting: [], removing: model.map(key))
        #expect(last.removed == model.count)
        #expect(pages.isEmpty)
    }

    private func check(
        _ pages: IndexPages<MemoryIndexPages>, _ model: Set<Int>, _ random: inout SeededGenerator,
        _ name: Comment
    ) throws {
        let sorted = model.sorted().map(key)
        #expect(try pages.ascending(.all, limit: .max) == sorted, name)
        let ends = [random.below(7000), random.below(7000)].sorted()
        let range = IndexKeyRange(lower: key(ends[0]), upper: key(ends[1]))
        let part = sorted.filter(range.contains)
        let limit = random.pick([0, 1, 100, 5000], 1)
        #expect(try pages.ascending(range, limit: limit) == Array(part.prefix(limit)), name)
        #expect(
            try pages.descending(range, limit: limit) == Array(part.reversed().prefix(limit)),
            name)
        #expect(try pages.count(range) == part.count, name)
        #expect(try pages.contains(key(ends[0])) == model.contains(ends[0]), name)
        let sizes = try pages.directory.entries.map { try pages.storage.page($0.page).count }
        #expect(sizes.allSatisfy { (1...256).contains($0) }, name)
        // Pages that have become small are joined: there are never many more than the keys need.
        #expect(sizes.count <= max(2, model.count / 24 + 2), name)
    }

    @Test func growsByOneKeyAtATime() throws {
        var pages = IndexPages()
        for number in 0..<3000 {
            let changes = try pages.apply(inserting: key(number * 7919 % 3000), removing: nil)
            #expect(changes.inserted == 1)
        }
        #expect(try pages.count() == 3000)
        let same = try pages.apply(inserting: key(5), removing: key(5))
        #expect(same == IndexPages<MemoryIndexPages>.Changes())
        for number in 0..<2990 { try pages.apply(inserting: nil, removing: key(number)) }
        #expect(try pages.ascending(.all, limit: .max) == (2990..<3000).map(key))
        #expect(pages.directory.entries.count == 1)
    }

    @Test func touchesOnlyThePagesItNeeds() throws {
        let numbers = Array(0..<20_000)
        let source = CountedPages()
        var pages = try IndexPages(source, sorted: numbers.map(key))
        #expect(source.log.writes == pages.directory.entries.count)
        #expect(pages.directory.entries.count == (20_000 + 191) / 192)
        source.log.clear()
        #expect(
            try pages.ascending(IndexKeyRange(lower: key(9_000), upper: key(9_003)), limit: 9)
                .count == 3)
        #expect(source.log.reads <= 2)
        source.log.clear()
        #expect(try pages.ascending(.all, limit: 20) == (0..<20).map(key))
        #expect(try pages.descending(.all, limit: 20).last == key(19_980))
        #expect(source.log.reads == 2)
        source.log.clear()
        try pages.apply(inserting: [key(-1)], removing: [key(10_000), key(10_001)])
        #expect(source.log.writes == 2)
        source.log.clear()
        // A batch in one place writes each page once.
        try pages.apply(inserting: (20_000..<30_000).map(key), removing: [])
        #expect(source.log.writes <= 55)
        #expect(try pages.count() == 29_999)
    }

    @Test func seesChangesOverABase() throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<40 {
            let base = Set((0..<600).map { _ in random.below(3000) })
            let removed = Set(base.filter { _ in random.below(3) > 0 })
            let added = Set((0..<200).map { _ in random.below(3000) }).subtracting(base)
            let changed = ChangedKeys(
                base: try IndexPages(MemoryIndexPages(), sorted: base.sorted().map(key)),
                added: try IndexPages(MemoryIndexPages(), sorted: added.sorted().map(key)),
                isRemoved: Set(removed.map(key)).contains)
            let expected = base.subtracting(removed).union(added).sorted().map(key)
            for limit in [0, 1, 7, 300, Int.max] {
                let range = IndexKeyRange(lower: key(random.below(900)), upper: key(2500))
                let part = expected.filter(range.contains)
                #expect(try changed.ascending(range, limit: limit) == Array(part.prefix(limit)))
                #expect(
                    try changed.descending(range, limit: limit)
                        == Array(part.reversed().prefix(limit)))
            }
        }
    }
}

/// Pages in memory that count what is done to them.
struct CountedPages: IndexPageStorage {
    final class Log {
        var reads = 0
        var writes = 0
        func clear() { (reads, writes) = (0, 0) }
    }

    let log = Log()
    private var pages = MemoryIndexPages()

    func page(_ number: Int) throws -> [IndexKey] {
        log.reads += 1
        return try pages.page(number)
    }

    mutating func update<R>(_ number: Int, _ body: (inout [IndexKey]) throws -> R) throws -> R {
        log.writes += 1
        return try pages.update(number, body)
    }

    mutating func set(_ number: Int, _ keys: [IndexKey]?) throws {
        log.writes += 1
        try pages.set(number, keys)
    }
}
