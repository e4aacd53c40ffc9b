public import Foundation

/// An encryption of single fields, for the fields that a schema declares with `encrypted: true`.
///
/// A SQL store stores the encrypted bytes in the column of the field. `RepositoryEncryption` has an
/// implementation with AES-GCM.
public protocol FieldCipher: Sendable {
    /// The id of the key that ``seal(_:at:)`` uses.
    var keyID: String { get }

    /// Encrypts the value of a field.
    ///
    /// - Parameters:
    ///   - bytes: The value as bytes.
    ///   - place: The place of the value, which is authenticated.
    /// - Returns: The encrypted bytes. They do not begin with the bytes of `SRI`, with which the
    ///   stores mark a value that is preceded by its hash.
    /// - Throws: ``CRUDRepositoryError`` if the cryptographic library fails.
    func seal(_ bytes: Data, at place: FieldPlace) throws -> Data

    /// Decrypts the value of a field.
    ///
    /// - Parameters:
    ///   - bytes: The stored bytes.
    ///   - place: The place of the value.
    /// - Throws: ``RecordDecodingError`` for bytes that ``seal(_:at:)`` did not return for this
    ///   place; ``CRUDRepositoryError`` with code `keyNotFound` if the key of the bytes is missing.
    func open(_ bytes: Data, at place: FieldPlace) throws -> Data

    /// Returns a value that shows whether a key is the one that a store was written with.
    ///
    /// The value is stored in plain form. It must not help to find the key.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `keyNotFound`.
    func check(ofKey id: String) throws -> Data

    /// Returns the id of the key of stored bytes; nil if ``seal(_:at:)`` did not return them.
    ///
    /// A store may pass only the first 256 bytes of a longer value.
    func key(of bytes: Data) -> String?

    /// The id of the key of ``indexHash(of:)``; nil if the encryption has no such key, so that
    /// encrypted fields have no indexes. The default is nil.
    var indexKeyID: String? { get }

    /// Returns the keyed hash of a value, which an index over an encrypted field contains: 32 bytes
    /// that nobody can compute from the value without the key. Equal values have equal hashes.
    ///
    /// The default implementation throws `keyNotFound`.
    ///
    /// - Parameter bytes: The value, preceded by what distinguishes its column from all others.
    /// - Throws: ``CRUDRepositoryError``.
    func indexHash(of bytes: Data) throws -> Data

    /// Returns a value that shows whether the key of ``indexHash(of:)`` is the one that a store was
    /// written with, as ``check(ofKey:)`` does. The default implementation throws `keyNotFound`.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `keyNotFound`.
    func checkOfIndexKey() throws -> Data
}

extension FieldCipher {
    /// There is no key of indexes.
    public var indexKeyID: String? { nil }

    /// Throws `keyNotFound`.
    public func indexHash(of bytes: Data) throws -> Data {
        throw CRUDRepositoryError.indexKeyMissing
    }

    /// Throws `keyNotFound`.
    public func checkOfIndexKey() throws -> Data {
        throw CRUDRepositoryError.indexKeyMissing
    }
}

/// The place of the value of a field in a store.
public struct FieldPlace: Sendable, Hashable {
    /// The name of the table.
    public var table: String
    /// The name of the field.
    public var field: String
    /// The text form of the record's id.
    public var id: String

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - field: The name of the field.
    ///   - id: The text form of the record's id.
    public init(table: String, field: String, id: String) {
        self.table = table
        self.field = field
        self.id = id
    }
}

extension CRUDRepositoryError {
    /// Returns the error for an encryption without a key of indexes.
    package static var indexKeyMissing: Self {
        Self(.keyNotFound, "The encryption of the store has no key of indexes.")
    }

    /// Returns the error for a schema with encrypted fields in a store without keys.
    package static func keysMissing(for table: EntityTable, in store: String) -> Self {
        let field = table.fields.firstIndex(where: \.isEncrypted)
        return Self(
            .keyNotFound,
            "The schema has encrypted fields, and the store was created without an encryption: \(store).",
            table: table.name, field: field.map { table.layout.fields[$0].name })
    }
}
