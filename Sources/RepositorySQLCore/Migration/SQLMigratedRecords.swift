package import RepositoryRuntime
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

    /// Returns the condition of the records, of the table named `t`, that share the values of a
    /// unique index with a record that has a smaller id.
    package static func isDuplicate(
        of index: TableIndex, in table: SQLTable, _ dialect: any SQLDialect
    ) -> String {
        let (columns, isCovered) = values(of: index, in: table, dialect)
        let key = dialect.list(table.keyNames)
        let numbered =
            "SELECT \(key), row_number() OVER (PARTITION BY \(columns.joined(separator: ", ")) ORDER BY \(key)) AS n FROM \(dialect.quoted(table.name)) WHERE \(isCovered)"
        let own = table.keyNames.map { "t.\(dialect.quoted($0))" }.joined(separator: ", ")
        let isOne = table.key.count == 1 ? own : "(\(own))"
        return "\(isOne) IN (SELECT \(key) FROM (\(numbered)) AS l WHERE n > 1)"
    }

    /// Returns the reason why such a record is set aside.
    package static func reason(_ index: TableIndex, in table: SQLTable) -> String {
        "another record of '\(table.name)' has the same values of the unique index '\(index.name)'"
    }

    /// Returns the reason why a record with a dangling reference is set aside.
    package static func reason(_ reference: SQLReference, in table: SQLTable) -> String {
        "the field '\(table.fieldName(reference.field))' refers to a record of '\(reference.table)' that is not there or was set aside"
    }

    /// Resolves the dangling references of tables, and then those to the records that this has
    /// removed, and so on.
    ///
    /// - Parameters:
    ///   - tables: the tables of the schema.
    ///   - names: the tables with references to check.
    ///   - resolve: resolves one reference of a table. Returns whether it has removed records.
    package static func resolveReferences(
        among tables: [SQLTable], checking names: Set<String>,
        _ resolve: (SQLReference, SQLTable) throws -> Bool
    ) rethrows {
        var checked = tables.filter { names.contains($0.name) }
        while !checked.isEmpty {
            var changed: Set<String> = []
            for table in checked.sorted(by: { $0.name < $1.name }) {
                for reference in table.references where try resolve(reference, table) {
                    changed.insert(table.name)
                }
            }
            checked = tables.filter { table in
                table.references.contains { changed.contains($0.table) }
            }
        }
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
