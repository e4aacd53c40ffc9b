internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

extension EntityStatements {
    /// Returns the greatest id that an AUTOINCREMENT table has had; `nil` for another table.
    ///
    /// SQLite keeps it in `sqlite_sequence`, also for ids that an INSERT names.
    func lastRememberedID() throws -> Int64? {
        let declaration = try statement(
            "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE")
        defer { declaration.reset() }
        try declaration.bind(table.name, at: 1)
        guard try declaration.step(), let text = declaration.text(at: 0),
            text.range(of: "AUTOINCREMENT", options: .caseInsensitive) != nil
        else { return nil }
        let dialect = SQLiteDialect()
        let key = dialect.quoted(table.keyNames[0])
        let sequence = try statement(
            "SELECT max(0, ifnull((SELECT max(seq) FROM sqlite_sequence"
                + " WHERE name = ?1 COLLATE NOCASE), 0),"
                + " ifnull((SELECT max(\(key)) FROM \(dialect.quoted(table.name))), 0))")
        defer { sequence.reset() }
        try sequence.bind(table.name, at: 1)
        return try sequence.step() ? sequence.integer(at: 0) : nil
    }
}
