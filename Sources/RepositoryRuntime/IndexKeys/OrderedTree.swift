/// Values in the order of their keys: a B-tree whose copies share every node that neither has changed since.
///
/// A change costs what the way to the key is long, also after a copy was made: then the nodes on the way are copied, and
/// no others. So a snapshot is a copy of the tree, which copies nothing.
///
/// `@unchecked`: a node is changed only while one tree alone has it.
struct OrderedTree<Value: Sendable>: @unchecked Sendable {
    private(set) var root: OrderedTreeNode<Value>
    /// The number of keys.
    private(set) var count: Int

    /// Makes an empty tree.
    init() {
        root = OrderedTreeNode(keys: [], values: [])
        count = 0
    }

    /// Makes a tree of entries.
    ///
    /// - Parameter entries: keys and their values, in the order of the keys, none twice.
    init(sorted entries: [(key: IndexKey, value: Value)]) {
        count = entries.count
        var level = Self.parts(entries.count).map { part in
            OrderedTreeNode(
                keys: ContiguousArray(entries[part].map(\.key)),
                values: ContiguousArray(entries[part].map(\.value)))
        }
        while level.count > 1 {
            level = Self.parts(level.count).map { OrderedTreeNode(children: level[$0]) }
        }
        root = level.first ?? OrderedTreeNode(keys: [], values: [])
    }

    /// Parts of so many things, each with room for more of them.
    private static func parts(_ count: Int) -> [Range<Int>] {
        let size = OrderedTreeNode<Value>.capacity * 3 / 4
        let parts = (count + size - 1) / size
        return (0..<parts).map { count * $0 / parts..<count * ($0 + 1) / parts }
    }
}

extension OrderedTree {
    /// The value of a key.
    func value(for key: IndexKey) -> Value? {
        var node = root
        while !node.isLeaf { node = node.children[node.child(for: key)] }
        let place = node.keys.firstPosition(from: key)
        return place < node.keys.count && node.keys[place] == key ? node.values[place] : nil
    }

    /// Puts a value under a key; returns the one that was there.
    @discardableResult
    mutating func updateValue(_ value: Value, for key: IndexKey) -> Value? {
        own()
        let old = root.update(value, for: key)
        if old == nil { count += 1 }
        if root.count > OrderedTreeNode<Value>.capacity {
            root = OrderedTreeNode(children: [root, root.split()])
        }
        return old
    }

    /// Takes a key away; returns its value.
    @discardableResult
    mutating func removeValue(for key: IndexKey) -> Value? {
        own()
        guard let old = root.remove(key) else { return nil }
        count -= 1
        while root.children.count == 1 { root = root.children[0] }
        return old
    }

    private mutating func own() {
        if !isKnownUniquelyReferenced(&root) { root = root.copy() }
    }

    /// Gives the entries of a range to a body, in order, those of one node at a time, until it answers false.
    func ascend(
        _ range: IndexKeyRange, _ body: (OrderedTreeNode<Value>, Range<Int>) throws -> Bool
    ) rethrows {
        if !range.isEmpty { _ = try root.ascend(range.lower, range.upper, body) }
    }

    /// The same from the last node on; within a node the entries stand in order.
    func descend(
        _ range: IndexKeyRange, _ body: (OrderedTreeNode<Value>, Range<Int>) -> Bool
    ) {
        if !range.isEmpty { _ = root.descend(range.lower, range.upper, body) }
    }

    /// The first values of a range, in order.
    func values(_ range: IndexKeyRange = .all, limit: Int = .max) -> ContiguousArray<Value> {
        var values = ContiguousArray<Value>()
        guard limit > 0 else { return values }
        ascend(range) { node, bounds in
            values += node.values[bounds].prefix(limit - values.count)
            return values.count < limit
        }
        return values
    }
}

extension OrderedTree: OrderedKeys {
    func ascending(_ range: IndexKeyRange, limit: Int) -> [IndexKey] {
        var keys: [IndexKey] = []
        guard limit > 0 else { return keys }
        ascend(range) { node, bounds in
            keys += node.keys[bounds].prefix(limit - keys.count)
            return keys.count < limit
        }
        return keys
    }

    func descending(_ range: IndexKeyRange, limit: Int) -> [IndexKey] {
        var keys: [IndexKey] = []
        guard limit > 0 else { return keys }
        descend(range) { node, bounds in
            keys += node.keys[bounds].reversed().prefix(limit - keys.count)
            return keys.count < limit
        }
        return keys
    }
}
