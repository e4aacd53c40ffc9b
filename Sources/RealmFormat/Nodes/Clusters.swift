/// The keys of a cluster, and the refs of its columns.
struct Cluster {
    /// The keys of the rows, less the offset; `nil` if they are the numbers from 0.
    private let keys: IntegerArray?
    private let offset: UInt64
    /// The number of rows.
    let count: Int
    /// Element `p + 1` is the ref of the column at place `p`.
    private let elements: IntegerArray

    init(_ elements: IntegerArray, _ node: Node, offset: UInt64, _ reader: NodeReader)
        throws(RealmFileError)
    {
        self.elements = elements
        self.offset = offset
        let first = elements[ref: 0]
        guard first != 0 else { throw .damaged("node \(node.ref): a cluster without keys") }
        if first & 1 == 1 {
            keys = nil
            count = Int(clamping: first >> 1)
            try reader.count(count)
        } else {
            let keys = try reader.integers(at: first)
            self.keys = keys
            count = keys.count
        }
    }

    /// Returns the key of a row. Keys wrap at 64 bits.
    func key(_ row: Int) -> Int64 {
        Int64(bitPattern: offset &+ (keys?[unsigned: row] ?? UInt64(row)))
    }

    /// Returns the ref of a column; 0 if there is none.
    func column(_ place: Int) -> UInt64 {
        place + 1 < elements.count ? elements[ref: place + 1] : 0
    }
}

/// The clusters of a cluster tree, in the order of their keys.
struct Clusters {
    private struct Level {
        let node: UInt64
        let offset: UInt64
        let shift: UInt64
        let offsets: IntegerArray?
        let elements: IntegerArray
        let announced: UInt64
        var next = 0
        var total: UInt64 = 0

        var childCount: Int { elements.count - 3 }

        /// Returns the offset of a child.
        func offset(_ child: Int) -> UInt64 {
            offset &+ (offsets?[unsigned: child] ?? UInt64(child) << shift)
        }
    }

    private let reader: NodeReader
    private var path: [Level] = []
    private var root: UInt64?

    init(_ reader: NodeReader, root: UInt64) {
        self.reader = reader
        self.root = root
    }

    /// Returns the next cluster.
    mutating func next() throws(RealmFileError) -> Cluster? {
        var place: (ref: UInt64, offset: UInt64)
        if let root {
            place = (root, 0)
            self.root = nil
        } else if let child = try child() {
            place = child
        } else {
            return nil
        }
        while let cluster = try open(place) {
            switch cluster {
            case .leaf(let cluster):
                for level in path.indices { path[level].total &+= UInt64(cluster.count) }
                return cluster
            case .inner:
                guard let child = try child() else { return nil }
                place = child
            }
        }
        return nil
    }

    private enum Opened {
        case leaf(Cluster)
        case inner
    }

    /// Opens a node; an inner one becomes the last level.
    private mutating func open(
        _ place: (ref: UInt64, offset: UInt64)
    ) throws(RealmFileError) -> Opened? {
        let node = try reader.node(place.ref)
        let elements = try reader.refs(node)
        guard elements.count > 0 else { throw .damaged("node \(place.ref) is not a cluster") }
        guard node.isInner else {
            return .leaf(try Cluster(elements, node, offset: place.offset, reader))
        }
        guard elements.count >= 3, path.count < TreeLeaves.depthLimit else {
            throw .damaged("node \(place.ref) is not an inner node of a cluster tree")
        }
        let depth = try elements[ref: 1].asNumber()
        // Each level of a tree has 8 bits of the key.
        guard 1...7 ~= depth else {
            throw .damaged("node \(place.ref): wrong depth of a cluster tree")
        }
        let first = elements[ref: 0]
        let offsets = first == 0 ? nil : try reader.integers(at: first)
        let level = Level(
            node: place.ref, offset: place.offset, shift: 8 * depth, offsets: offsets,
            elements: elements, announced: try elements[ref: 2].asNumber())
        guard offsets.map({ $0.count == level.childCount }) ?? true else {
            throw .damaged("node \(place.ref): offsets and children differ in number")
        }
        path.append(level)
        return .inner
    }

    /// Returns the next child.
    private mutating func child() throws(RealmFileError) -> (ref: UInt64, offset: UInt64)? {
        while let last = path.last {
            guard last.next < last.childCount else {
                guard last.total == last.announced else {
                    throw .damaged(
                        "node \(last.node): \(last.total) rows, \(last.announced) announced")
                }
                path.removeLast()
                continue
            }
            path[path.count - 1].next += 1
            return (try last.elements[ref: 3 + last.next].asRef(), last.offset(last.next))
        }
        return nil
    }
}
