internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// A table of the database that keeps records between two functions of a migration, as bytes.
final class SQLiteMigrationStage: MigrationStage {
    private let key: [Int]
    private let name: String
    /// Encrypts the records; nil for a store without encrypted fields.
    private let encryption: (any FieldCipher)?
    private let connection: SQLiteConnection
    private let insertion: SQLiteStatement

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - table: the description of the records.
    ///   - number: the number of tables that were created before.
    ///   - connection: the connection.
    init(_ table: StoredTable, number: Int, _ connection: SQLiteConnection) throws {
        key = table.keyPositions
        name = "repository_staged_\(number)"
        self.connection = connection
        encryption = connection.encryption
        try connection.execute(
            "CREATE TABLE \(name) (id BLOB PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID")
        insertion = try SQLiteStatement(
            "INSERT OR IGNORE INTO \(name) VALUES (?, ?)", on: connection.handle, isKept: false)
    }

    /// Drops the table.
    func drop() throws { try connection.execute("DROP TABLE \(name)") }

    func insert(_ values: [StoredValue]) throws -> Bool {
        try insertion.bind(Self.bytes(key.map { values[$0] }), at: 1)
        let bytes = Self.bytes(values)
        try insertion.bind(encryption?.seal(bytes, at: place) ?? bytes, at: 2)
        try insertion.run()
        return sqlite3_changes(connection.handle) == 1
    }

    func scan() throws -> () throws -> MigrationSourceRecord? {
        let statement = try SQLiteStatement(
            "SELECT record FROM \(name)", on: connection.handle, isKept: false)
        return { [self] in
            guard try statement.step() else { return nil }
            let values = try self.values(statement)
            return (key.map { values[$0] }, values)
        }
    }

    func values(at place: [StoredValue]) throws -> [StoredValue]? {
        let statement = try connection.statement("SELECT record FROM \(name) WHERE id = ?")
        defer { statement.reset() }
        try statement.bind(Self.bytes(place), at: 1)
        return try statement.step() ? self.values(statement) : nil
    }

    func find(
        _ fields: [Int], _ values: [StoredValue]
    ) throws -> (() throws -> MigrationSourceRecord?)? {
        guard fields == key else { return nil }
        var found = try self.values(at: values)
        return {
            defer { found = nil }
            return found.map { (values, $0) }
        }
    }

    /// The place for which records are encrypted.
    private var place: FieldPlace { FieldPlace(table: name, field: "record", id: "") }

    private static func bytes(_ values: [StoredValue]) -> Data {
        var bytes = StoredValueBytes()
        for value in values { bytes.append(value) }
        return Data(bytes.bytes)
    }

    /// Returns the values of the record at which a statement is positioned.
    private func values(_ statement: SQLiteStatement) throws -> [StoredValue] {
        let stored = statement.data(at: 0)
        let bytes = Array(try encryption?.open(stored, at: place) ?? stored)
        // The bytes were written in the same transaction.
        return StoredValueBytes.values(of: bytes, depth: .max) ?? []
    }
}
