/// The leaves of a B+-tree, from left to right.
struct TreeLeaves {
    /// The most levels of a tree, far above any real one.
    static let depthLimit = 40

    private let reader: NodeReader
    private var path: [(children: IntegerArray, next: Int)] = []
    private var root: UInt64?

    init(_ reader: NodeReader, root: UInt64) {
        self.reader = reader
        self.root = root
    }

    /// Returns the next leaf.
    mutating func next() throws(RealmFileError) -> Node? {
        var ref: UInt64
        if let root {
            ref = root
            self.root = nil
        } else if let child = try child() {
            ref = child
        } else {
            return nil
        }
        while true {
            let node = try reader.node(ref)
            guard node.isInner else { return node }
            let children = try reader.refs(node)
            guard children.count >= 3, children[ref: children.count - 1] & 1 == 1 else {
                throw .damaged("node \(ref) is not an inner node of a B+-tree")
            }
            guard path.count < Self.depthLimit else {
                throw .damaged("a B+-tree is nested too deep")
            }
            path.append((children, 1))
            guard let first = try child() else { return nil }
            ref = first
        }
    }

    /// Returns the ref of the next child.
    private mutating func child() throws(RealmFileError) -> UInt64? {
        while let last = path.last {
            guard last.next < last.children.count - 1 else {
                path.removeLast()
                continue
            }
            path[path.count - 1].next += 1
            return try last.children[ref: last.next].asRef()
        }
        return nil
    }
}
