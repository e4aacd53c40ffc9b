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

    /// Returns the row of a key; `nil` if there is none.
    func row(of key: Int64) -> Int? {
        let wanted = UInt64(bitPattern: key) &- offset
        guard let keys else { return wanted < UInt64(count) ? Int(wanted) : nil }
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[unsigned: middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && keys[unsigned: low] == wanted ? low : nil
    }

    /// Returns the ref of a column; 0 if there is none.
    func column(_ place: Int) -> UInt64 {
        place + 1 < elements.count ? elements[ref: place + 1] : 0
    }
}

/// The inner node of a cluster tree, or a cluster.
enum ClusterNode {
    case cluster(Cluster)
    case inner(ClusterLevel)

    /// Opens a node.
    init(_ ref: UInt64, offset: UInt64, _ reader: NodeReader) throws(RealmFileError) {
        let node = try reader.node(ref)
        let elements = try reader.refs(node)
        guard elements.count > 0 else { throw .damaged("node \(ref) is not a cluster") }
        self =
            node.isInner
            ? .inner(try ClusterLevel(ref, elements, offset: offset, reader))
            : .cluster(try Cluster(elements, node, offset: offset, reader))
    }
}

/// An inner node of a cluster tree.
struct ClusterLevel {
    let node: UInt64
    private let offset: UInt64
    private let shift: UInt64
    private let offsets: IntegerArray?
    private let elements: IntegerArray
    /// The number of rows below, as the node says it and as it is.
    let announced: UInt64
    var total: UInt64 = 0
    /// The next child of a walk.
    var next = 0

    init(
        _ ref: UInt64, _ elements: IntegerArray, offset: UInt64, _ reader: NodeReader
    ) throws(RealmFileError) {
        guard elements.count >= 3 else {
            throw .damaged("node \(ref) is not an inner node of a cluster tree")
        }
        let depth = try elements[ref: 1].asNumber()
        // Each level of a tree has 8 bits of the key.
        guard 1...7 ~= depth else {
            throw .damaged("node \(ref): wrong depth of a cluster tree")
        }
        let first = elements[ref: 0]
        offsets = first == 0 ? nil : try reader.integers(at: first)
        announced = try elements[ref: 2].asNumber()
        (node, self.offset, shift, self.elements) = (ref, offset, 8 * depth, elements)
        guard offsets.map({ $0.count == elements.count - 3 }) ?? true else {
            throw .damaged("node \(ref): offsets and children differ in number")
        }
    }

    var childCount: Int { elements.count - 3 }

    /// Returns the ref and the offset of a child.
    func child(_ index: Int) throws(RealmFileError) -> (ref: UInt64, offset: UInt64) {
        (
            try elements[ref: 3 + index].asRef(),
            offset &+ (offsets?[unsigned: index] ?? UInt64(index) << shift)
        )
    }

    /// Returns the child that can have a key; `nil` if there is none.
    func child(of key: Int64) throws(RealmFileError) -> (ref: UInt64, offset: UInt64)? {
        let wanted = UInt64(bitPattern: key) &- offset
        guard let offsets else {
            let index = wanted >> shift
            return index < UInt64(childCount) ? try child(Int(index)) : nil
        }
        var (low, high) = (0, offsets.count)
        while low < high {
            let middle = (low + high) / 2
            if offsets[unsigned: middle] <= wanted { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? try child(low - 1) : nil
    }
}

/// The clusters of a cluster tree, in the order of their keys.
struct Clusters {
    private let reader: NodeReader
    private var path: [ClusterLevel] = []
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
        while true {
            switch try ClusterNode(place.ref, offset: place.offset, reader) {
            case .cluster(let cluster):
                for level in path.indices { path[level].total &+= UInt64(cluster.count) }
                return cluster
            case .inner(let level):
                guard path.count < TreeLeaves.depthLimit else {
                    throw .damaged("a cluster tree is nested too deep")
                }
                path.append(level)
                guard let child = try child() else { return nil }
                place = child
            }
        }
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
            return try last.child(last.next)
        }
        return nil
    }
}
