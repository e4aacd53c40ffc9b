internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

extension SQLiteConnection: EncryptionSession {
    var storeName: String { "SQLite" }
    /// One program writes at a time.
    var lockingRecords: String { "" }

    func rows(of query: SQLQuery, idOf table: SQLTable?) throws -> [[StoredValue]] {
        let statement = try SQLiteStatement(query.text, on: handle, isKept: false)
        try bind(query.parameters, to: statement)
        let count = Int(sqlite3_column_count(statement.handle))
        var rows: [[StoredValue]] = []
        while try statement.step() {
            rows.append(
                try (0..<count).map { column in
                    guard let table, column < table.key.count else {
                        return SQLiteHeldValue.value(statement.handle, column) ?? .null
                    }
                    let form = table.columns[table.key[column]].form
                    return try SQLiteValues.value(of: statement, at: column, form, table)
                })
        }
        return rows
    }

    func forEachValue(of text: String, _ body: (Data) throws -> Void) throws {
        let statement = try SQLiteStatement(text, on: handle, isKept: false)
        while try statement.step() {
            if case .data(let value) = SQLiteHeldValue.value(statement.handle, 0) {
                try body(value)
            }
        }
    }

    func change(_ queries: [SQLQuery]) throws {
        let before = totalChanges
        var last: (text: String, statement: SQLiteStatement)?
        for query in queries {
            let statement =
                if let last, last.text == query.text {
                    last.statement
                } else {
                    try SQLiteStatement(query.text, on: handle, isKept: false)
                }
            last = (query.text, statement)
            try bind(query.parameters, to: statement)
            try statement.run()
        }
        hiddenChanges += totalChanges - before
    }

    /// Binds the parameters of a statement.
    func bind(_ parameters: [SQLParameter], to statement: SQLiteStatement) throws {
        for (number, parameter) in parameters.enumerated() {
            try SQLiteValues.bind(
                parameter.value, parameter.form, to: statement, at: number + 1)
        }
    }

    func isDuplicate(_ error: any Error) -> Bool {
        (error as? SQLiteError)?.primaryCode == SQLITE_CONSTRAINT
    }

    func hasNotes() throws -> Bool {
        try SQLiteCatalog.tables(self).contains(EncryptionNotes.table)
    }

    func createNotes() throws {
        try execute(
            """
            CREATE TABLE IF NOT EXISTS \(EncryptionNotes.quoted) (
                "kind" TEXT NOT NULL,
                "name" TEXT NOT NULL,
                "value" BLOB NOT NULL,
                PRIMARY KEY ("kind", "name")
            ) STRICT, WITHOUT ROWID
            """)
    }

    /// Does nothing: one program writes at a time.
    func lockNotes() {}

    /// Does nothing: one program writes at a time.
    func lock(_ tables: [String]) {}

    func isNoted(_ key: String, _ cipher: RecordCipher) throws -> Bool {
        try EncryptionNotes.isNoted(key, handle)
    }

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

extension EncryptionNotes {
    /// Returns whether a database was written with a key.
    static func isNoted(_ key: String, _ handle: OpaquePointer) throws -> Bool {
        let statement = try SQLiteStatement(
            "SELECT 1 FROM \"repository_encryption\" WHERE \"kind\" = 'key' AND \"name\" = ?1",
            on: handle, isKept: false)
        try statement.bind(key, at: 1)
        return try statement.step()
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
            try EncryptionNotes.isNoted(key, connection.handle)
        }
        return try values(from: &fields)
    }
}

extension SQLiteStatement {
    /// The database of the statement.
    var database: OpaquePointer { sqlite3_db_handle(handle) }
}
