/// A node of an ``OrderedTree``: either a leaf with keys and values, or an inner node with
/// children.
///
/// All leaves have the same depth. The mutating methods require that the caller's tree is the only
/// one that references the node.
final class OrderedTreeNode<Value: Sendable> {
    /// The maximum number of entries or children.
    static var capacity: Int { 64 }
    /// The minimum size: a smaller node is merged with a neighbor if both fit into one node.
    static var minimum: Int { 16 }

    /// The keys of the values in a leaf. In an inner node, the lower bound of each child; the first
    /// one is not used.
    private(set) var keys: ContiguousArray<IndexKey>
    /// The values of the keys; empty in an inner node.
    private(set) var values: ContiguousArray<Value>
    /// The child nodes; empty in a leaf.
    private(set) var children: ContiguousArray<OrderedTreeNode>
    /// What the owner of the tree has computed from the entries of this leaf; nil again after they
    /// change. Only the owner uses it, never the reader of a copy: access is not synchronized.
    var derived: AnyObject?

    init(keys: ContiguousArray<IndexKey>, values: ContiguousArray<Value>) {
        self.keys = keys
        self.values = values
        children = []
    }

    /// Creates an inner node from children in ascending order of keys.
    init(children: some Sequence<OrderedTreeNode>) {
        self.children = ContiguousArray(children)
        keys = ContiguousArray(self.children.map { $0.keys[0] })
        values = []
    }

    /// Creates a node from all of its parts.
    private init(
        _ keys: ContiguousArray<IndexKey>, _ values: ContiguousArray<Value>,
        _ children: ContiguousArray<OrderedTreeNode>
    ) {
        self.keys = keys
        self.values = values
        self.children = children
    }

    /// Returns a copy of the node for another tree. The children are shared.
    func copy() -> OrderedTreeNode { OrderedTreeNode(keys, values, children) }

    /// Whether the node has values and no children.
    var isLeaf: Bool { children.isEmpty }

    /// The number of entries or children.
    var count: Int { keys.count }

    /// Returns the index of the child to which a key belongs.
    func child(for key: IndexKey) -> Int { max(0, keys.firstPosition(behind: key) - 1) }
}

// MARK: - Changes

extension OrderedTreeNode {
    /// Stores a value for a key in this subtree. The node may then have one entry more than its
    /// capacity, and the caller must split it.
    func update(_ value: Value, for key: IndexKey) -> Value? {
        if isLeaf { return updateEntry(value, for: key) }
        let place = child(for: key)
        own(place)
        let old = children[place].update(value, for: key)
        if children[place].count > Self.capacity {
            let right = children[place].split()
            keys.insert(right.keys[0], at: place + 1)
            children.insert(right, at: place + 1)
        }
        return old
    }

    /// Stores a value in this leaf.
    private func updateEntry(_ value: Value, for key: IndexKey) -> Value? {
        derived = nil
        let place = keys.firstPosition(from: key)
        if place < keys.count, keys[place] == key {
            let old = values[place]
            values[place] = value
            return old
        }
        keys.insert(key, at: place)
        values.insert(value, at: place)
        return nil
    }

    /// Removes a key from this subtree. Returns its value; nil if the key does not exist.
    func remove(_ key: IndexKey) -> Value? {
        guard isLeaf else {
            let place = child(for: key)
            own(place)
            let old = children[place].remove(key)
            if children[place].count < Self.minimum { join(place) }
            return old
        }
        let place = keys.firstPosition(from: key)
        guard place < keys.count, keys[place] == key else { return nil }
        derived = nil
        keys.remove(at: place)
        return values.remove(at: place)
    }

    /// Copies a child if another tree shares it.
    private func own(_ place: Int) {
        if !isKnownUniquelyReferenced(&children[place]) {
            children[place] = children[place].copy()
        }
    }

    /// Moves the second half of the entries to a new node, and returns that node.
    func split() -> OrderedTreeNode {
        derived = nil
        let middle = count / 2
        let right = OrderedTreeNode(
            ContiguousArray(keys[middle...]), ContiguousArray(values.dropFirst(middle)),
            ContiguousArray(children.dropFirst(middle)))
        keys.removeSubrange(middle...)
        if isLeaf {
            values.removeSubrange(middle...)
        } else {
            children.removeSubrange(middle...)
        }
        return right
    }

    /// Merges a child that has become too small with its left or right neighbor, if both fit into
    /// one node.
    private func join(_ place: Int) {
        for left in [place - 1, place] where left >= 0 && left + 1 < children.count {
            let right = children[left + 1]
            guard children[left].count + right.count <= Self.capacity else { continue }
            own(left)
            children[left].append(right, from: keys[left + 1])
            keys.remove(at: left + 1)
            children.remove(at: left + 1)
            return
        }
    }

    /// Appends the contents of the next node.
    ///
    /// - Parameters:
    ///   - next: the node after this one, which stays unchanged.
    ///   - lower: the lower bound of the next node in its parent, which is the bound of its first
    ///     child.
    private func append(_ next: OrderedTreeNode, from lower: IndexKey) {
        derived = nil
        if next.isLeaf {
            keys += next.keys
        } else {
            keys.append(lower)
            keys += next.keys.dropFirst()
        }
        values += next.values
        children += next.children
    }
}

// MARK: - Reading

extension OrderedTreeNode {
    /// Calls a body with the entries of a range, one leaf at a time. Returns false as soon as the
    /// body does.
    ///
    /// - Parameters:
    ///   - lower: the lower bound; nil if all entries of this node are at or above it.
    ///   - upper: the excluded upper bound; nil if all entries of this node are below it.
    ///   - body: receives a leaf and the indexes of its entries in the range.
    func ascend(
        _ lower: IndexKey?, _ upper: IndexKey?, _ body: (OrderedTreeNode, Range<Int>) throws -> Bool
    ) rethrows -> Bool {
        if isLeaf {
            let bounds = bounds(lower, upper)
            if bounds.isEmpty { return true }
            return try body(self, bounds)
        }
        let first = lower.map(child) ?? 0
        let last = upper.map(child) ?? count - 1
        for place in first...max(first, last) {
            let isWhole =
                try children[place].ascend(
                    place == first ? lower : nil, place == last ? upper : nil, body)
            if !isWhole { return false }
        }
        return true
    }

    /// Calls a body with the entries of a range, from the last leaf to the first. Returns false as
    /// soon as the body does.
    func descend(
        _ lower: IndexKey?, _ upper: IndexKey?, _ body: (OrderedTreeNode, Range<Int>) -> Bool
    ) -> Bool {
        if isLeaf {
            let bounds = bounds(lower, upper)
            return bounds.isEmpty || body(self, bounds)
        }
        let first = lower.map(child) ?? 0
        let last = upper.map(child) ?? count - 1
        for place in (first...max(first, last)).reversed() {
            let isWhole =
                children[place].descend(
                    place == first ? lower : nil, place == last ? upper : nil, body)
            if !isWhole { return false }
        }
        return true
    }

    /// Returns the indexes of the entries of this leaf in a range.
    private func bounds(_ lower: IndexKey?, _ upper: IndexKey?) -> Range<Int> {
        let first = lower.map { keys.firstPosition(from: $0) } ?? 0
        let last = upper.map { keys.firstPosition(from: $0) } ?? count
        return first..<max(first, last)
    }
}
