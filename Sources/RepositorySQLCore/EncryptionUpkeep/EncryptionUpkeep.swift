internal import Foundation
package import RepositoryRuntime

/// The notes of the encrypted fields of a database, kept for the tables of a schema.
package struct EncryptionUpkeep<Session: EncryptionSession> {
    private let tables: [SQLTable]
    private let ciphers: [RecordCipher]
    private let session: Session

    /// Prepares the notes of the tables of a schema.
    package init(_ tables: [SQLTable], _ session: Session) {
        self.tables = tables
        ciphers = tables.compactMap(\.cipher)
        self.session = session
    }

    /// Checks that the store has all keys that the database was written with. The keys and earlier
    /// names are passed to the ciphers of the tables.
    ///
    /// - Throws: `keyNotFound`; `databaseError` if the names were changed.
    package func check() throws {
        guard let cipher = ciphers.first?.cipher, let notes = try EncryptionNotes(session) else {
            return
        }
        try notes.check(cipher)
        for other in ciphers { other.add(keys: Set(notes.keys.keys)) }
        add(try notes.names(cipher), try notes.columns(cipher))
    }

    /// Passes names and numbers to the ciphers of the tables.
    private func add(_ names: [[RecordCipher.Names]], _ columns: [NumberedColumn]) {
        for cipher in ciphers {
            cipher.add(names)
            cipher.add(columns)
        }
    }

    /// Passes the notes, as they are after an upgrade, to the ciphers of the tables. Must be called
    /// before the upgrade, which reads the notes of the stored tables.
    package func move(_ opening: SchemaOpening) throws {
        guard let cipher = ciphers.first?.cipher else { return }
        let notes = try EncryptionNotes(session) ?? EncryptionNotes()
        add(opening.moved(try notes.names(cipher)), opening.moved(try notes.columns(cipher)))
    }

    /// Whether the table is there, with the numbers of all columns with an index, or is not needed.
    package func isComplete() throws -> Bool {
        guard let cipher = ciphers.first?.cipher else { return true }
        guard let notes = try EncryptionNotes(session) else { return false }
        let numbered = ciphers.flatMap(\.numberedColumns)
        if numbered.isEmpty { return true }
        return try notes.indexKey != nil
            && Set(notes.columns(cipher)).isSuperset(of: numbered)
    }

    /// Creates the table, and notes the key.
    package func noteKey() throws {
        guard let cipher = ciphers.first?.cipher else { return }
        if try !session.hasNotes() { try session.createNotes() }
        let notes = try EncryptionNotes(session) ?? EncryptionNotes()
        if notes.keys[cipher.keyID] == nil {
            try session.noteKey(cipher)
        }
    }

    /// Notes the names that fields had, and the numbers of the columns with an index, whose values
    /// are hashed if they are not. Must be called inside the transaction of the upgrade.
    ///
    /// - Parameters:
    ///   - opening: the upgrade, which may have nothing to do.
    ///   - description: returns the description of all schemas.
    /// - Throws: `schemaMismatch` if records share the values of a unique index.
    package func complete(
        after opening: SchemaOpening, _ description: () throws -> StoreDescription?
    ) throws {
        guard let cipher = ciphers.first?.cipher else {
            // The last encrypted field of the schema may be gone.
            return try forgetIndexKey(description)
        }
        // Of several programs that find the notes incomplete, one completes them.
        try session.lockNotes()
        let notes = try EncryptionNotes(session) ?? EncryptionNotes()
        let written = (names: try notes.names(cipher), columns: try notes.columns(cipher))
        let names = opening.moved(written.names)
        if names != written.names {
            try session.writeNote("names", "", EncryptionNotes.sealed(names, cipher))
        }
        let noted = opening.moved(written.columns)
        add(names, noted)
        let others = noted.filter { column in !ciphers.contains { $0.hasTable(of: column) } }
        var taken = Set(others.map(\.number))
        for table in tables {
            guard let cipher = table.cipher else { continue }
            let hashes = IndexHashes(table, session)
            for field in cipher.formerlyIndexed(noted) { try hashes.remove(field) }
            for field in cipher.indexedFields {
                taken.insert(try hashes.complete(field, taken: taken))
            }
        }
        let columns = others + ciphers.flatMap(\.numberedColumns)
        if columns.isEmpty { return try forgetIndexKey(description) }
        if Set(columns) != Set(written.columns) {
            try session.writeNote("columns", "", EncryptionNotes.sealed(columns, cipher))
        }
        if notes.indexKey == nil, let id = cipher.indexKeyID {
            try session.writeNote("index key", id, cipher.checkOfIndexKey())
        }
    }

    /// Removes the notes of indexes if no table of any schema has an index over an encrypted field.
    private func forgetIndexKey(_ description: () throws -> StoreDescription?) throws {
        guard try EncryptionNotes(session)?.indexKey != nil,
            try description()?.hasIndexedEncryptedFields != true
        else { return }
        try session.change([SQLQuery(text: EncryptionNotes.forgetIndexKey, parameters: [])])
    }
}

/// The table of the notes.
extension EncryptionNotes {
    /// The quoted name of the table.
    package static var quoted: String { "\"\(table)\"" }
    /// The statement that removes the notes of indexes.
    package static var forgetIndexKey: String {
        "DELETE FROM \(quoted) WHERE \"kind\" IN ('index key', 'columns')"
    }
    /// The statement that drops the table of a database without encrypted fields.
    package static var drop: String { "DROP TABLE IF EXISTS \(quoted)" }

    /// Reads the notes; nil if there is no table.
    package init?<Session: EncryptionSession>(_ session: Session) throws {
        guard try session.hasNotes() else { return nil }
        self.init()
        let query = SQLQuery(
            text: "SELECT \"kind\", \"name\", \"value\" FROM \(Self.quoted)", parameters: [])
        for row in try session.rows(of: query, idOf: nil) {
            guard case .text(let kind) = row[0], case .text(let name) = row[1],
                case .data(let value) = row[2]
            else { continue }
            add(kind: kind, name: name, value)
        }
    }

    /// Encrypts the noted names again with the key that is used now, and removes the keys that
    /// encrypt no value. The transaction has locked the tables in which values were looked for.
    ///
    /// - Parameters:
    ///   - used: the keys that encrypt values.
    ///   - cipher: the encryption.
    ///   - session: the connection.
    static func forgetKeys<Session: EncryptionSession>(
        except used: Set<String>, _ cipher: any FieldCipher, _ session: Session
    ) throws {
        guard let notes = try EncryptionNotes(session) else { return }
        let names = try notes.names(cipher)
        if !names.isEmpty { try session.writeNote("names", "", sealed(names, cipher)) }
        let columns = try notes.columns(cipher)
        if !columns.isEmpty { try session.writeNote("columns", "", sealed(columns, cipher)) }
        let forget =
            "DELETE FROM \(quoted) WHERE \"kind\" = 'key' AND \"name\" = \(session.dialect.placeholder(1))"
        let unused = notes.keys.keys.filter { $0 != cipher.keyID && !used.contains($0) }
        try session.change(
            unused.map { SQLQuery(text: forget, parameters: [SQLParameter(.text($0), .text)]) })
    }
}
