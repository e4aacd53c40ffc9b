/// Reads what a database declares.
enum Catalog {
    /// Returns the tables and views of a database, ordered by the bytes of their names. SQLite's own
    /// tables are left out.
    ///
    /// - Parameters:
    ///   - file: the database.
    ///   - path: its path, for errors.
    /// - Throws: ``ImportProblem``.
    static func tables(
        of file: SourceFile, path: String
    ) throws(ImportProblem) -> [TableShape] {
        let found = try file.rows(
            """
            SELECT l.name, l.type, s.sql, l.wr FROM pragma_table_list AS l
            LEFT JOIN sqlite_schema AS s ON s.name = l.name AND s.type IN ('table', 'view')
            WHERE l.schema = 'main'
            """, path: path
        ) { row in
            (row.text(0) ?? "", row.text(1) ?? "", row.text(2) ?? "", row.integer(3) == 0)
        }
        var tables: [TableShape] = []
        for (name, type, text, hasRowNumbers) in found
        where !name.lowercased().hasPrefix("sqlite_") {
            let kind: TableShape.Kind =
                switch type {
                case "view": .view
                case "virtual": .virtual
                case "shadow": .shadow
                default: .table
                }
            var table = TableShape(name: name, kind: kind)
            switch kind {
            case .table:
                table.hasRowNumbers = hasRowNumbers
                try complete(&table, text, file, path)
            case .view:
                do throws(ImportProblem) {
                    table.columns = try columns(of: name, file, path).map(\.column)
                } catch { table.problem = error.reason }
            case .virtual, .shadow, .other: break
            }
            tables.append(table)
        }
        return tables.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Reads the columns, keys, indexes and triggers of a table.
    private static func complete(
        _ table: inout TableShape, _ text: String, _ file: SourceFile, _ path: String
    ) throws(ImportProblem) {
        var key: [(place: Int, column: Int)] = []
        let columns = try columns(of: table.name, file, path)
        for (index, (column, place)) in columns.enumerated() {
            table.columns.append(column)
            if place > 0 { key.append((place, index)) }
        }
        table.key = key.sorted { $0.place < $1.place }.map(\.column)
        table.indexes = try indexes(of: table, file, path)
        table.foreignKeys = try foreignKeys(of: table, file, path)
        table.triggers = try file.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE ORDER BY name",
            table.name, path: path
        ) { row in row.text(0) ?? "" }
        let words = CreateTableText(text)
        table.checks = words.checks
        table.isAutoincrement = words.isAutoincrement
        table.keyIsRowNumber =
            table.key.count == 1 && table.columns[table.key[0]].type.uppercased() == "INTEGER"
            && !table.indexes.contains(where: \.isOfKey)
    }

    /// Returns the columns of a table or a view, with their places in the primary key.
    private static func columns(
        of table: String, _ file: SourceFile, _ path: String
    ) throws(ImportProblem) -> [(column: TableShape.Column, place: Int)] {
        try file.rows(
            "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?1)",
            table, path: path
        ) { row in
            (
                TableShape.Column(
                    name: row.text(0) ?? "", type: row.text(1) ?? "",
                    isNotNull: row.integer(2) != 0, defaultValue: row.text(3),
                    isGenerated: row.integer(5) > 1, isHidden: row.integer(5) == 1),
                row.integer(4)
            )
        }
    }

    private static func indexes(
        of table: TableShape, _ file: SourceFile, _ path: String
    ) throws(ImportProblem) -> [TableShape.Index] {
        let found = try file.rows(
            "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?1) ORDER BY seq DESC",
            table.name, path: path
        ) { row in
            (row.text(0) ?? "", row.integer(1) != 0, row.text(2) ?? "", row.integer(3) != 0)
        }
        var indexes: [TableShape.Index] = []
        for (name, isUnique, origin, isPartial) in found {
            let parts = try file.rows(
                "SELECT cid, \"desc\", coll FROM pragma_index_xinfo(?1) WHERE key ORDER BY seqno",
                name, path: path
            ) { row in
                TableShape.Index.Part(
                    column: row.integer(0) >= 0 ? row.integer(0) : nil,
                    isDescending: row.integer(1) != 0, collation: row.text(2) ?? "")
            }
            indexes.append(
                TableShape.Index(
                    name: name, isUnique: isUnique, isPartial: isPartial, isOfKey: origin == "pk",
                    parts: parts))
        }
        return indexes
    }

    private static func foreignKeys(
        of table: TableShape, _ file: SourceFile, _ path: String
    ) throws(ImportProblem) -> [TableShape.ForeignKey] {
        let parts = try file.rows(
            "SELECT id, \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list(?1) ORDER BY id DESC, seq",
            table.name, path: path
        ) { row in
            (
                row.integer(0), row.text(1) ?? "", row.text(2) ?? "", row.text(3),
                row.text(4) ?? ""
            )
        }
        var keys: [(id: Int, key: TableShape.ForeignKey)] = []
        for (id, target, from, to, rule) in parts {
            let earlier = keys.last.flatMap { $0.id == id ? $0.key : nil }
            if earlier != nil { keys.removeLast() }
            keys.append(
                (
                    id,
                    TableShape.ForeignKey(
                        table: target, columns: (earlier?.columns ?? []) + [from],
                        targets: (earlier?.targets ?? []) + (to.map { [$0] } ?? []), rule: rule)
                ))
        }
        return keys.map(\.key)
    }
}
