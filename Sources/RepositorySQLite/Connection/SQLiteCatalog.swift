internal import RepositoryRuntime

/// What a database says of its own tables.
enum SQLiteCatalog {
    /// A column as declared.
    struct Column {
        let name: String
        let type: String
        let isNotNull: Bool
        let hasDefault: Bool
        /// The place in the primary key counted from 1; 0 outside of it.
        let keyPlace: Int
        /// Whether it is computed of others.
        let isGenerated: Bool
    }

    /// An index, or a key that has one.
    struct Index {
        let isUnique: Bool
        /// Whether it leaves records out.
        let isPartial: Bool
        /// Its columns in order; an expression is an empty name.
        let columns: [String]
        /// How each compares text.
        let collations: [String]
        /// Its statement; nil for a key that the table declares.
        let text: String?
    }

    /// A foreign key.
    struct ForeignKey {
        let table: String
        let columns: [String]
        let rule: String
    }

    /// The names of all tables and views.
    static func tables(_ connection: SQLiteConnection) throws -> Set<String> {
        Set(
            try rows(
                "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')", nil, connection
            ) { $0.text(at: 0) ?? "" })
    }

    /// The names of the indexes of a table.
    static func indexes(of table: String, _ connection: SQLiteConnection) throws -> Set<String> {
        Set(
            try rows(
                "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?1", table,
                connection
            ) { $0.text(at: 0) ?? "" })
    }

    /// The columns of a table.
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

    /// The indexes of a table with what is in them.
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

    /// The foreign keys of a table.
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

    /// How the database keeps text.
    static func encoding(_ connection: SQLiteConnection) throws -> String? {
        try rows("PRAGMA encoding", nil, connection) { $0.text(at: 0) ?? "" }.first
    }

    /// How the database keeps its journal.
    static func journalMode(_ connection: SQLiteConnection) throws -> String? {
        try rows("PRAGMA journal_mode", nil, connection) { $0.text(at: 0) ?? "" }.first
    }

    /// Whether a statement has a row.
    static func hasRow(_ text: String, _ connection: SQLiteConnection) throws -> Bool {
        let statement = try SQLiteStatement(text, on: connection.handle, isKept: false)
        return try statement.step()
    }

    /// Whether SQLite takes two names for one: it ignores the case of ASCII letters.
    static func isSameName(_ left: String, _ right: String) -> Bool {
        String.isSameIdentifier(folded(left), folded(right))
    }

    /// A name as SQLite compares it.
    static func folded(_ name: String) -> String {
        String(
            decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }

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
