internal import Foundation
package import RepositoryRuntime

/// Encrypts the values of a table again with the first key.
package struct Reencryption: Sendable {
    /// What a part of the table needed.
    package struct Part: Sendable {
        /// The number of values that were encrypted again.
        var rewritten = 0
        /// The id of the last record; nil at the end of the table.
        var last: [StoredValue]?
    }

    private let table: SQLTable
    private let cipher: RecordCipher
    private var values: EncryptedValues { EncryptedValues(table: table) }

    /// Prepares a table; nil if it has no encrypted fields.
    package init?(_ table: SQLTable) {
        guard let cipher = table.cipher else { return nil }
        self.table = table
        self.cipher = cipher
    }

    /// Encrypts the values of tables again.
    ///
    /// - Parameters:
    ///   - tables: the tables.
    ///   - part: runs ``rewrite(after:_:_:)`` in a transaction.
    ///   - rest: runs ``forgetKeys(of:_:_:_:)`` in a transaction.
    /// - Throws: `keyNotFound`; `CancellationError`.
    package static func run(
        _ tables: [Self],
        part: (_ table: Self, _ start: [StoredValue]) async throws -> Part,
        rest: () async throws -> [String: Int]
    ) async throws -> RewrappedDocuments {
        var result = RewrappedDocuments()
        for table in tables {
            var position: [StoredValue]? = []
            while let start = position {
                try Task.checkCancellation()
                let part = try await part(table, start)
                result.rewritten += part.rewritten
                position = part.last
            }
        }
        result.remaining = try await rest()
        return result
    }

    /// Encrypts the values of some records after an id again, inside a transaction.
    ///
    /// - Parameters:
    ///   - start: the id; empty for the beginning of the table.
    ///   - batch: the number of records.
    ///   - session: the connection.
    package func rewrite<Session: EncryptionSession>(
        after start: [StoredValue], _ batch: Int, _ session: Session
    ) throws -> Part {
        let rows = try values.next(
            cipher.fields, after: start, batch, option: session.lockingRecords, session)
        var part = Part()
        var changes: [SQLQuery] = []
        for row in rows {
            let changed = try changedValues(row, session)
            if changed.isEmpty { continue }
            changes.append(values.update(changed, of: row.id, session.dialect))
            part.rewritten += changed.count
        }
        if !changes.isEmpty {
            try session.change(changes)
            // After the values, whose table nobody locks any more to look for unused keys.
            try session.noteKey(cipher.cipher)
        }
        part.last = rows.count < batch ? nil : rows.last?.id
        return part
    }

    /// Returns the values of a record that have another key, encrypted with the first one. Damaged
    /// values, and those of unknown keys, are left as they are.
    private func changedValues<Session: EncryptionSession>(
        _ row: EncryptedValues.Row, _ session: Session
    ) throws -> [(field: Int, value: Data)] {
        let id = row.id.identifierText
        var changed: [(field: Int, value: Data)] = []
        for (field, stored) in zip(cipher.fields, row.stored) {
            guard let stored, let key = cipher.key(of: stored), key != cipher.cipher.keyID else {
                continue
            }
            do {
                let plain = try cipher.open(stored, field, id: id) {
                    try session.isNoted($0, cipher)
                }
                let head = IndexHead.head(of: stored) ?? Data()
                changed.append((field, try cipher.seal(plain, field, id: id, head: head)))
            } catch is RecordDecodingError {
                continue
            }
        }
        return changed
    }

    /// Counts the values of each key, and removes the notes of keys that have none. Must be called
    /// inside a transaction; writers of the tables wait.
    ///
    /// - Parameters:
    ///   - tables: the tables of the open schemas.
    ///   - cipher: the encryption.
    ///   - session: the connection.
    ///   - description: returns the description of all schemas.
    /// - Returns: the number of values by the id of their key.
    package static func forgetKeys<Session: EncryptionSession>(
        of tables: [Self], _ cipher: any FieldCipher, _ session: Session,
        _ description: () throws -> StoreDescription?
    ) throws -> [String: Int] {
        let names = tables.map(\.table.name)
        // Writers of values with an earlier key note it again afterwards.
        if !names.isEmpty { try session.lock(names) }
        var used: [String: Int] = [:]
        for table in tables { try table.count(&used, session) }
        // Tables of schemas that are not open may have values of other keys.
        if try description()?.encryptedTables.allSatisfy(names.contains) ?? false {
            try EncryptionNotes.forgetKeys(except: Set(used.keys), cipher, session)
        }
        return used
    }

    /// Counts the values of each key.
    private func count<Session: EncryptionSession>(
        _ keys: inout [String: Int], _ session: Session
    ) throws {
        for field in cipher.fields {
            let column = values.column(field, session.dialect)
            let name = session.dialect.quoted(table.name)
            try session.forEachValue(
                of:
                    "SELECT substr(\(column), 1, \(IndexHead.size + 256)) FROM \(name) WHERE \(column) IS NOT NULL"
            ) { stored in
                if let key = cipher.key(of: stored) { keys[key, default: 0] += 1 }
            }
        }
    }
}
