/// A total order of the records of a table, reduced to the parts that matter: fields that have the
/// same value in all records, and fields after a complete id, are left out.
///
/// Two equal values order the records of a query identically. ``QueryPlanner`` compares the order
/// of a query with that of an index.
///
/// For example, sorting by `status, title` equals sorting by `title` if a condition requires one
/// `status`. Sorting by `id, title` equals sorting by `id`.
struct RecordOrder: Equatable {
    /// A sort key that can affect the order.
    private struct Part: Equatable {
        var path: FieldPath
        var descending: Bool
    }

    /// The sort keys, the most significant first.
    private var parts: [Part] = []
    /// Whether the parts contain the complete id, so that further parts cannot matter.
    private var isWhole = false

    /// Creates the order of a query.
    ///
    /// - Parameter constant: the fields that have the same value in all records found.
    init(_ sortKeys: [SortKey], _ table: EntityTable, constant: Set<FieldPath>) {
        for key in sortKeys {
            add(key.path, descending: key.direction == .descending, table, constant)
        }
        addID(table, constant)
    }

    /// Creates the order of an index, optionally scanned backward.
    init(
        _ keys: some Sequence<TableIndex.Key>, isReversed: Bool, _ table: EntityTable,
        constant: Set<FieldPath>
    ) {
        for key in keys {
            add(key.path, descending: key.descending != isReversed, table, constant)
        }
        addID(table, constant)
    }

    /// Appends a field, unless it cannot affect the order.
    private mutating func add(
        _ path: FieldPath, descending: Bool, _ table: EntityTable, _ constant: Set<FieldPath>
    ) {
        guard !isWhole, !constant.contains(path),
            !parts.contains(where: { $0.path == path })
        else { return }
        parts.append(Part(path: path, descending: descending))
        isWhole = table.key.allSatisfy { field in
            constant.contains(FieldPath(field))
                || parts.contains { $0.path == FieldPath(field) }
        }
    }

    /// Appends the components of the id, ascending.
    private mutating func addID(_ table: EntityTable, _ constant: Set<FieldPath>) {
        for field in table.key { add(FieldPath(field), descending: false, table, constant) }
    }
}
