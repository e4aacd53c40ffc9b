/// A total order of the records of a table, by fields, as far as it matters: without fields that all records have in
/// common, and without what follows once the id is known.
struct RecordOrder: Equatable {
    private struct Part: Equatable {
        var path: FieldPath
        var descending: Bool
    }

    private var parts: [Part] = []
    private var isWhole = false

    /// The order of a query.
    ///
    /// - Parameter constant: fields that have one value in all records found.
    init(_ sortKeys: [SortKey], _ table: EntityTable, constant: Set<Int>) {
        for key in sortKeys {
            add(key.path, descending: key.direction == .descending, table, constant)
        }
        addID(table, constant)
    }

    /// The order of an index.
    init(
        _ keys: some Sequence<TableIndex.Key>, isReversed: Bool, _ table: EntityTable,
        constant: Set<Int>
    ) {
        for key in keys {
            add(
                FieldPath(key.field), descending: key.descending != isReversed, table, constant)
        }
        addID(table, constant)
    }

    private mutating func add(
        _ path: FieldPath, descending: Bool, _ table: EntityTable, _ constant: Set<Int>
    ) {
        guard !isWhole, !constant.contains(path.field),
            !parts.contains(where: { $0.path == path })
        else { return }
        parts.append(Part(path: path, descending: descending))
        isWhole = table.key.allSatisfy { field in
            constant.contains(field) || parts.contains { $0.path == FieldPath(field) }
        }
    }

    private mutating func addID(_ table: EntityTable, _ constant: Set<Int>) {
        for field in table.key { add(FieldPath(field), descending: false, table, constant) }
    }
}
