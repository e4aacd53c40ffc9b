internal import RepositoryRuntime
internal import RepositorySQLCore

/// Reads the schema of a database from `sqlite_schema` and SQLite's pragmas.
///
/// It is used mainly when a database is opened or migrated. Its statements are not cached.
enum SQLiteCatalog {
    /// A column as the database declares it.
    struct Column {
        /// The declared name.
        let name: String
        /// The declared type; empty if there is none.
        let type: String
        let isNotNull: Bool
        let hasDefault: Bool
        /// The position in the primary key, starting at 1; 0 if the column is not part of it.
        let keyPlace: Int
        /// Whether it is a generated column.
        let isGenerated: Bool
    }

    /// An index, including those that SQLite creates for a primary key or a UNIQUE constraint.
    struct Index {
        let isUnique: Bool
        /// Whether it is a partial index.
        let isPartial: Bool
        /// The columns in order; the empty string for an expression.
        let columns: [String]
        /// The collation of each column.
        let collations: [String]
        /// The statement that created it; `nil` for the index of a key or constraint in the table's
        /// declaration.
        let text: String?
    }

    /// A foreign key.
    struct ForeignKey {
        /// The referenced table.
        let table: String
        /// The referencing columns, in order.
        let columns: [String]
        /// The `ON DELETE` action, in SQL.
        let rule: String
    }

    /// Returns the names of all tables and views.
    static func tables(_ connection: SQLiteConnection) throws -> Set<String> {
        Set(
            try rows(
                "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')", nil, connection
            ) { $0.text(at: 0) ?? "" })
    }

    /// Returns whether a name is that of a view.
    static func isView(_ name: String, _ connection: SQLiteConnection) throws -> Bool {
        try !rows(
            "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = ?1 COLLATE NOCASE", name,
            connection
        ) { _ in true }.isEmpty
    }

    /// Returns whether a name is that of a table, and of no virtual one.
    static func isPlainTable(_ name: String, _ connection: SQLiteConnection) throws -> Bool {
        try !rows(
            "SELECT 1 FROM pragma_table_list(?1) WHERE schema = 'main' AND type = 'table'", name,
            connection
        ) { _ in true }.isEmpty
    }

    /// Returns whether the rows of a table have numbers: it is no table `WITHOUT ROWID`.
    static func hasRowNumbers(_ table: String, _ connection: SQLiteConnection) -> Bool {
        // A statement that names the number cannot be prepared for other tables.
        let text = "SELECT rowid FROM \(SQLiteDialect().quoted(table)) LIMIT 0"
        return (try? SQLiteStatement(text, on: connection.handle, isKept: false)) != nil
    }

    /// Returns the names of the indexes of a table.
    static func indexes(of table: String, _ connection: SQLiteConnection) throws -> Set<String> {
        Set(
            try rows(
                "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?1", table,
                connection
            ) { $0.text(at: 0) ?? "" })
    }

    /// Returns the statements that created the indexes of a table, by index name.
    static func indexTexts(
        of table: String, _ connection: SQLiteConnection
    ) throws -> [String: String] {
        let found = try rows(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?1 AND sql IS NOT NULL",
            table, connection
        ) { ($0.text(at: 0) ?? "", $0.text(at: 1) ?? "") }
        return Dictionary(found, uniquingKeysWith: { $1 })
    }

    /// Returns the types of the indexes and triggers of a table (`index` or `trigger`), by name.
    static func objects(
        of table: String, _ connection: SQLiteConnection
    ) throws -> [String: String] {
        let found = try rows(
            "SELECT name, type FROM sqlite_schema WHERE type IN ('index', 'trigger') AND tbl_name = ?1",
            table, connection
        ) { ($0.text(at: 0) ?? "", $0.text(at: 1) ?? "") }
        return Dictionary(found, uniquingKeysWith: { $1 })
    }

    /// Returns the columns of a table, including generated columns.
    static func columns(of table: String, _ connection: SQLiteConnection) throws -> [Column] {
        try rows(
            "SELECT name, type, \"notnull\", dflt_value IS NOT NULL, pk, hidden FROM pragma_table_xinfo(?1)",
            table, connection
        ) {
            Column(
                name: $0.text(at: 0) ?? "", type: $0.text(at: 1) ?? "",
                isNotNull: $0.integer(at: 2) != 0, hasDefault: $0.integer(at: 3) != 0,
                keyPlace: Int($0.integer(at: 4)), isGenerated: $0.integer(at: 5) > 1)
        }
    }

    /// Returns the indexes of a table with their columns, in no particular order.
    static func contents(
        ofIndexesOf table: String, _ connection: SQLiteConnection
    ) throws -> [Index] {
        let parts = try rows(
            """
            SELECT l.seq, l."unique", l.partial, x.name, x.coll,
                (SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = l.name)
            FROM pragma_index_list(?1) AS l, pragma_index_xinfo(l.name) AS x
            WHERE x.key ORDER BY l.seq, x.seqno
            """, table, connection
        ) {
            (
                $0.integer(at: 0), $0.integer(at: 1) != 0, $0.integer(at: 2) != 0,
                $0.text(at: 3) ?? "", $0.text(at: 4) ?? "", $0.text(at: 5)
            )
        }
        return Dictionary(grouping: parts, by: \.0).values.map { parts in
            Index(
                isUnique: parts[0].1, isPartial: parts[0].2, columns: parts.map(\.3),
                collations: parts.map(\.4), text: parts[0].5)
        }
    }

    /// Returns the foreign keys of a table, in no particular order.
    static func foreignKeys(
        of table: String, _ connection: SQLiteConnection
    ) throws -> [ForeignKey] {
        let parts = try rows(
            "SELECT id, \"table\", \"from\", on_delete FROM pragma_foreign_key_list(?1) ORDER BY id, seq",
            table, connection
        ) {
            ($0.integer(at: 0), $0.text(at: 1) ?? "", $0.text(at: 2) ?? "", $0.text(at: 3) ?? "")
        }
        return Dictionary(grouping: parts, by: \.0).values.map { parts in
            ForeignKey(table: parts[0].1, columns: parts.map(\.2), rule: parts[0].3)
        }
    }

    /// Returns the text encoding of the database, such as `UTF-8`.
    static func encoding(_ connection: SQLiteConnection) throws -> String? {
        try rows("PRAGMA encoding", nil, connection) { $0.text(at: 0) ?? "" }.first
    }

    /// Returns the journal mode of the database, such as `wal`.
    static func journalMode(_ connection: SQLiteConnection) throws -> String? {
        try rows("PRAGMA journal_mode", nil, connection) { $0.text(at: 0) ?? "" }.first
    }

    /// Returns whether a query has at least one row.
    static func hasRow(_ text: String, _ connection: SQLiteConnection) throws -> Bool {
        let statement = try SQLiteStatement(text, on: connection.handle, isKept: false)
        return try statement.step()
    }

    /// Returns whether SQLite treats two names as the same: it ignores the case of ASCII letters.
    static func isSameName(_ left: String, _ right: String) -> Bool {
        String.isSameIdentifier(folded(left), folded(right))
    }

    /// Returns a name with its ASCII letters in lower case, as SQLite compares names.
    static func folded(_ name: String) -> String {
        String(
            decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }

    /// Runs an uncached query and returns its rows.
    ///
    /// - Parameter parameter: the value of `?1`, if the query has a parameter.
    private static func rows<R>(
        _ text: String, _ parameter: String?, _ connection: SQLiteConnection,
        _ row: (SQLiteStatement) -> R
    ) throws -> [R] {
        let statement = try SQLiteStatement(text, on: connection.handle, isKept: false)
        if let parameter { try statement.bind(parameter, at: 1) }
        var rows: [R] = []
        while try statement.step() { rows.append(row(statement)) }
        return rows
    }
}
