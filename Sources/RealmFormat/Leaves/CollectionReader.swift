/// Reads lists, sets and dictionaries.
struct CollectionReader {
    /// The most levels of collections in each other. Realm stops at 100.
    static let nestingLimit = 110
    /// The most elements of a collection: all are in memory at once.
    static let elementLimit = 1 << 22

    private let reader: NodeReader
    private let depth: Int
    private var count = 0

    init(_ reader: NodeReader, depth: Int = 0) {
        self.reader = reader
        self.depth = depth
    }

    /// Reads the elements of a list or set; none if the ref is 0.
    mutating func elements(
        _ ref: UInt64, _ element: RealmProperty
    ) throws(RealmFileError) -> [RealmValue] {
        try checkDepth()
        guard ref != 0 else { return [] }
        var leaves = TreeLeaves(reader, root: try ref.asRef())
        var elements: [RealmValue] = []
        while let node = try leaves.next() {
            try add(
                try Leaf(node, element, isElement: true, depth: depth, reader), to: &elements)
        }
        return elements
    }

    /// Reads a dictionary; an empty one if the ref is 0.
    mutating func entries(
        _ ref: UInt64, keys keyType: RealmType
    ) throws(RealmFileError) -> [RealmEntry] {
        try checkDepth()
        guard ref != 0 else { return [] }
        let root = try ref.asRef()
        let key = RealmProperty(key: keyType)
        var (keys, values): ([RealmValue], [RealmValue]) = ([], [])
        if reader.format >= 23 {
            let parts = try reader.refs(reader.node(root))
            guard parts.count == 2, parts[ref: 0] != 0, parts[ref: 1] != 0 else {
                throw .damaged("node \(ref) is not a dictionary")
            }
            keys = try elements(parts[ref: 0].asRef(), key)
            values = try elements(parts[ref: 1].asRef(), .anyValue)
        } else {
            var clusters = Clusters(reader, root: root)
            while let cluster = try clusters.next() {
                let before = keys.count
                for (place, property) in [(0, key), (1, .anyValue)] {
                    let node = try reader.node(cluster.column(place).asRef())
                    let leaf = try Leaf(node, property, depth: depth, reader)
                    if place == 0 {
                        try add(leaf, to: &keys)
                    } else {
                        try add(leaf, to: &values)
                    }
                }
                guard keys.count == before + cluster.count else {
                    throw .damaged("node \(ref): a dictionary lacks keys")
                }
            }
        }
        guard keys.count == values.count else {
            throw .damaged("a dictionary of \(keys.count) keys and \(values.count) values")
        }
        return zip(keys, values).map { RealmEntry(key: $0, value: $1) }
    }

    private mutating func add(
        _ leaf: Leaf, to elements: inout [RealmValue]
    ) throws(RealmFileError) {
        count += leaf.count
        guard count <= Self.elementLimit else {
            throw RealmFileError(
                .tooLarge, "a collection of more than \(Self.elementLimit) elements")
        }
        elements.reserveCapacity(elements.count + leaf.count)
        for index in 0..<leaf.count {
            if let value = try leaf.value(at: index, reader) { elements.append(value) }
        }
    }

    private func checkDepth() throws(RealmFileError) {
        guard depth <= Self.nestingLimit else {
            throw .damaged("collections are nested too deep")
        }
    }
}

extension RealmProperty {
    /// The elements of collections inside values of any type.
    static let anyValue = RealmProperty(name: "", type: .mixed, isNullable: true, place: 0)

    /// The keys of a dictionary.
    init(key type: RealmType) {
        self.init(name: "", type: type, isNullable: false, place: 0)
    }
}
