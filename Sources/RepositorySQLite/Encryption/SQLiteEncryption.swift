internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
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
        let columns = try notes.columns(cipher)
        for cipher in ciphers {
            cipher.add(names)
            cipher.add(columns)
        }
    }

    /// Whether the table is there, with all that is noted of the schema, or is not needed.
    func isComplete() throws -> Bool {
        if tables.isEmpty { return true }
        guard let notes = try Self.notes(connection) else { return false }
        guard let cipher = ciphers.first?.cipher else { return true }
        let numbered = ciphers.flatMap(\.numberedColumns)
        if numbered.isEmpty { return true }
        return try notes.indexKey != nil
            && Set(notes.columns(cipher)).isSuperset(of: numbered)
    }

    /// Creates the table, and notes the keys, the names that fields had, and the numbers of the
    /// columns with an index, whose values are hashed if they are not.
    ///
    /// Must be called inside a transaction.
    ///
    /// - Parameter description: returns the description of all schemas.
    /// - Throws: `schemaMismatch` if records share the values of a unique index.
    func complete(_ description: () throws -> StoreDescription?) throws {
        guard let cipher = ciphers.first?.cipher else {
            // The last encrypted field of the schema may be gone.
            return try forgetIndexKey(description)
        }
        try connection.execute(Self.create)
        try connection.noteKey(cipher)
        let notes = try Self.notes(connection) ?? EncryptionNotes()
        let names = EncryptionNotes.names(of: ciphers, try notes.names(cipher))
        if !names.isEmpty { try Self.write(names, cipher, connection) }
        let noted = try notes.columns(cipher)
        let others = noted.filter { column in !ciphers.contains { $0.hasTable(of: column) } }
        var taken = Set(others.map(\.number))
        for table in tables {
            guard let cipher = table.cipher else { continue }
            let hashes = SQLiteIndexHashes(table, connection)
            for field in cipher.formerlyIndexed(noted) { try hashes.remove(field) }
            for field in cipher.indexedFields {
                taken.insert(try hashes.complete(field, taken: taken))
            }
        }
        let columns = others + ciphers.flatMap(\.numberedColumns)
        if columns.isEmpty { return try forgetIndexKey(description) }
        if Set(columns) != Set(noted) {
            try Self.write("columns", "", EncryptionNotes.sealed(columns, cipher), connection)
        }
        if notes.indexKey == nil, let id = cipher.indexKeyID {
            try Self.write("index key", id, cipher.checkOfIndexKey(), connection)
        }
    }

    /// Removes the notes of indexes if no table of any schema has an index over an encrypted field.
    private func forgetIndexKey(_ description: () throws -> StoreDescription?) throws {
        guard try Self.notes(connection)?.indexKey != nil,
            try description()?.hasIndexedEncryptedFields != true
        else { return }
        try Self.forgetIndexKey(connection)
    }

    /// Removes the notes of indexes.
    static func forgetIndexKey(_ connection: SQLiteConnection) throws {
        try connection.execute(
            "DELETE FROM \"repository_encryption\" WHERE \"kind\" IN ('index key', 'columns')")
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
            notes.add(
                kind: statement.text(at: 0) ?? "", name: statement.text(at: 1) ?? "",
                statement.data(at: 2))
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
        try write("names", "", EncryptionNotes.sealed(names, cipher), connection)
    }

    private static func write(
        _ kind: String, _ name: String, _ value: Data, _ connection: SQLiteConnection
    ) throws {
        let statement = try SQLiteStatement(
            "INSERT OR REPLACE INTO \"repository_encryption\" VALUES (?1, ?2, ?3)",
            on: connection.handle, isKept: false)
        try statement.bind(kind, at: 1)
        try statement.bind(name, at: 2)
        try statement.bind(value, at: 3)
        try statement.run()
    }

    /// Returns the noted numbers of columns.
    static func columns(
        _ cipher: RecordCipher, _ connection: SQLiteConnection
    ) throws -> [NumberedColumn] {
        try notes(connection)?.columns(cipher.cipher) ?? []
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
        let columns = try notes.columns(cipher)
        if !columns.isEmpty {
            try write("columns", "", EncryptionNotes.sealed(columns, cipher), connection)
        }
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
