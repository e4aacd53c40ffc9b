internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// The keys with which a database was written, and the earlier names of encrypted fields.
///
/// They are noted in a table of their own, so that a missing or wrong key is an error when the store
/// is opened, and not many damaged records.
struct SQLiteEncryption {
    /// The name of the table. No table of a schema may have it.
    static let name = "repository_encryption"
    private static let create = """
        CREATE TABLE IF NOT EXISTS "repository_encryption" (
            "kind" TEXT NOT NULL,
            "name" TEXT NOT NULL,
            "value" BLOB NOT NULL,
            PRIMARY KEY ("kind", "name")
        ) STRICT, WITHOUT ROWID
        """
    private static let setNames =
        "INSERT OR REPLACE INTO \"repository_encryption\" VALUES ('names', '', ?1)"
    /// The place for which the earlier names are encrypted. No table has an empty name.
    private static let namesPlace = FieldPlace(table: "", field: "names", id: "")

    private let tables: [SQLTable]
    private let connection: SQLiteConnection

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
        guard let cipher = tables.first?.cipher?.cipher, try isThere() else { return }
        let statement = try SQLiteStatement(
            "SELECT \"name\", \"value\" FROM \"repository_encryption\" WHERE \"kind\" = 'key'",
            on: connection.handle, isKept: false)
        while try statement.step() {
            let key = statement.text(at: 0) ?? ""
            guard try cipher.check(ofKey: key) == statement.data(at: 1) else {
                throw CRUDRepositoryError.keyNotFound(key)
            }
        }
        try readNames()
    }

    /// Whether the table is there, or is not needed.
    func isComplete() throws -> Bool { try tables.isEmpty || isThere() }

    /// Creates the table, and notes the names that fields had.
    ///
    /// Must be called inside a transaction.
    func complete() throws {
        guard let cipher = tables.first?.cipher?.cipher else { return }
        try connection.execute(Self.create)
        try connection.noteKey(cipher)
        let names = try noteworthyNames()
        if names.isEmpty { return }
        try write(names, cipher)
    }

    /// Drops the table of a database without encrypted fields.
    static func drop(_ connection: SQLiteConnection) throws {
        try connection.execute("DROP TABLE IF EXISTS \"\(name)\"")
    }

    private func isThere() throws -> Bool {
        try SQLiteCatalog.tables(connection).contains(Self.name)
    }

    /// Returns the noted names: those of a field together, the present ones first.
    private static func names(_ connection: SQLiteConnection) throws -> [[RecordCipher.Names]] {
        guard let cipher = connection.encryption,
            try SQLiteCatalog.tables(connection).contains(name)
        else { return [] }
        let statement = try SQLiteStatement(
            "SELECT \"value\" FROM \"repository_encryption\" WHERE \"kind\" = 'names'",
            on: connection.handle, isKept: false)
        guard try statement.step() else { return [] }
        do {
            return try JSONDecoder().decode(
                [[RecordCipher.Names]].self,
                from: cipher.open(statement.data(at: 0), at: namesPlace))
        } catch let error as CRUDRepositoryError {
            throw error
        } catch {
            throw CRUDRepositoryError(
                .databaseError, "The note of the renamed encrypted fields was changed.",
                underlyingError: error)
        }
    }

    /// Passes the noted names to the ciphers of the tables.
    private func readNames() throws {
        let noted = try Self.names(connection)
        if noted.isEmpty { return }
        for table in tables { table.cipher?.add(noted) }
    }

    /// Passes the noted names of a stored table to its cipher.
    static func addNames(to table: SQLTable, _ connection: SQLiteConnection) throws {
        guard let cipher = table.cipher else { return }
        cipher.add(try names(connection))
    }

    /// Returns the names of the fields that had others before, with those noted already.
    private func noteworthyNames() throws -> [[RecordCipher.Names]] {
        let noted = try Self.names(connection)
        let ciphers = tables.compactMap(\.cipher)
        let own = ciphers.flatMap { $0.allNames(with: noted) }.filter { $0.count > 1 }
        // Fields of other schemas keep their names.
        return own + noted.filter { group in !ciphers.contains { $0.owns(group) } }
    }

    private func write(_ names: [[RecordCipher.Names]], _ cipher: any FieldCipher) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let statement = try SQLiteStatement(
            Self.setNames, on: connection.handle, isKept: false)
        try statement.bind(cipher.seal(encoder.encode(names), at: Self.namesPlace), at: 1)
        try statement.run()
    }

    /// Encrypts the noted names again with the key that is used now, and removes the keys that
    /// encrypt no value.
    ///
    /// Must be called inside a transaction.
    ///
    /// - Parameters:
    ///   - used: the keys that encrypt values.
    ///   - known: the tables in which they were looked for. If another one has encrypted fields, no
    ///     key is removed.
    ///   - connection: the connection.
    static func forgetKeys(
        except used: Set<String>, in known: [String], _ connection: SQLiteConnection
    ) throws {
        guard let cipher = connection.encryption else { return }
        let description = try SQLiteSchemaTable.description(connection, for: "")
        let others = description?.encryptedTables.filter { !known.contains($0) } ?? []
        guard others.isEmpty, try SQLiteCatalog.tables(connection).contains(name) else { return }
        let names = try names(connection)
        let notes = Self([], connection)
        if !names.isEmpty { try notes.write(names, cipher) }
        for key in try keys(connection) where key != cipher.keyID && !used.contains(key) {
            let statement = try SQLiteStatement(
                "DELETE FROM \"repository_encryption\" WHERE \"kind\" = 'key' AND \"name\" = ?1",
                on: connection.handle, isKept: false)
            try statement.bind(key, at: 1)
            try statement.run()
        }
    }

    private static func keys(_ connection: SQLiteConnection) throws -> [String] {
        let statement = try SQLiteStatement(
            "SELECT \"name\" FROM \"repository_encryption\" WHERE \"kind\" = 'key'",
            on: connection.handle, isKept: false)
        var keys: [String] = []
        while try statement.step() { keys.append(statement.text(at: 0) ?? "") }
        return keys
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

extension StoreDescription {
    /// The names of the tables with encrypted fields.
    var encryptedTables: [String] {
        tables.filter { $0.table.fields.contains(where: \.isEncrypted) }.map(\.table.name)
    }
}

extension SQLiteStatement {
    /// The database of the statement.
    var database: OpaquePointer { sqlite3_db_handle(handle) }
}
