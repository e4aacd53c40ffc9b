internal import CSQLite
internal import Foundation
internal import RepositoryRuntime

/// The new ids of a migration in temporary tables, which SQLite stores in a file if they are large.
/// They are dropped at the end of the migration, and a rollback removes them, too.
final class SQLiteMigrationSpace: MigrationSpace {
    private let connection: SQLiteConnection
    private let insertID: SQLiteStatement
    private let selectNew: SQLiteStatement
    private let selectOwner: SQLiteStatement
    private let insertRecord: SQLiteStatement

    /// Creates the tables.
    init(_ connection: SQLiteConnection) throws {
        self.connection = connection
        for text in Self.tables { try connection.execute(text) }
        func statement(_ text: String) throws -> SQLiteStatement {
            try SQLiteStatement(text, on: connection.handle, isKept: false)
        }
        insertID = try statement(
            "INSERT INTO temp.repository_migration_ids (map, old, new) VALUES (?, ?, ?)")
        selectNew = try statement(
            "SELECT new FROM temp.repository_migration_ids WHERE map = ? AND old = ?")
        selectOwner = try statement(
            "SELECT old FROM temp.repository_migration_ids WHERE map = ?1 AND (new = ?3 OR old = ?2)"
        )
        insertRecord = try statement(
            "INSERT INTO temp.repository_migration_records (list, record) VALUES (?, ?)")
    }

    private static let tables = [
        "CREATE TEMP TABLE repository_migration_ids (map INTEGER NOT NULL, old BLOB NOT NULL, new BLOB NOT NULL, PRIMARY KEY (map, old), UNIQUE (map, new)) WITHOUT ROWID",
        "CREATE TEMP TABLE repository_migration_records (number INTEGER PRIMARY KEY, list INTEGER NOT NULL, record BLOB NOT NULL)",
        "CREATE INDEX temp.repository_migration_lists ON repository_migration_records (list)",
    ]

    /// Drops the tables.
    func remove() throws {
        try connection.execute("DROP TABLE temp.repository_migration_ids")
        try connection.execute("DROP TABLE temp.repository_migration_records")
    }

    func add(_ old: [UInt8], _ new: [UInt8], to map: Int) throws -> [UInt8]? {
        defer { insertID.reset() }
        try bind(map, [old, new], to: insertID)
        do {
            while try insertID.step() {}
            return nil
        } catch let error as SQLiteError where error.primaryCode == SQLITE_CONSTRAINT {
            defer { selectOwner.reset() }
            try bind(map, [old, new], to: selectOwner)
            guard try selectOwner.step() else { throw error }
            return selectOwner.bytes(at: 0)
        }
    }

    func newID(of old: [UInt8], in map: Int) throws -> [UInt8]? {
        defer { selectNew.reset() }
        try bind(map, [old], to: selectNew)
        return try selectNew.step() ? selectNew.bytes(at: 0) : nil
    }

    func append(_ record: [UInt8], to list: Int) throws {
        defer { insertRecord.reset() }
        try bind(list, [record], to: insertRecord)
        while try insertRecord.step() {}
    }

    func forEach(in list: Int, _ body: ([UInt8]) throws -> Void) throws {
        let select = try SQLiteStatement(
            "SELECT record FROM temp.repository_migration_records WHERE list = ? ORDER BY number",
            on: connection.handle, isKept: false)
        try bind(list, [], to: select)
        while try select.step() { try body(select.bytes(at: 0)) }
    }

    func removeAll(in list: Int) throws {
        try connection.execute(
            "DELETE FROM temp.repository_migration_records WHERE list = \(list)")
    }

    private func bind(_ number: Int, _ values: [[UInt8]], to statement: SQLiteStatement) throws {
        try statement.bind(Int64(number), at: 1)
        for (index, value) in values.enumerated() { try statement.bind(value, at: index + 2) }
    }
}

extension SQLiteStatement {
    /// Binds bytes to a parameter. Parameters are numbered from 1.
    fileprivate func bind(_ value: [UInt8], at number: Int) throws {
        let code = SQLiteBinding.data(Data(value), handle, Int32(truncatingIfNeeded: number))
        guard code == SQLITE_OK else { throw failure() }
    }

    /// Returns the bytes of a column. Columns are numbered from 0.
    fileprivate func bytes(at column: Int) -> [UInt8] {
        let column = Int32(truncatingIfNeeded: column)
        guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, column))
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}
