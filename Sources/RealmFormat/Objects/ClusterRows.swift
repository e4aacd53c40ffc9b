/// The rows of a table of formats 10 and later.
struct ClusterRows {
    private let table: RealmClass
    private let reader: NodeReader
    private var clusters: Clusters
    private var rows: RowsOfCluster?
    private var position = 0

    init(_ table: RealmClass, _ reader: NodeReader) {
        (self.table, self.reader) = (table, reader)
        clusters = Clusters(reader, root: table.data)
    }

    /// Returns the next row.
    mutating func next() throws(RealmFileError) -> RealmObject? {
        while true {
            if let rows, position < rows.count {
                position += 1
                return try rows.object(position - 1, reader)
            }
            guard let cluster = try clusters.next() else { return nil }
            rows = try RowsOfCluster(cluster, table, reader)
            position = 0
        }
    }
}

/// The rows of a cluster.
struct RowsOfCluster {
    private enum Column {
        case values(Leaf)
        case collections(IntegerArray)
    }

    private let cluster: Cluster
    private let table: RealmClass
    /// The columns; null for those that are not read.
    private let columns: [Column?]

    /// - Parameter column: the only column that is read; all if it is nil.
    init(
        _ cluster: Cluster, _ table: RealmClass, only column: Int? = nil, _ reader: NodeReader
    ) throws(RealmFileError) {
        (self.cluster, self.table) = (cluster, table)
        var columns: [Column?] = []
        for (index, property) in table.properties.enumerated() {
            guard column == nil || column == index else {
                columns.append(nil)
                continue
            }
            let ref = cluster.column(property.place)
            guard ref != 0 else {
                throw .damaged("table \(table.tableName): no data for column \(property.name)")
            }
            let node = try reader.node(ref.asRef())
            let count: Int
            if property.collection == nil {
                let leaf = try Leaf(node, property, reader)
                count = leaf.count
                columns.append(.values(leaf))
            } else {
                let refs = try reader.refs(node)
                count = refs.count
                columns.append(.collections(refs))
            }
            guard count == cluster.count else {
                throw .damaged(
                    "table \(table.tableName): \(cluster.count) rows, \(count) values in column "
                        + property.name)
            }
        }
        self.columns = columns
    }

    /// The number of rows.
    var count: Int { cluster.count }

    /// Returns the row of a key; `nil` if there is none.
    func row(of key: Int64) -> Int? { cluster.row(of: key) }

    /// Decodes a row.
    func object(_ row: Int, _ reader: NodeReader) throws(RealmFileError) -> RealmObject {
        var values: [RealmValue] = []
        values.reserveCapacity(columns.count)
        for (index, column) in columns.enumerated() {
            switch column {
            case nil: values.append(.null)
            case .values(let leaf): values.append(try leaf.value(at: row, reader) ?? .null)
            case .collections(let refs):
                let property = table.properties[index]
                var elements = CollectionReader(reader)
                switch property.collection {
                case .dictionary:
                    values.append(
                        .dictionary(
                            try elements.entries(refs[ref: row], keys: property.keyType)))
                case .set: values.append(.set(try elements.elements(refs[ref: row], property)))
                default: values.append(.list(try elements.elements(refs[ref: row], property)))
                }
            }
        }
        return RealmObject(key: cluster.key(row), values: values)
    }
}
