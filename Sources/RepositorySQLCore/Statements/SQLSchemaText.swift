package import RepositoryRuntime

/// Writes the statements that create a table and its indexes.
package struct SQLSchemaText {
    /// The table to create.
    private let table: SQLTable
    /// The dialect of the database.
    private let dialect: any SQLDialect

    /// Creates a writer for a table and a dialect.
    package init(_ table: SQLTable, _ dialect: any SQLDialect) {
        self.table = table
        self.dialect = dialect
    }

    /// Returns the `CREATE TABLE` statement.
    ///
    /// The columns come first, followed by the folded columns, the primary key, the constraints of
    /// optional composite references, the checks, and the foreign keys of composite references. A
    /// foreign key on a single column is part of the column's definition.
    ///
    /// - Parameters:
    ///   - name: the name of the new table; the table's own name if nil.
    ///   - checked: whether the rules of a column become a CHECK constraint.
    ///   - kept: whether a check of the table becomes a CHECK constraint.
    package func createTable(
        as name: String? = nil, where checked: (SQLColumn) -> Bool = { _ in true },
        keeping kept: (TableCheck) -> Bool = { _ in true }
    ) -> String {
        var lines = table.columns.map { definition(of: $0, isChecked: checked($0)) }
        lines += table.columns.compactMap { foldedDefinition(of: $0) }
        lines.append("PRIMARY KEY (\(dialect.list(table.keyNames)))")
        for (field, count) in table.counts.enumerated() where count > 1 {
            if let check = togetherCheck(field) { lines.append(check) }
        }
        for check in table.entity.checks where kept(check) {
            guard let condition = condition(of: check) else { continue }
            let name = dialect.quoted(Self.name(of: check))
            lines.append("CONSTRAINT \(name) CHECK (\(condition))")
        }
        for reference in table.references
        where reference.columns.count > 1 && dialect.referencesInTables {
            lines.append(
                "FOREIGN KEY (\(dialect.list(reference.columns))) \(references(reference))")
        }
        let body = lines.map { "    \($0)" }.joined(separator: ",\n")
        return "CREATE TABLE \(dialect.quoted(name ?? table.name)) (\n\(body)\n)"
            + dialect.tableOptions(table)
    }

    /// Returns the definition of a column for `CREATE TABLE` and `ADD COLUMN`.
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
        if dialect.referencesInTables,
            let reference = table.references.first(where: { $0.columns == [column.name] })
        {
            parts.append(references(reference))
        }
        return parts.joined(separator: " ")
    }

    /// Returns the definition of the folded column of a column for `CREATE TABLE` and `ADD COLUMN`;
    /// nil if there is none.
    ///
    /// The folded column is nullable, so that programs that do not know it can insert rows.
    package func foldedDefinition(of column: SQLColumn) -> String? {
        column.foldedName.map { "\(dialect.quoted($0)) \(dialect.typeName(column.form))" }
    }

    /// Returns the CHECK condition for the rules of a column; nil if there are no rules that the
    /// database can check with the same meaning.
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

    /// Returns the name of the constraint for a check. The prefix avoids collisions with the
    /// constraints for the rules of columns, which have the names of their columns.
    package static func name(of check: TableCheck) -> String { "check \(check.name)" }

    /// Returns the CHECK condition for a check; nil if only the runtime can test it.
    package func condition(of check: TableCheck) -> String? {
        // When the runtime tests a check, the record does not have its final version yet.
        if let version = table.entity.versionField, check.condition.fields.contains(version) {
            return nil
        }
        // Programs that write to the table without this library cannot fold strings.
        if check.condition.fields.contains(where: table.entity.ignoresCase) { return nil }
        // A CHECK accepts unknown as well as true, so the condition must be reduced to true or
        // false.
        return SQLConditionWriter.constant(check.condition, table, dialect)
            .map { "(\($0)) IS TRUE" }
    }

    /// Returns the condition of a partial index; nil if the index contains all records, or if the
    /// database cannot evaluate the condition.
    package func condition(of index: TableIndex) -> String? {
        index.condition.flatMap { SQLConditionWriter.constant($0, table, dialect) }
    }

    /// Returns the `CREATE INDEX` statement. If the database cannot evaluate the condition of a
    /// nonunique index, the index contains all records.
    package func createIndex(_ index: TableIndex) -> String {
        let keys = index.keys.flatMap { key in
            table.expressions(of: key, dialect).map { $0 + (key.descending ? " DESC" : "") }
        }
        return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(dialect.quoted(index.name)) "
            + "ON \(dialect.quoted(table.name)) (\(keys.joined(separator: ", ")))"
            + (condition(of: index).map { " WHERE \($0)" } ?? "")
    }

    /// Returns a CHECK that either all columns of an optional composite reference are null or none;
    /// nil if the reference is required.
    package func togetherCheck(_ field: Int) -> String? {
        let columns = table.columns(ofField: field).map { table.columns[$0] }
        guard let first = columns.first, first.isOptional else { return nil }
        let conditions = columns.dropFirst().map {
            "(\(dialect.quoted(first.name)) IS NULL) = (\(dialect.quoted($0.name)) IS NULL)"
        }
        let name = dialect.quoted(table.fieldName(field))
        return "CONSTRAINT \(name) CHECK (\(conditions.joined(separator: " AND ")))"
    }

    /// Returns the `REFERENCES` clause of a reference.
    package func references(_ reference: SQLReference) -> String {
        "REFERENCES \(dialect.quoted(reference.table)) "
            + "(\(dialect.list(reference.targetColumns))) ON DELETE \(reference.action)"
    }
}

/// Index expressions.
extension SQLTable {
    /// Returns the expressions of an index key; none if the database cannot read the value exactly.
    fileprivate func expressions(of key: TableIndex.Key, _ dialect: any SQLDialect) -> [String] {
        guard key.path.names.isEmpty else {
            return operands(key.path, dialect)?.map(\.text) ?? []
        }
        return columns(ofField: key.field).map { operand(columns[$0], indexedBy: dialect) }
    }

    /// Returns the expression by which an index stores a column.
    fileprivate func operand(_ column: SQLColumn, indexedBy dialect: any SQLDialect) -> String {
        if column.isHashed { return column.head(dialect) }
        let name = dialect.quoted(column.foldedName ?? column.name)
        return column.ignoresCase && column.foldedName == nil ? dialect.caseFolded(name) : name
    }
}
