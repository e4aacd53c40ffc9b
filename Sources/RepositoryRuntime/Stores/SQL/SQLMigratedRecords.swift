internal import StoredSchema

/// Finds the records that a migrated table must not contain, for messages.
package struct SQLMigratedRecords {
    private let table: SQLTable
    private let dialect: any SQLDialect
    /// Runs a query and returns the first column of its rows, as text.
    private let values: (String) throws -> [String]

    /// Prepares the search.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - dialect: the dialect of the database.
    ///   - values: runs a query and returns the first column of its rows, as text.
    package init(
        _ table: SQLTable, _ dialect: any SQLDialect,
        values: @escaping (String) throws -> [String]
    ) {
        self.table = table
        self.dialect = dialect
        self.values = values
    }

    /// Returns the condition that a record, of the table named `t`, refers to one that is not
    /// there.
    package static func isDangling(
        _ reference: SQLReference, _ dialect: any SQLDialect
    ) -> String {
        let pairs = zip(reference.columns, reference.targetColumns)
        let own = reference.columns.map { "t.\(dialect.quoted($0)) IS NOT NULL" }
        let same = pairs.map { "o.\(dialect.quoted($1)) = t.\(dialect.quoted($0))" }
        return own.joined(separator: " AND ")
            + " AND NOT EXISTS (SELECT 1 FROM \(dialect.quoted(reference.table)) AS o WHERE \(same.joined(separator: " AND ")))"
    }

    /// Returns the values of an index, and the condition that it covers a record.
    package static func values(
        of index: TableIndex, in table: SQLTable, _ dialect: any SQLDialect
    ) -> (columns: [String], isCovered: String) {
        let columns = index.keys.flatMap { key in
            table.columns(ofField: key.field).map { position in
                let column = table.columns[position]
                if column.isHashed { return column.head(dialect) }
                let name = dialect.quoted(column.name)
                guard column.ignoresCase else { return name }
                if dialect.foldsText { return dialect.caseFolded(name) }
                return column.foldedName.map { dialect.quoted($0) } ?? name
            }
        }
        let conditions =
            columns.map { "\($0) IS NOT NULL" }
            + (SQLSchemaText(table, dialect).condition(of: index).map { ["(\($0))"] } ?? [])
        return (columns, conditions.joined(separator: " AND "))
    }

    /// Whether errors must not name ids.
    private var isSensitive: Bool {
        table.entity.key.contains { table.entity.layout.fields[$0].isSensitive }
    }

    /// Returns the records with a reference to nothing, as text; nil if there are none.
    package func dangling() throws -> String? {
        for reference in table.references {
            let (count, ids) = try records(where: Self.isDangling(reference, dialect))
            guard count > 0 else { continue }
            return MigrationFailures.words(
                "the field '\(table.fieldName(reference.field))'", count, ids)
        }
        return nil
    }

    /// Returns the number of the groups of records that share the values of an index and the ids of
    /// two records of each of the first groups, as text that follows a sentence.
    package func sharing(_ index: TableIndex) throws -> String {
        let (columns, isCovered) = Self.values(of: index, in: table, dialect)
        let groups =
            "FROM \(dialect.quoted(table.name)) WHERE \(isCovered)"
            + " GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1"
        let count = try values("SELECT count(*) FROM (SELECT 1 \(groups)) AS shared").first ?? "0"
        var words = ", in \(count) \(count == "1" ? "group" : "groups")"
        guard !isSensitive, table.key.count == 1 else { return words }
        let key = dialect.quoted(table.keyNames[0])
        func text(_ function: String) -> String {
            dialect.hasMinimum(of: table.columns[table.key[0]].form)
                ? "CAST(\(function)(\(key)) AS text)" : "\(function)(CAST(\(key) AS text))"
        }
        let pairs = try values(
            "SELECT '''' || \(text("min")) || ''' and ''' || \(text("max")) || '''' \(groups) LIMIT \(MigrationFailures.limit)"
        )
        if !pairs.isEmpty { words += ": \(pairs.joined(separator: ", "))" }
        return words
    }

    /// Returns the number of records that fulfil a condition, and the first ids.
    private func records(where condition: String) throws -> (count: Int, ids: [String]) {
        let rows = "FROM \(dialect.quoted(table.name)) AS t WHERE \(condition)"
        let count = try values("SELECT count(*) \(rows)").first.flatMap { Int($0) } ?? 0
        if count == 0 || isSensitive { return (count, []) }
        let key = table.keyNames.map { "t.\(dialect.quoted($0))" }
        let text = key.map { "CAST(\($0) AS text)" }.joined(separator: " || ',' || ")
        let ids = try values(
            "SELECT \(text) \(rows) ORDER BY \(key.joined(separator: ", ")) LIMIT \(MigrationFailures.limit)"
        )
        return (count, ids)
    }
}
