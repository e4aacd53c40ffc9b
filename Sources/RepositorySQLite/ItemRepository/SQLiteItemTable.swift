internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import Synchronization

/// A table of ids and data, for ``SQLiteRepository``.
///
/// It uses the same connections and scheduling as ``SQLiteStore``, but no schema description.
///
/// The table is created or verified by the first operation.
final class SQLiteItemTable: Sendable {
    /// The kind of a write.
    enum Change {
        case insert, update, delete
    }

    private let name: String
    /// The connections of the database, which belong to this table only.
    private let database: SQLiteDatabase
    /// Whether the table was created or verified.
    private let isReady = Atomic(false)
    /// The SQL of a read.
    private let select: String
    /// The SQL of each kind of write.
    private let changes: [Change: String]

    /// Creates the access to a table. It does not open the database.
    init(_ name: String, _ location: SQLiteLocation) {
        self.name = name
        database = SQLiteDatabase(location)
        let quoted = SQLiteDialect().quoted(name)
        select = "SELECT data FROM \(quoted) WHERE id = ?1"
        changes = [
            .insert: "INSERT INTO \(quoted) (id, data) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            .update: "UPDATE \(quoted) SET data = ?2 WHERE id = ?1",
            .delete: "DELETE FROM \(quoted) WHERE id = ?1",
        ]
    }

    /// Closes the connections.
    func close() async { await database.close() }

    /// Returns the data with an id; `nil` if there is none.
    func read(_ id: String) async throws -> Data? {
        try await prepare()
        return try SQLiteErrors.mapped(name, id: id) {
            try database.read { connection in
                let statement = try connection.statement(select)
                defer { statement.reset() }
                try statement.bind(id, at: 1)
                guard try statement.step() else { return nil }
                return try Self.data(statement, id)
            }
        }
    }

    /// Returns the ids of all rows, in any order.
    ///
    /// - Throws: `invalidRecord` for an id that is not text.
    func ids() async throws -> [String] {
        try await prepare()
        let text = "SELECT id FROM \(SQLiteDialect().quoted(name))"
        return try SQLiteErrors.mapped(name, id: nil) {
            try database.read { connection in
                let statement = try connection.statement(text)
                defer { statement.reset() }
                var ids: [String] = []
                while try statement.step() {
                    guard let id = statement.validText(at: 0) else {
                        throw CRUDRepositoryError.invalidRecord(
                            id: "", table: name, reason: "its id is not text")
                    }
                    ids.append(id)
                }
                return ids
            }
        }
    }

    /// Changes one row, and returns when the change is synced to disk.
    ///
    /// - Returns: `false` if nothing was changed, because an inserted id exists, or an updated or
    ///   deleted one does not.
    func write(_ change: Change, _ id: String, _ data: Data?) async throws -> Bool {
        try await prepare()
        guard let text = changes[change] else { return false }
        return try await SQLiteErrors.mapped(table: self.name) {
            try await database.write(.statement) { connection in
                let statement = try connection.statement(text)
                defer { statement.reset() }
                try statement.bind(id, at: 1)
                if let data {
                    guard SQLiteBinding.data(data, statement.handle, 2) == SQLITE_OK else {
                        throw statement.failure()
                    }
                }
                while try statement.step() {}
                return connection.changes > 0
            }
        }
    }

    /// Returns the data of the current row. It may be TEXT if it was inserted by hand.
    private static func data(_ statement: SQLiteStatement, _ id: String) throws -> Data {
        let type = sqlite3_column_type(statement.handle, 0)
        guard type == SQLITE_BLOB || type == SQLITE_TEXT else {
            throw CRUDRepositoryError.invalidRecord(
                id: id, reason: "its data is neither a BLOB nor TEXT")
        }
        guard let bytes = sqlite3_column_blob(statement.handle, 0) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement.handle, 0)))
    }

    /// Creates or verifies the table on first use.
    private func prepare() async throws {
        if isReady.load(ordering: .acquiring) { return }
        guard !name.utf8.contains(0) else {
            throw CRUDRepositoryError(
                .unsupported, "SQLite does not support the character U+0000 in a table's name.")
        }
        let (name, location) = (self.name, database.location)
        try await SQLiteErrors.mapped {
            // Two tasks may run this concurrently; the second one finds the table.
            try await database.write(.bare) { connection in
                try SQLiteItemTableOpening(name, connection, location).run()
            }
        }
        isReady.store(true, ordering: .releasing)
    }
}

/// Creates a table of items, or verifies an existing one.
///
/// It runs on the writing connection, outside a transaction.
struct SQLiteItemTableOpening {
    private let name: String
    private let connection: SQLiteConnection
    private let location: SQLiteLocation

    init(_ name: String, _ connection: SQLiteConnection, _ location: SQLiteLocation) {
        self.name = name
        self.connection = connection
        self.location = location
    }

    /// Creates or verifies the table.
    ///
    /// - Throws: `schemaMismatch` if a table of the name exists with other columns, or with a name
    ///   that differs only in case.
    func run() throws {
        let found = try SQLiteCatalog.tables(connection)
        if found.contains(where: { String.isSameIdentifier($0, name) }) {
            try verify()
            try connection.enableWriteAheadLog(location)
            return
        }
        if let twin = found.first(where: { SQLiteCatalog.isSameName($0, name) }) {
            throw CRUDRepositoryError.schemaMismatch(
                store: "SQLite",
                differences: [
                    "the table '\(name)' is to SQLite the same as '\(twin)', which is there"
                ])
        }
        try connection.enableWriteAheadLog(location)
        // The statement is a transaction of its own; another process may create the table first.
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS \(SQLiteDialect().quoted(name)) (id TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL)"
        )
    }

    /// Checks the columns of the existing table.
    ///
    /// - Throws: `schemaMismatch`.
    private func verify() throws {
        let columns = try SQLiteCatalog.columns(of: name, connection)
        let isFit =
            columns.count == 2
            && columns.contains { $0.name == "id" && $0.type == "TEXT" && $0.keyPlace == 1 }
            && columns.contains { $0.name == "data" && $0.type == "BLOB" && $0.keyPlace == 0 }
        guard isFit else {
            throw CRUDRepositoryError.schemaMismatch(
                store: "SQLite",
                differences: [
                    "the table '\(name)' is not one of id TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL"
                ])
        }
    }
}
