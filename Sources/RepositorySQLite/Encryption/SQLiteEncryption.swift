internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// The notes of the encrypted fields of a database.
struct SQLiteEncryption {
    private static let create = """
        CREATE TABLE IF NOT EXISTS "repository_encryption" (
            "kind" TEXT NOT NULL,
            "name" TEXT NOT NULL,
            "value" BLOB NOT NULL,
            PRIMARY KEY ("kind", "name")
        ) STRICT, WITHOUT ROWID
        """

    private let tables: [SQLTable]
    private let connection: SQLiteConnection
    private var ciphers: [RecordCipher] { tables.compactMap(\.cipher) }

    /// Creates the notes of the managed tables of a schema.
    init(_ tables: [SQLTable], _ connection: SQLiteConnection) {
        self.tables = tables.filter { $0.entity.hasEncryptedFields }
        self.connection = connection
    }

    /// Checks that the store has all keys that the database was written with. Earlier names are
    /// passed to the ciphers of the tables.
    ///
    /// - Throws: `keyNotFound`; `databaseError` if the names were changed.
    func check() throws {
        guard let cipher = ciphers.first?.cipher, let notes = try Self.notes(connection) else {
            return
        }
        try notes.check(cipher)
        let names = try notes.names(cipher)
        for cipher in ciphers { cipher.add(names) }
    }

    /// Whether the table is there, or is not needed.
    func isComplete() throws -> Bool { try tables.isEmpty || Self.notes(connection) != nil }

    /// Creates the table, and notes the key and the names that fields had.
    ///
    /// Must be called inside a transaction.
    func complete() throws {
        guard let cipher = ciphers.first?.cipher else { return }
        try connection.execute(Self.create)
        try connection.noteKey(cipher)
        let names = EncryptionNotes.names(
            of: ciphers, try Self.notes(connection)?.names(cipher) ?? [])
        if !names.isEmpty { try Self.write(names, cipher, connection) }
    }

    /// Drops the table of a database without encrypted fields.
    static func drop(_ connection: SQLiteConnection) throws {
        try connection.execute("DROP TABLE IF EXISTS \"\(EncryptionNotes.table)\"")
    }

    /// Returns the notes; nil if there is no table.
    private static func notes(_ connection: SQLiteConnection) throws -> EncryptionNotes? {
        guard try SQLiteCatalog.tables(connection).contains(EncryptionNotes.table) else {
            return nil
        }
        let statement = try SQLiteStatement(
            "SELECT \"kind\", \"name\", \"value\" FROM \"repository_encryption\"",
            on: connection.handle, isKept: false)
        var notes = EncryptionNotes()
        while try statement.step() {
            switch statement.text(at: 0) {
            case "key": notes.keys[statement.text(at: 1) ?? ""] = statement.data(at: 2)
            case "names": notes.names = statement.data(at: 2)
            default: continue
            }
        }
        return notes
    }

    /// Passes the noted names of a stored table to its cipher.
    ///
    /// - Throws: `keyNotFound` if the table has encrypted fields, and the store has no encryption.
    static func addNames(to table: SQLTable, _ connection: SQLiteConnection) throws {
        try table.requireEncryption(of: "SQLite")
        guard let cipher = table.cipher, let notes = try notes(connection) else { return }
        try notes.check(cipher.cipher)
        cipher.add(try notes.names(cipher.cipher))
    }

    private static func write(
        _ names: [[RecordCipher.Names]], _ cipher: any FieldCipher, _ connection: SQLiteConnection
    ) throws {
        let statement = try SQLiteStatement(
            "INSERT OR REPLACE INTO \"repository_encryption\" VALUES ('names', '', ?1)",
            on: connection.handle, isKept: false)
        try statement.bind(EncryptionNotes.sealed(names, cipher), at: 1)
        try statement.run()
    }

    /// Encrypts the noted names again with the key that is used now, and removes the keys that
    /// encrypt no value.
    ///
    /// Must be called inside a transaction.
    ///
    /// - Parameters:
    ///   - used: the keys that encrypt values.
    ///   - connection: the connection.
    static func forgetKeys(except used: Set<String>, _ connection: SQLiteConnection) throws {
        guard let cipher = connection.encryption, let notes = try notes(connection) else { return }
        let names = try notes.names(cipher)
        if !names.isEmpty { try write(names, cipher, connection) }
        for key in notes.keys.keys where key != cipher.keyID && !used.contains(key) {
            let statement = try SQLiteStatement(
                "DELETE FROM \"repository_encryption\" WHERE \"kind\" = 'key' AND \"name\" = ?1",
                on: connection.handle, isKept: false)
            try statement.bind(key, at: 1)
            try statement.run()
        }
    }

    /// Returns whether a database was written with a key.
    static func isNoted(_ key: String, _ handle: OpaquePointer) throws -> Bool {
        let statement = try SQLiteStatement(
            "SELECT 1 FROM \"repository_encryption\" WHERE \"kind\" = 'key' AND \"name\" = ?1",
            on: handle, isKept: false)
        try statement.bind(key, at: 1)
        return try statement.step()
    }
}

extension SQLiteConnection {
    /// Notes the key with which values are encrypted from now on, inside a transaction.
    ///
    /// It is noted at each write: another program may have removed the note since, after it had
    /// encrypted all values with a later key.
    func noteKey(_ cipher: any FieldCipher) throws {
        let before = totalChanges
        let statement = try statement(
            "INSERT INTO \"repository_encryption\" VALUES ('key', ?1, ?2) ON CONFLICT DO NOTHING")
        defer { statement.reset() }
        try statement.bind(cipher.keyID, at: 1)
        try statement.bind(cipher.check(ofKey: cipher.keyID), at: 2)
        try statement.run()
        hiddenChanges += totalChanges - before
    }
}

extension StoredRowLayout {
    /// Decodes a record, and decrypts its encrypted fields.
    ///
    /// - Throws: ``RecordDecodingError``; `keyNotFound`.
    func values(
        from row: inout SQLiteRow, of table: SQLTable, _ connection: SQLiteConnection
    ) throws -> [StoredValue] {
        guard let cipher = table.cipher else { return try values(from: &row) }
        let id = try values(of: table.entity.key, from: &row)
        var fields = OpeningDecoder(row, cipher, id: id) { key in
            try SQLiteEncryption.isNoted(key, connection.handle)
        }
        return try values(from: &fields)
    }
}

extension SQLiteStatement {
    /// The database of the statement.
    var database: OpaquePointer { sqlite3_db_handle(handle) }
}
