internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// What other programs made in a database whose tables a migration changes: columns, indexes and
/// triggers of the tables, and views.
///
/// Rebuilding a table drops what hangs on it. Therefore it is read before and created again. A
/// migration after which a view or a trigger no longer works, although it did before, is refused.
final class SQLiteUnmanagedParts {
    /// A view, a trigger or an index.
    private struct Part {
        let type: String
        let name: String
        let table: String
        let text: String
    }

    private let plan: SQLiteSchemaPlan
    private let tables: [String: SQLTable]
    private let connection: SQLiteConnection
    private let dialect = SQLiteDialect()
    /// The names of the indexes that are declared or were, in lower case.
    private let ownIndexes: Set<String>
    /// The views and triggers that could be used before.
    private var working: [Part] = []
    /// What has to be created again at the end.
    private var dropped: [Part] = []
    /// What hangs on tables that functions over several tables replace.
    private var replaced: [Part] = []

    /// Reads the views and triggers, and drops meanwhile those that cannot be used: SQLite renames
    /// nothing in a database that has such a view.
    ///
    /// - Parameters:
    ///   - plan: the plan of the migration.
    ///   - tables: the declared tables by name.
    ///   - connection: the connection, in the transaction of the migration.
    init(
        _ plan: SQLiteSchemaPlan, _ tables: [String: SQLTable], _ connection: SQLiteConnection
    ) throws {
        self.plan = plan
        self.tables = tables
        self.connection = connection
        let described = plan.opening.stored.tables + plan.stored.tables
        ownIndexes = Set(
            (described.flatMap { $0.indexes.map(\.name) }
                + tables.values.flatMap { $0.entity.indexes.map(\.name) })
                .map(SQLiteCatalog.folded))
        let parts = try self.parts("type IN ('view', 'trigger')")
        working = try asOwner { try parts.filter { try failure($0) == nil } }
        try dropUnusable(parts)
        for name in plan.opening.replacedTables {
            let columns = try addedColumns(of: name).map(\.name)
            if !columns.isEmpty {
                throw refusal(of: columns, name, "a function makes new records")
            }
            replaced += try hanging(on: name)
        }
    }

    /// Returns parts that other programs made.
    private func parts(_ condition: String) throws -> [Part] {
        let select = try SQLiteStatement(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE \(condition)"
                + " AND sql IS NOT NULL ORDER BY rowid",
            on: connection.handle, isKept: false)
        var parts: [Part] = []
        while try select.step() {
            let texts = (0..<4).map { select.text(at: $0) ?? "" }
            let name = SQLiteCatalog.folded(texts[1])
            if name.hasPrefix("repository_") || texts[0] == "index" && ownIndexes.contains(name) {
                continue
            }
            parts.append(Part(type: texts[0], name: texts[1], table: texts[2], text: texts[3]))
        }
        return parts
    }

    // MARK: - Views and triggers

    /// Why a view, or a statement that runs a trigger, cannot be compiled; nil if it can.
    private func failure(_ part: Part) throws -> String? {
        let table = dialect.quoted(part.table)
        var texts = ["SELECT * FROM \(dialect.quoted(part.name))"]
        if part.type == "trigger" {
            let columns = try SQLiteCatalog.columns(of: part.table, connection)
                .filter { !$0.isGenerated }.map { dialect.quoted($0.name) }
            texts = [
                "INSERT INTO \(table) DEFAULT VALUES", "DELETE FROM \(table)",
                "UPDATE \(table) SET \(columns.map { "\($0) = \($0)" }.joined(separator: ", "))",
            ]
            // A view takes only the statements for which it has triggers.
            if try SQLiteCatalog.isView(part.table, connection) {
                texts = texts.filter {
                    part.text.uppercased().contains(String($0.prefix { $0 != " " }))
                }
            }
        }
        for text in texts {
            do {
                _ = try SQLiteStatement(text, on: connection.handle, isKept: false)
            } catch let error as SQLiteError where error.primaryCode == SQLITE_ERROR {
                return error.message
            }
        }
        return nil
    }

    /// Calls `body` while SQLite reads unknown names in double quotes as text, as it does for other
    /// programs. The statements of the store never run so.
    private func asOwner<R>(_ body: () throws -> R) rethrows -> R {
        // The opening of the connection has found out that the setting can be changed.
        _ = csqlite_accept_quoted_text(connection.handle, 1)
        defer { _ = csqlite_accept_quoted_text(connection.handle, 0) }
        return try body()
    }

    /// Drops the parts because of which SQLite would rename no table.
    private func dropUnusable(_ parts: [Part]) throws {
        if parts.isEmpty { return }
        let (old, new) = ("\"repository_renamed\"", "\"repository_renamed_2\"")
        try connection.execute("CREATE TABLE \(old) (a)")
        var left = parts
        while true {
            do {
                try connection.execute("ALTER TABLE \(old) RENAME TO \(new)")
                break
            } catch let error as SQLiteError {
                let index = left.firstIndex { part in
                    let words = "error in \(part.type) \(part.name)"
                    return error.message.hasPrefix(words + ":")
                        || error.message.hasPrefix(words + " ")
                }
                guard let index else {
                    // Something else, such as a module that is not loaded. A step that renames a
                    // table reports it.
                    try connection.execute("DROP TABLE \(old)")
                    return
                }
                let part = left.remove(at: index)
                if part.type == "view" {
                    let hanging = left.filter { SQLiteCatalog.isSameName($0.table, part.name) }
                    left.removeAll { SQLiteCatalog.isSameName($0.table, part.name) }
                    dropped += [part] + hanging
                } else {
                    dropped.append(part)
                }
                try connection.execute("DROP \(part.type) \(dialect.quoted(part.name))")
            }
        }
        try connection.execute("DROP TABLE \(new)")
    }

    /// Creates again what was dropped, and checks that what could be used before still can.
    ///
    /// - Throws: `schemaMismatch` that names the parts that cannot.
    func finish() throws { try asOwner { try createAgain() } }

    private func createAgain() throws {
        // A view must be there before its triggers.
        for part in dropped.filter({ $0.type == "view" }) + dropped.filter({ $0.type != "view" }) {
            try create(part)
        }
        let now = Dictionary(
            try parts("type IN ('view', 'trigger')").map { ("\($0.type) \($0.name)", $0) },
            uniquingKeysWith: { $1 })
        var differences: [String] = []
        for part in working {
            guard let part = now["\(part.type) \(part.name)"] else {
                // It went with a table that a version removed.
                continue
            }
            if let failure = try failure(part) { differences.append(Self.words(part, failure)) }
        }
        if !differences.isEmpty {
            throw CRUDRepositoryError.schemaMismatch(store: "SQLite", differences: differences)
        }
    }

    private func create(_ part: Part) throws {
        do {
            try connection.execute(part.text)
        } catch let error as SQLiteError where !error.isRetryable {
            throw CRUDRepositoryError.schemaMismatch(
                store: "SQLite", differences: [Self.words(part, error.message)])
        }
    }

    private static func words(_ part: Part, _ failure: String) -> String {
        let table = part.type == "view" ? "" : " of '\(part.table)'"
        return
            "the \(part.type) '\(part.name)'\(table), which another program made, does not fit the tables after the migration: \(failure)"
    }

    // MARK: - Rebuilt tables

    /// Adds the columns that other programs added to a table to the new table that replaces it.
    ///
    /// - Parameters:
    ///   - table: the name of the table.
    ///   - new: the name of the new table, which is empty.
    /// - Returns: the names of the columns whose values have to be copied.
    /// - Throws: `schemaMismatch` if a column cannot be added.
    func addColumns(of table: String, to new: String) throws -> [String] {
        let added = try addedColumns(of: table)
        if added.isEmpty { return [] }
        let text = try connection.texts(
            "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = \(dialect.textLiteral(table))"
        ).first
        let definitions = SQLiteColumnDefinitions.read(text ?? "")
        for column in added {
            do {
                // A column without a definition of its own would lose its rules.
                let definition = definitions[SQLiteCatalog.folded(column.name)] ?? ""
                try asOwner {
                    try connection.execute(
                        "ALTER TABLE \(dialect.quoted(new)) ADD COLUMN \(definition)")
                }
            } catch let error as SQLiteError where error.primaryCode == SQLITE_ERROR {
                throw refusal(of: [column.name], table, error.message)
            }
        }
        return added.filter { !$0.isGenerated }.map(\.name)
    }

    /// Returns the columns of a table that no version declares.
    private func addedColumns(of table: String) throws -> [SQLiteCatalog.Column] {
        let opening = plan.opening
        let described =
            [opening.migrations[table]?.stored, opening.matched[table]?.table]
            + (plan.stored.tables + opening.stored.tables).filter { $0.name == table }
        let own = Set(
            ((tables[table]?.columns.map(\.name) ?? [])
                + described.compactMap { $0 }.flatMap(\.fields).flatMap(\.columns))
                .map(SQLiteCatalog.folded))
        return try SQLiteCatalog.columns(of: table, connection).filter {
            let name = SQLiteCatalog.folded($0.name)
            return !own.contains(name) && !name.hasPrefix(SQLColumn.foldedPrefix)
        }
    }

    /// Copies the values of columns of other programs, by the ids of the records.
    ///
    /// - Parameters:
    ///   - columns: the names of the columns.
    ///   - migration: the changes of the records.
    ///   - table: the table.
    ///   - new: the name of the table with the converted records.
    /// - Throws: `schemaMismatch` if ids change.
    func copy(
        _ columns: [String], by migration: TableMigration, _ table: SQLTable, to new: String
    ) throws {
        if columns.isEmpty { return }
        let keys = table.entity.key.map { table.entity.layout.fields[$0].name }
        let stored = migration.stored.key.flatMap { migration.stored.field($0)?.columns ?? [] }
        guard !migration.program.changesIDs,
            stored.count == table.keyNames.count,
            keys.allSatisfy({ !migration.program.rewrittenFields.contains($0) })
        else { throw refusal(of: columns, table.name, "the ids of the records change") }
        let isSame = zip(stored, table.keyNames)
            .map { "o.\(dialect.quoted($0)) IS n.\(dialect.quoted($1))" }
        let list = dialect.list(columns)
        try connection.execute(
            "UPDATE \(dialect.quoted(new)) AS n SET (\(list)) = (SELECT \(list) FROM \(dialect.quoted(table.name)) AS o WHERE \(isSame.joined(separator: " AND ")))"
        )
    }

    private func refusal(
        of columns: [String], _ table: String, _ reason: String
    ) -> CRUDRepositoryError {
        let names = columns.map { "'\($0)'" }.joined(separator: ", ")
        return .schemaMismatch(
            store: "SQLite",
            differences: [
                "the columns \(names) of '\(table)', which another program made, cannot be kept: \(reason)"
            ])
    }

    /// Returns the indexes and triggers of other programs on a table.
    private func hanging(on table: String) throws -> [Part] {
        try parts(
            "type IN ('index', 'trigger') AND tbl_name = \(dialect.textLiteral(table)) COLLATE NOCASE"
        )
    }

    /// Replaces a table by a new one, and creates the indexes of other programs again. Their triggers
    /// follow in ``finish()``, so that they see no record that the migration writes.
    func replace(_ table: String, by new: String) throws {
        let name = dialect.quoted(table)
        let hanging = try hanging(on: table)
        try connection.execute("DROP TABLE \(name)")
        // Views name the table meanwhile, and foreign keys of other tables continue to name it.
        try connection.renameAlone(dialect.quoted(new), to: name)
        try create(hanging)
    }

    /// Creates the indexes of other programs on tables that functions filled again.
    func completeReplaced() throws {
        try create(replaced.filter { plan.opening.producedTables.contains($0.table) })
    }

    private func create(_ hanging: [Part]) throws {
        try asOwner { for part in hanging where part.type == "index" { try create(part) } }
        // A rebuild may have been rolled back, and is not the first one then.
        dropped += hanging.filter { part in
            part.type == "trigger" && !dropped.contains { $0.name == part.name }
        }
    }
}
