/// A node of an ``OrderedTree``: keys and their values, or children.
final class OrderedTreeNode<Value: Sendable> {
    /// The most entries of a node.
    static var capacity: Int { 64 }
    /// A node with fewer is joined with its neighbour where the two fit.
    static var minimum: Int { 16 }

    /// The keys of the values; of children the smallest key that each may hold, of which the first says nothing.
    private(set) var keys: ContiguousArray<IndexKey>
    /// The values of the keys; none beside children.
    private(set) var values: ContiguousArray<Value>
    /// The nodes below; none in a leaf.
    private(set) var children: ContiguousArray<OrderedTreeNode>

    init(keys: ContiguousArray<IndexKey>, values: ContiguousArray<Value>) {
        self.keys = keys
        self.values = values
        children = []
    }

    /// Makes a node over others, in the order of their keys.
    init(children: some Sequence<OrderedTreeNode>) {
        self.children = ContiguousArray(children)
        keys = ContiguousArray(self.children.map { $0.keys[0] })
        values = []
    }

    private init(
        _ keys: ContiguousArray<IndexKey>, _ values: ContiguousArray<Value>,
        _ children: ContiguousArray<OrderedTreeNode>
    ) {
        self.keys = keys
        self.values = values
        self.children = children
    }

    /// The same node for another tree, over the same children.
    func copy() -> OrderedTreeNode { OrderedTreeNode(keys, values, children) }

    var isLeaf: Bool { children.isEmpty }

    /// The number of entries or children.
    var count: Int { keys.count }

    /// The position of the child to which a key belongs.
    func child(for key: IndexKey) -> Int { max(0, keys.firstPosition(behind: key) - 1) }
}

// MARK: - Changes

extension OrderedTreeNode {
    /// Puts a value under a key, below this node, which the tree alone has; it may then have one entry too many.
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

    private func updateEntry(_ value: Value, for key: IndexKey) -> Value? {
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

    /// Takes a key away, below this node, which the tree alone has.
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
        keys.remove(at: place)
        return values.remove(at: place)
    }

    private func own(_ place: Int) {
        if !isKnownUniquelyReferenced(&children[place]) {
            children[place] = children[place].copy()
        }
    }

    /// Makes the rear half a node of its own.
    func split() -> OrderedTreeNode {
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

    /// Joins a child that has become small with the one before or behind it, where the two fit.
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

    /// Takes over what the next node has.
    ///
    /// - Parameter lower: the smallest key that it may hold.
    private func append(_ next: OrderedTreeNode, from lower: IndexKey) {
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
    /// Gives the entries of a range to a body, a leaf's at a time; false once that answers false.
    ///
    /// - Parameters:
    ///   - lower: the first key; nil where none of the node is smaller.
    ///   - upper: the first key behind the range; nil where none of the node is as large.
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

    /// The same from the last leaf on.
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

    private func bounds(_ lower: IndexKey?, _ upper: IndexKey?) -> Range<Int> {
        let first = lower.map { keys.firstPosition(from: $0) } ?? 0
        let last = upper.map { keys.firstPosition(from: $0) } ?? count
        return first..<max(first, last)
    }
}
