internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore

/// The triggers that remove external data, whichever program changes or deletes its record.
extension SQLiteConnection: ChunkSession {
    @discardableResult
    func change(_ text: String, _ parameters: [SQLParameter]) throws -> Int {
        let statement = try SQLiteStatement(text, on: handle, isKept: false)
        try bind(parameters, to: statement)
        try statement.run()
        return Int(sqlite3_changes64(handle))
    }

    func tableNames() throws -> [String] { Array(try SQLiteCatalog.tables(self)) }

    func hasTriggers(of chunks: ChunkTable) throws -> Bool {
        let found = try chunkTriggers(on: chunks.table.name)
        let needed = chunks.triggers
        return found.count == needed.count
            && found.allSatisfy { found in needed.contains { $0 == found } }
    }

    func createTriggers(of chunks: ChunkTable) throws {
        try dropTriggers(ofChunksOf: chunks.table.name)
        for trigger in chunks.triggers { try execute(trigger.text) }
    }

    func dropTriggers(ofChunksOf table: String) throws {
        for trigger in try chunkTriggers(on: table) {
            try execute("DROP TRIGGER \(dialect.quoted(trigger.name))")
        }
    }

    /// Returns the triggers on a table, with the statements that created them. They keep their names
    /// when the table is renamed.
    private func chunkTriggers(on table: String) throws -> [(name: String, text: String)] {
        let name = SQLiteCatalog.folded(table)
        return try SQLiteCatalog.ownObjects(ChunkTable.prefix, self)
            .filter { $0.type == "trigger" && SQLiteCatalog.isSameName($0.table, name) }
            .map { ($0.name, $0.text) }
    }
}

extension ChunkTable {
    /// The triggers, with the statements that create them.
    fileprivate var triggers: [(name: String, text: String)] {
        let old = recordKey.map { "OLD.\($0)" }
        let gone = contents.map { "OLD.\($0)" }.joined(separator: ", ")
        let kept = contents.map { "coalesce(NEW.\($0), '')" }.joined(separator: ", ")
        let moved = zip(recordKey, old).map { "NEW.\($0) IS NOT \($1)" }
            .joined(separator: " OR ")
        let changed = zip(key, recordKey).map { "\($0) = NEW.\($1)" }.joined(separator: ", ")
        return [
            trigger("delete", "DELETE", "DELETE FROM \(quoted) WHERE \(isKey(old));"),
            trigger(
                "update", "UPDATE OF \(contents.joined(separator: ", "))",
                "DELETE FROM \(quoted) WHERE \(isKey(old)) AND \"content\" IN (\(gone))"
                    + " AND \"content\" NOT IN (\(kept));"),
            trigger(
                "move", "UPDATE OF \(recordKey.joined(separator: ", "))",
                "UPDATE \(quoted) SET \(changed) WHERE \(isKey(old)) AND (\(moved));"),
        ]
    }

    private func trigger(
        _ part: String, _ event: String, _ statement: String
    ) -> (name: String, text: String) {
        let dialect = SQLiteDialect()
        let name = "\(name) \(part)"
        return (
            name,
            "CREATE TRIGGER \(dialect.quoted(name)) AFTER \(event)"
                + " ON \(dialect.quoted(table.name)) BEGIN \(statement) END"
        )
    }
}
