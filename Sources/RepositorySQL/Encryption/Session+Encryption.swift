internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

/// The notes and hashes of encrypted fields.
extension Session: EncryptionSession {
    /// A transaction that writes excludes others, or is serializable.
    var lockingRecords: String { "" }

    func rows(of query: SQLQuery, idOf table: SQLTable?) throws -> [[StoredValue]] {
        try self.query(query).map { row in
            try row.enumerated().map { column, value in
                guard let table, column < table.key.count else { return value.stored }
                return try table.columns[table.key[column]].form.value(value)
            }
        }
    }

    func forEachValue(of text: String, _ body: (Data) throws -> Void) throws {
        for row in try query(text) {
            if case .data(let value) = row[0] { try body(value) }
        }
    }

    func change(_ queries: [SQLQuery]) throws {
        for query in queries { try execute(query.text, plain(query.parameters)) }
    }

    func isDuplicate(_ error: any Error) -> Bool {
        (error as? SQLDriverError)?.kind == .uniqueViolation
    }

    func hasNotes() throws -> Bool { try tables()[EncryptionNotes.table] != nil }

    func createNotes() throws {
        let text = dialect.typeName(.text)
        try execute(
            """
            CREATE TABLE \(EncryptionNotes.quoted) ("kind" \(text) NOT NULL, \
            "name" \(text) NOT NULL, "value" \(dialect.typeName(.data)) NOT NULL, \
            PRIMARY KEY ("kind", "name"))\(dialect.tableOptions(nil))
            """
        )
    }

    /// Does nothing: an opening locks the table of the description.
    func lockNotes() {}

    /// Has all writers wait: their transactions share the lock of the description.
    func lock(_ tables: [String]) throws { try SchemaTable.lock(self) }

    func isNoted(_ key: String, _ cipher: RecordCipher) throws -> Bool { try isNoted(key) }

    private func isNoted(_ key: String) throws -> Bool {
        let place = dialect.placeholder(1)
        return try !query(
            "SELECT 1 FROM \(EncryptionNotes.quoted) WHERE \"kind\" = 'key' AND \"name\" = \(place)",
            [.text(key)]
        ).isEmpty
    }

    /// Notes the key in two statements: not all databases have one for both.
    func noteKey(_ cipher: any FieldCipher) throws {
        if try isNoted(cipher.keyID) { return }
        try writeNote("key", cipher.keyID, cipher.check(ofKey: cipher.keyID))
    }

    func writeNote(_ kind: String, _ name: String, _ value: Data) throws {
        let places = (1...3).map { dialect.placeholder($0) }
        try execute(
            "DELETE FROM \(EncryptionNotes.quoted)"
                + " WHERE \"kind\" = \(places[0]) AND \"name\" = \(places[1])",
            [.text(kind), .text(name)])
        try execute(
            "INSERT INTO \(EncryptionNotes.quoted) VALUES (\(places.joined(separator: ", ")))",
            [.text(kind), .text(name), .data(value)])
    }
}

extension SQLValue {
    /// The value as the runtime represents it.
    var stored: StoredValue {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .text(let value): .text(value)
        case .data(let value): .data(value)
        }
    }
}

extension StoredRowLayout {
    /// Decodes a record, and decrypts its encrypted fields.
    ///
    /// - Throws: `RecordDecodingError`; `keyNotFound`.
    func values(
        of row: [SQLValue], _ table: SQLTable, _ session: Session
    ) throws -> [StoredValue] {
        var fields = RecordDecoder(record: row, table)
        guard let cipher = table.cipher else { return try values(from: &fields) }
        let id = try values(of: table.entity.key, from: &fields)
        var opened = OpeningDecoder(fields, cipher, id: id) { try session.isNoted($0, cipher) }
        return try values(from: &opened)
    }
}
