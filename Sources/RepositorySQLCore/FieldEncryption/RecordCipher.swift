package import Foundation
package import RepositoryRuntime
internal import Synchronization

/// Encrypts and decrypts the encrypted fields of the records of a table.
///
/// A value is encrypted for the names of its table and field and for the id of its record. The names
/// can be earlier ones, which the store notes, so that renaming a table or a field rewrites no
/// record.
package final class RecordCipher: Sendable {
    /// The names of a table and a field.
    package struct Names: Sendable, Hashable, Codable {
        package var table: String
        package var field: String

        package init(table: String, field: String) {
            self.table = table
            self.field = field
        }
    }

    /// The encryption.
    package let cipher: any FieldCipher
    /// The layout of the table.
    let layout: FieldLayout
    /// The names of each encrypted field; nil for a field that is not encrypted.
    private let names: [Names?]
    /// The names that fields have and had, the present ones first.
    private let noted = Mutex<[Int: [Names]]>([:])

    /// The name of the table.
    let tableName: String
    /// The names of the columns, by field.
    let columns: [String]
    /// For each field that has an index, whether the index ignores the case of strings.
    let ignoringCase: [Int: Bool]
    /// The numbers of the columns of these fields.
    let columnNumbers: Mutex<[Int: Data]>
    /// The numbers of columns, of other tables too, that the store has noted.
    let notedColumns = Mutex<[NumberedColumn]>([])

    /// The keys with which the store was written when it was opened.
    private let notedKeys = Mutex<Set<String>>([])

    /// Creates the cipher of a table; nil if none of its fields is encrypted.
    package init?(_ table: EntityTable, _ cipher: any FieldCipher) {
        guard table.hasEncryptedFields else { return nil }
        self.cipher = cipher
        layout = table.layout
        names = table.fields.indices.map { index in
            guard table.fields[index].isEncrypted else { return nil }
            return Names(table: table.name, field: table.layout.fields[index].name)
        }
        tableName = table.name
        columns = table.fields.map(\.column)
        let indexed = table.fields.indices.filter(table.isEncryptedWithIndex)
        ignoringCase = Dictionary(uniqueKeysWithValues: indexed.map { ($0, table.ignoresCase($0)) })
        columnNumbers = Mutex(
            Dictionary(uniqueKeysWithValues: indexed.map { ($0, IndexHead.newNumber()) }))
    }

    /// The encrypted fields.
    package var fields: [Int] { names.indices.filter { names[$0] != nil } }

    /// Returns whether a field is encrypted.
    package func encrypts(_ field: Int) -> Bool { names[field] != nil }

    /// Adds the names that a store has noted: those of a field together, the present ones first.
    package func add(_ groups: [[Names]]) {
        for field in fields {
            let names = groups.first { $0.first == self.names[field] }
            noted.withLock { $0[field] = names }
        }
    }

    /// Adds the keys with which a store was written.
    package func add(keys: Set<String>) { notedKeys.withLock { $0.formUnion(keys) } }

    /// Returns whether the store was written with a key when it was opened.
    package func isNoted(_ key: String) -> Bool { notedKeys.withLock { $0.contains(key) } }

    /// Encrypts the value of a field of the record with an id.
    ///
    /// - Parameters:
    ///   - bytes: The value as bytes.
    ///   - field: The field.
    ///   - id: The text form of the id.
    ///   - head: What precedes the encrypted bytes: the hash of the value, if the field has an index.
    package func seal(
        _ bytes: Data, _ field: Int, id: String, head: Data = Data()
    ) throws -> Data {
        guard let name = names[field] else { return bytes }
        let place = FieldPlace(table: name.table, field: name.field, id: id)
        let sealed = try cipher.seal(bytes, at: place)
        return head.isEmpty ? sealed : head + sealed
    }

    /// Returns the id of the key of a stored value; nil if the encryption has not made it.
    package func key(of stored: Data) -> String? { cipher.key(of: IndexHead.sealed(stored)) }

    /// Decrypts the value of a field of the record with an id.
    ///
    /// - Parameters:
    ///   - bytes: The stored bytes.
    ///   - field: The field.
    ///   - id: The text form of the id.
    ///   - isNoted: Returns whether the store was written with a key. Bytes that name another key
    ///     are damaged.
    /// - Throws: ``RecordDecodingError`` with the field; `keyNotFound`.
    package func open(
        _ bytes: Data, _ field: Int, id: String, isNoted: (String) throws -> Bool
    ) throws -> Data {
        let sealed = IndexHead.sealed(bytes)
        do {
            for name in noted.withLock({ $0[field] }) ?? names[field].map({ [$0] }) ?? [] {
                let place = FieldPlace(table: name.table, field: name.field, id: id)
                if let plain = try opened(sealed, at: place) { return plain }
            }
        } catch let error as CRUDRepositoryError where error.code == .keyNotFound {
            if let key = cipher.key(of: sealed), try isNoted(key) { throw error }
        }
        throw RecordDecodingError(
            path: layout.fields[field].name,
            "its encrypted value was changed, moved from another place, or written without encryption"
        )
    }

    /// Decrypts bytes at one place; nil if they were not encrypted for it.
    private func opened(_ bytes: Data, at place: FieldPlace) throws -> Data? {
        do {
            return try cipher.open(bytes, at: place)
        } catch is RecordDecodingError {
            return nil
        }
    }

    /// Returns the error for a decrypted value that is not of the type of its field.
    func unreadable(_ field: Int, _ error: any Error) -> RecordDecodingError {
        .inside(layout.fields[field], error)
    }
}
