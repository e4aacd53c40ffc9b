internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Compares a table that another program created with its declaration, before the store rebuilds it
/// as one of its own.
///
/// The rebuild copies the declared columns. Therefore everything that it would lose or change is a
/// difference: columns, triggers, unique indexes and references that are not declared, and values of
/// another storage class than the declared one. See ``SQLiteTableRebuild``.
struct SQLiteTakeOver {
    private let table: SQLTable
    private let connection: SQLiteConnection
    private let dialect = SQLiteDialect()

    init(_ table: SQLTable, _ connection: SQLiteConnection) {
        self.table = table
        self.connection = connection
    }

    private var name: String { dialect.quoted(table.name) }

    /// Returns a description of every difference.
    func differences() throws -> [String] {
        guard try SQLiteCatalog.isPlainTable(table.name, connection) else {
            return ["'\(table.name)' is no table, and cannot be taken over"]
        }
        let columns = try SQLiteCatalog.columns(of: table.name, connection)
        let indexes = try SQLiteCatalog.contents(ofIndexesOf: table.name, connection)
        return try self.columns(columns) + key(columns, indexes) + uniqueIndexes(indexes)
            + foreignKeys() + triggers() + assignedIDs()
    }

    /// Compares the columns and their values.
    private func columns(_ found: [SQLiteCatalog.Column]) throws -> [String] {
        var differences: [String] = []
        for column in table.columns {
            let place = "the column '\(column.name)' of '\(table.name)'"
            guard let other = found.first(where: { $0.name == column.name }) else {
                differences.append("\(place) is declared and not there")
                continue
            }
            if other.isGenerated {
                differences.append("\(place) is computed by the database")
                continue
            }
            differences += try values(of: column, place)
        }
        for other in found where !table.columns.contains(where: { $0.name == other.name }) {
            differences.append(
                "the column '\(other.name)' of '\(table.name)' is there and not declared")
        }
        return differences
    }

    /// Compares the storage classes of the values of a column.
    private func values(of column: SQLColumn, _ place: String) throws -> [String] {
        let quoted = dialect.quoted(column.name)
        func hasRow(_ condition: String) throws -> Bool {
            try SQLiteCatalog.hasRow(
                "SELECT 1 FROM \(name) WHERE \(condition) LIMIT 1", connection)
        }
        if !column.isOptional, try hasRow("\(quoted) IS NULL") {
            return ["\(place) is declared as required, and is null in some rows"]
        }
        let isOther: String
        switch dialect.typeName(column.form) {
        case "INTEGER": isOther = "typeof(\(quoted)) <> 'integer'"
        case "BLOB": isOther = "typeof(\(quoted)) <> 'blob'"
        case "REAL":
            // An integer becomes the floating-point number of the same value, if there is one.
            isOther =
                "typeof(\(quoted)) NOT IN ('real', 'integer')"
                + " OR typeof(\(quoted)) = 'integer'"
                + " AND CAST(CAST(\(quoted) AS REAL) AS INTEGER) <> \(quoted)"
        default: isOther = "typeof(\(quoted)) <> 'text'"
        }
        guard try hasRow("\(quoted) IS NOT NULL AND (\(isOther))") else { return [] }
        return ["\(place) has values that are not \(column.form.inWords)"]
    }

    /// Checks that the values of the id are the key of the table, or unique.
    private func key(
        _ columns: [SQLiteCatalog.Column], _ indexes: [SQLiteCatalog.Index]
    ) -> [String] {
        let id = Set(table.keyNames)
        let primary = Set(columns.filter { $0.keyPlace > 0 }.map(\.name))
        let isUnique =
            primary == id
            || indexes.contains { $0.isUnique && !$0.isPartial && Set($0.columns) == id }
        if isUnique { return [] }
        return ["the id of '\(table.name)' is neither its key nor unique"]
    }

    /// Checks that each unique index is declared.
    private func uniqueIndexes(_ indexes: [SQLiteCatalog.Index]) -> [String] {
        let declared = table.entity.indexes.filter(\.isUnique).map { index in
            Set(
                index.keys.flatMap { key in
                    table.columns(ofField: key.field).map { table.columns[$0].name }
                })
        }
        return indexes.filter { index in
            index.isUnique && Set(index.columns) != Set(table.keyNames)
                && (index.isPartial || !declared.contains(Set(index.columns)))
        }.map { index in
            let names = index.columns.map { "'\($0)'" }.joined(separator: ", ")
            return "a unique index over \(names) of '\(table.name)' is there and not declared"
        }
    }

    /// Checks that each foreign key is declared.
    private func foreignKeys() throws -> [String] {
        try SQLiteCatalog.foreignKeys(of: table.name, connection).filter { key in
            !table.references.contains {
                SQLiteCatalog.isSameName($0.table, key.table)
                    && $0.columns.map(SQLiteCatalog.folded)
                        == key.columns.map(SQLiteCatalog.folded)
                    && $0.acceptedActions.contains(key.rule)
            }
        }.map { key in
            let names = key.columns.map { "'\($0)'" }.joined(separator: ", ")
            return
                "the foreign key of \(names) in '\(table.name)' to '\(key.table)' with ON DELETE \(key.rule) is there and not declared"
        }
    }

    private func triggers() throws -> [String] {
        try SQLiteCatalog.objects(of: table.name, connection).filter { $0.value == "trigger" }
            .keys.sorted()
            .map { "the trigger '\($0)' of '\(table.name)' would be lost" }
    }

    /// Checks that no id that SQLite has given to a record that was deleted would be given again.
    private func assignedIDs() throws -> [String] {
        guard table.entity.key.count == 1,
            table.entity.fields[table.entity.key[0]].supply == .assigned,
            try SQLiteCatalog.hasRow(
                "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'", connection)
        else { return [] }
        let isBehind = try SQLiteCatalog.hasRow(
            "SELECT 1 FROM sqlite_sequence WHERE name = \(dialect.textLiteral(table.name))"
                + " AND seq > (SELECT coalesce(max(\(dialect.quoted(table.keyNames[0]))), 0)"
                + " FROM \(name))", connection)
        guard isBehind else { return [] }
        return [
            "the last ids of '\(table.name)' belong to deleted records, and would be given again"
        ]
    }
}
