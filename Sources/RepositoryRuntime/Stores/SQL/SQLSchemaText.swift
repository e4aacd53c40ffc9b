/// The statements that make a table and its indexes.
package struct SQLSchemaText {
    private let table: SQLTable
    private let dialect: any SQLDialect

    /// Writes for a table in a dialect.
    package init(_ table: SQLTable, _ dialect: any SQLDialect) {
        self.table = table
        self.dialect = dialect
    }

    /// `CREATE TABLE`, without its indexes.
    ///
    /// - Parameters:
    ///   - name: the name to create it under; the table's own when nil.
    ///   - checked: whether a column's rules become a CHECK.
    ///   - kept: whether a check of the table becomes one.
    package func createTable(
        as name: String? = nil, where checked: (SQLColumn) -> Bool = { _ in true },
        keeping kept: (TableCheck) -> Bool = { _ in true }
    ) -> String {
        var lines = table.columns.map { definition(of: $0, isChecked: checked($0)) }
        lines.append("PRIMARY KEY (\(dialect.list(table.keyNames)))")
        for (field, count) in table.counts.enumerated() where count > 1 {
            if let check = togetherCheck(field) { lines.append(check) }
        }
        for check in table.entity.checks where kept(check) {
            guard let condition = condition(of: check) else { continue }
            let name = dialect.quoted(Self.name(of: check))
            lines.append("CONSTRAINT \(name) CHECK (\(condition))")
        }
        for reference in table.references where reference.columns.count > 1 {
            lines.append(
                "FOREIGN KEY (\(dialect.list(reference.columns))) \(references(reference))")
        }
        let body = lines.map { "    \($0)" }.joined(separator: ",\n")
        return "CREATE TABLE \(dialect.quoted(name ?? table.name)) (\n\(body)\n)"
            + dialect.tableOptions(table)
    }

    /// One column as it stands in `CREATE TABLE` and in `ADD COLUMN`.
    package func definition(of column: SQLColumn, isChecked: Bool = true) -> String {
        var parts = [dialect.quoted(column.name), dialect.typeName(column.form)]
        if !column.isOptional { parts.append("NOT NULL") }
        if let value = column.defaultValue, value != .null,
            let literal = dialect.literal(value, as: column.form)
        {
            parts.append("DEFAULT \(literal)")
        }
        if isChecked, let check = check(of: column) {
            parts.append("CONSTRAINT \(dialect.quoted(column.name)) CHECK (\(check))")
        }
        if let reference = table.references.first(where: { $0.columns == [column.name] }) {
            parts.append(references(reference))
        }
        return parts.joined(separator: " ")
    }

    /// What every value of a column keeps, where the database means the same by it; nil where there
    /// is nothing.
    package func check(of column: SQLColumn) -> String? {
        let name = dialect.quoted(column.name)
        var conditions: [String] = []
        if let check = dialect.typeCheck(of: name, as: column.form) { conditions.append(check) }
        if dialect.orders(column.form) {
            for (bound, operation) in [(column.rules.minimum, ">="), (column.rules.maximum, "<=")] {
                guard let bound, let literal = dialect.literal(bound, as: column.form) else {
                    continue
                }
                conditions.append("\(name) \(operation) \(literal)")
            }
        }
        if let length = dialect.length(of: name, as: column.form) {
            if let minimum = column.rules.minLength { conditions.append("\(length) >= \(minimum)") }
            if let maximum = column.rules.maxLength { conditions.append("\(length) <= \(maximum)") }
        }
        return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    }

    /// What a database calls a check: no column is likely to be called that, whose rules have its name.
    package static func name(of check: TableCheck) -> String { "check \(check.name)" }

    /// What every record keeps of a check; nil where only the runtime can test it.
    package func condition(of check: TableCheck) -> String? {
        // The version of a record that is tested is not yet the one that is stored.
        if let version = table.entity.versionField, check.condition.fields.contains(version) {
            return nil
        }
        // Who writes to the table without this program does not know how to fold.
        if check.condition.fields.contains(where: table.entity.ignoresCase) { return nil }
        // To a CHECK what is unknown is as good as true.
        return SQLConditionWriter.constant(check.condition, table, dialect)
            .map { "(\($0)) IS TRUE" }
    }

    /// The records that an index covers; nil where it covers all, and where the database cannot tell.
    package func condition(of index: TableIndex) -> String? {
        index.condition.flatMap { SQLConditionWriter.constant($0, table, dialect) }
    }

    /// `CREATE INDEX`. One that is not unique covers all records where the database cannot tell which it should.
    package func createIndex(_ index: TableIndex) -> String {
        let keys = index.keys.flatMap { key in
            table.columns(ofField: key.field).map { position in
                let column = table.columns[position]
                let name = dialect.quoted(column.name)
                return (column.ignoresCase ? dialect.caseFolded(name) : name)
                    + (key.descending ? " DESC" : "")
            }
        }
        return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(dialect.quoted(index.name)) "
            + "ON \(dialect.quoted(table.name)) (\(keys.joined(separator: ", ")))"
            + (condition(of: index).map { " WHERE \($0)" } ?? "")
    }

    /// The columns of a composite reference are all null or none.
    private func togetherCheck(_ field: Int) -> String? {
        let columns = table.columns(ofField: field).map { table.columns[$0] }
        guard let first = columns.first, first.isOptional else { return nil }
        let conditions = columns.dropFirst().map {
            "(\(dialect.quoted(first.name)) IS NULL) = (\(dialect.quoted($0.name)) IS NULL)"
        }
        let name = dialect.quoted(table.fieldName(field))
        return "CONSTRAINT \(name) CHECK (\(conditions.joined(separator: " AND ")))"
    }

    private func references(_ reference: SQLReference) -> String {
        "REFERENCES \(dialect.quoted(reference.table)) "
            + "(\(dialect.list(reference.targetColumns))) ON DELETE \(reference.action)"
    }
}
