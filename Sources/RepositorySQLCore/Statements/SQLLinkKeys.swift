internal import RepositoryRuntime

/// The columns by which a link connects two tables: those of the record, and those of the target.
struct SQLLinkKeys {
    let outer: [String]
    let inner: [String]

    /// Creates the keys; nil if the tables store them in different forms, or the database compares
    /// them by an expression.
    init?(
        _ link: RecordLink, from table: SQLTable, to target: SQLTable, _ dialect: any SQLDialect
    ) {
        let own = link.reference.map { [$0] } ?? table.entity.key.map { FieldPath($0) }
        let others =
            if let name = link.backReference {
                target.entity.layout.indexByKey[name].map { [FieldPath($0)] } ?? []
            } else {
                target.entity.key.map { FieldPath($0) }
            }
        guard let outer = Self.operands(own, table, dialect),
            let inner = Self.operands(others, target, dialect),
            outer.map(\.form) == inner.map(\.form), !outer.isEmpty
        else { return nil }
        self.outer = outer.map { $0.equatable ?? $0.text }
        self.inner = inner.map { $0.equatable ?? $0.text }
    }

    /// Returns some columns as one value.
    static func row(_ columns: [String]) -> String {
        columns.count == 1 ? columns[0] : "(\(columns.joined(separator: ", ")))"
    }

    /// Returns the operands of some paths; nil if one of them is not a column.
    private static func operands(
        _ paths: [FieldPath], _ table: SQLTable, _ dialect: any SQLDialect
    ) -> [SQLOperand]? {
        var operands: [SQLOperand] = []
        for path in paths {
            guard let found = table.operands(path, dialect),
                found.allSatisfy({ $0.source == nil || $0.equatable != nil })
            else { return nil }
            operands += found
        }
        return operands
    }
}
