/// An ordered map from index keys to values: a B-tree with copy-on-write nodes, which copies of the
/// tree share.
///
/// A change costs O(log n), even after the tree was copied: it then copies only the nodes on the
/// path to the key. A copy of the tree is therefore a constant-time snapshot.
///
/// `@unchecked Sendable` is safe: a node is modified only while a single tree references it.
///
/// Nodes have up to 64 entries, so that a tree of a million records has about four levels. Keys and
/// values are in separate arrays, so that a search reads only keys.
struct OrderedTree<Value: Sendable>: @unchecked Sendable {
    /// The root, which is a leaf in a small tree.
    private(set) var root: OrderedTreeNode<Value>
    /// The number of keys.
    private(set) var count: Int

    /// Creates an empty tree.
    init() {
        root = OrderedTreeNode(keys: [], values: [])
        count = 0
    }

    /// Creates a tree from sorted entries in linear time.
    ///
    /// - Parameter entries: keys with their values, in ascending order and without duplicates.
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

    /// Divides a number of elements into the ranges of nodes. Nodes are filled to at most three
    /// quarters, so that insertions do not split them at once.
    private static func parts(_ count: Int) -> [Range<Int>] {
        let size = OrderedTreeNode<Value>.capacity * 3 / 4
        let parts = (count + size - 1) / size
        return (0..<parts).map { count * $0 / parts..<count * ($0 + 1) / parts }
    }
}

extension OrderedTree {
    /// Returns the value for a key; nil if there is none.
    ///
    /// - Complexity: O(log *n*).
    func value(for key: IndexKey) -> Value? {
        var node = root
        while !node.isLeaf { node = node.children[node.child(for: key)] }
        let place = node.keys.firstPosition(from: key)
        return place < node.keys.count && node.keys[place] == key ? node.values[place] : nil
    }

    /// Stores a value for a key. Returns the previous value.
    ///
    /// - Complexity: O(log *n*).
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

    /// Removes a key. Returns its value.
    ///
    /// - Complexity: O(log *n*).
    @discardableResult
    mutating func removeValue(for key: IndexKey) -> Value? {
        own()
        guard let old = root.remove(key) else { return nil }
        count -= 1
        while root.children.count == 1 { root = root.children[0] }
        return old
    }

    /// Copies the root if another tree shares it.
    private mutating func own() {
        if !isKnownUniquelyReferenced(&root) { root = root.copy() }
    }

    /// Calls a body with the entries of a range in ascending order, one leaf at a time, until it
    /// returns false.
    ///
    /// - Parameters:
    ///   - range: the range of keys.
    ///   - body: receives a leaf and the indexes of its entries in the range.
    func ascend(
        _ range: IndexKeyRange, _ body: (OrderedTreeNode<Value>, Range<Int>) throws -> Bool
    ) rethrows {
        if !range.isEmpty { _ = try root.ascend(range.lower, range.upper, body) }
    }

    /// Calls a body with the entries of a range, from the last leaf to the first, until it returns
    /// false. Within a leaf, the entries are in ascending order.
    func descend(
        _ range: IndexKeyRange, _ body: (OrderedTreeNode<Value>, Range<Int>) -> Bool
    ) {
        if !range.isEmpty { _ = root.descend(range.lower, range.upper, body) }
    }

    /// Returns the first values of a range, in order.
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
