/// An object of a class: a row of its table.
package struct RealmObject: Sendable, Equatable {
    /// The key, which links name; in formats up to 9 the row number.
    package let key: Int64
    /// The values of the properties, in their order.
    package let values: [RealmValue]
}

/// Reads the objects of a class, in the order of their keys. A few hundred are in memory at a time.
///
/// It is not `Sendable`: each task has a reader of its own.
package struct ObjectReader {
    private enum Rows {
        case clusters(ClusterRows)
        case columns(ColumnRows)
        case none
    }

    private var rows: Rows

    init(_ table: RealmClass, _ reader: NodeReader) throws(RealmFileError) {
        if reader.format < 10 {
            rows = .columns(
                try ColumnRows(
                    table.data, table.properties, of: table.tableName, depth: 0, reader))
        } else if table.data == 0 {
            rows = .none
        } else {
            rows = .clusters(ClusterRows(table, reader))
        }
    }

    /// Returns the next object; `nil` at the end.
    ///
    /// - Throws: ``RealmFileError`` if the file is damaged.
    package mutating func next() throws(RealmFileError) -> RealmObject? {
        switch rows {
        case .none: return nil
        case .clusters(var clusters):
            rows = .none  // There is one owner of what changes.
            let object = try clusters.next()
            rows = .clusters(clusters)
            return object
        case .columns(var columns):
            rows = .none
            let row = columns.row
            let values = try columns.next()
            rows = .columns(columns)
            return values.map { RealmObject(key: Int64(row), values: $0) }
        }
    }
}
