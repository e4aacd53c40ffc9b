#if Encryption
    public import Foundation
    public import RepositoryRuntime

    /// Encrypts the fields that a schema declares with `encrypted: true`, with AES-GCM.
    ///
    /// ```swift
    /// let keys = try KeyRing(EncryptionKey(id: "2026-11", bytes: bytes))
    /// let library = Library(SQLiteStore(path: path, encryption: FieldEncryption(keys)))
    /// ```
    ///
    /// The names of the table and of the field and the id of the record are authenticated: a value
    /// that was changed, moved to another place or written without encryption makes its record an
    /// `invalidRecord`. It is not detected that a value was replaced by its own earlier bytes. The
    /// sizes of values stay visible, and whether they are null.
    ///
    /// If an encrypted field has an index, its values are preceded by their HMAC-SHA-256 under the key
    /// of indexes. Whoever reads the file sees then which records have equal values in the field.
    ///
    /// ```swift
    /// let encryption = FieldEncryption(keys, indexKey: try EncryptionKey(id: "i1", bytes: other))
    /// ```
    ///
    /// A store that was written with a key that the ring lacks, or with another key of indexes, throws
    /// `keyNotFound` when it is opened.
    public struct FieldEncryption: FieldCipher {
        /// The keys.
        public let keys: KeyRing
        /// The key of indexes; nil if no encrypted field has an index.
        private let indexKey: IndexHashKey?

        /// The id of the first key.
        public var keyID: String { keys.first.id }

        /// Creates an encryption.
        ///
        /// - Parameters:
        ///   - keys: The keys. A key should write no more than 2³² values, because nonces are
        ///     random.
        ///   - indexKey: The key of the hashes of fields that have an index, apart from `keys`. It
        ///     does not change while the data exists: to use another one, copy the records into a new
        ///     store.
        public init(_ keys: KeyRing, indexKey: EncryptionKey? = nil) {
            self.keys = keys
            self.indexKey = indexKey.map(IndexHashKey.init)
        }

        /// Encrypts a value with the first key.
        ///
        /// - Throws: `CRUDRepositoryError` with code `databaseError` if the cryptographic library
        ///   fails.
        public func seal(_ bytes: Data, at place: FieldPlace) throws -> Data {
            do {
                return try EncryptedDocument.sealed(
                    bytes, with: keys.first, at: [place.table, place.field, place.id])
            } catch {
                throw CRUDRepositoryError(
                    .databaseError, "A value cannot be encrypted.", underlyingError: error)
            }
        }

        /// Decrypts a value with the key that it names.
        ///
        /// - Throws: `RecordDecodingError` for bytes that were not encrypted for the place;
        ///   `CRUDRepositoryError` with code `keyNotFound` if the ring lacks the key.
        public func open(_ bytes: Data, at place: FieldPlace) throws -> Data {
            try keys.opened(bytes, at: [place.table, place.field, place.id])
        }

        /// Returns a code of the key's id under a key derived from it.
        ///
        /// - Throws: `CRUDRepositoryError` with code `keyNotFound` if the ring lacks the key.
        public func check(ofKey id: String) throws -> Data { try keys.check(ofKey: id) }

        /// Returns the id of the key of encrypted bytes; nil for other bytes.
        public func key(of bytes: Data) -> String? { EncryptedDocument.keyID(of: bytes) }

        /// The id of the key of indexes.
        public var indexKeyID: String? { indexKey?.id }

        /// Returns the HMAC-SHA-256 of a value under a key that is derived from the key of indexes.
        ///
        /// Source: HMAC, RFC 2104; HKDF, RFC 5869.
        ///
        /// - Throws: `CRUDRepositoryError` with code `keyNotFound` if there is no key of indexes.
        public func indexHash(of bytes: Data) throws -> Data {
            try requireIndexKey().code(of: bytes)
        }

        /// Returns a code of the id of the key of indexes under another key derived from it.
        ///
        /// - Throws: `CRUDRepositoryError` with code `keyNotFound` if there is no key of indexes.
        public func checkOfIndexKey() throws -> Data { try requireIndexKey().check }

        private func requireIndexKey() throws -> IndexHashKey {
            guard let indexKey else {
                throw CRUDRepositoryError(
                    .keyNotFound, "The encryption has no key of indexes.")
            }
            return indexKey
        }
    }
#endif
