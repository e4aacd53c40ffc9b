internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

/// A ``MigrationSpace`` in temporary tables, which SQLite stores in a file if they are large. They
/// are dropped at the end of the migration, and a rollback removes them, too.
final class SQLiteMigrationSpace: MigrationSpace {
    private let connection: SQLiteConnection
    private var names: [String] = []

    /// Creates a space without tables.
    init(_ connection: SQLiteConnection) { self.connection = connection }

    func makeTable() throws -> any MigrationSpaceTable {
        let name = "temp.repository_migration_\(names.count)"
        try connection.execute(
            "CREATE TABLE \(name) (key BLOB, number INTEGER, value BLOB, PRIMARY KEY (key, number)) WITHOUT ROWID"
        )
        names.append(name)
        return try SQLiteSpaceTable(name, connection)
    }

    func makeList() throws -> any MigrationSpaceList {
        let name = "temp.repository_migration_\(names.count)"
        try connection.execute("CREATE TABLE \(name) (number INTEGER PRIMARY KEY, value BLOB)")
        names.append(name)
        return try SQLiteSpaceList(name, connection)
    }

    /// Drops the tables.
    func remove() throws {
        for name in names { try connection.execute("DROP TABLE \(name)") }
        names = []
    }
}

/// Values under keys in a temporary table.
private final class SQLiteSpaceTable: MigrationSpaceTable {
    private let name: String
    private let connection: SQLiteConnection
    private let insertion: SQLiteStatement
    private let selectLast: SQLiteStatement
    private var count: Int64 = 0

    init(_ name: String, _ connection: SQLiteConnection) throws {
        self.name = name
        self.connection = connection
        insertion = try SQLiteStatement(
            "INSERT INTO \(name) (key, number, value) VALUES (?, ?, ?)", on: connection.handle,
            isKept: false)
        selectLast = try SQLiteStatement(
            "SELECT value FROM \(name) WHERE key = ? ORDER BY number DESC LIMIT 1",
            on: connection.handle, isKept: false)
    }

    func add(_ value: [UInt8], under key: [UInt8]) throws {
        defer { insertion.reset() }
        count += 1
        try insertion.bind(key, at: 1)
        try insertion.bind(count, at: 2)
        try insertion.bind(value, at: 3)
        while try insertion.step() {}
    }

    func last(under key: [UInt8]) throws -> [UInt8]? {
        defer { selectLast.reset() }
        try selectLast.bind(key, at: 1)
        return try selectLast.step() ? selectLast.bytes(at: 0) : nil
    }

    func values(under key: [UInt8]) throws -> () throws -> [UInt8]? {
        let select = try SQLiteStatement(
            "SELECT value FROM \(name) WHERE key = ?", on: connection.handle, isKept: false)
        try select.bind(key, at: 1)
        return select.eachBytes()
    }

    func values() throws -> () throws -> [UInt8]? {
        try SQLiteStatement("SELECT value FROM \(name)", on: connection.handle, isKept: false)
            .eachBytes()
    }
}

/// Values in a temporary table, in their order.
private final class SQLiteSpaceList: MigrationSpaceList {
    private let name: String
    private let connection: SQLiteConnection
    private let insertion: SQLiteStatement

    init(_ name: String, _ connection: SQLiteConnection) throws {
        self.name = name
        self.connection = connection
        insertion = try SQLiteStatement(
            "INSERT INTO \(name) (value) VALUES (?)", on: connection.handle, isKept: false)
    }

    func append(_ value: [UInt8]) throws {
        defer { insertion.reset() }
        try insertion.bind(value, at: 1)
        while try insertion.step() {}
    }

    func values() throws -> () throws -> [UInt8]? {
        try SQLiteStatement(
            "SELECT value FROM \(name) ORDER BY number", on: connection.handle, isKept: false
        ).eachBytes()
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

    /// Returns a closure that returns the bytes of the first column of one row after another.
    fileprivate func eachBytes() -> () throws -> [UInt8]? {
        var isAtEnd = false
        return { [self] in
            guard !isAtEnd, try step() else {
                isAtEnd = true
                return nil
            }
            return bytes(at: 0)
        }
    }
}
