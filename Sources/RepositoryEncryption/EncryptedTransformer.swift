#if Encryption
    public import Foundation
    public import RepositoryRuntime

    /// A format whose documents are encrypted with AES-GCM.
    ///
    /// ```swift
    /// let keys = try KeyRing(EncryptionKey(id: "2026-11", bytes: bytes))
    /// FileSystemStore(
    ///     directory: url, transformer: EncryptedTransformer(JSONDataTransformer(), keys: keys))
    /// ```
    ///
    /// Records, the pages of indexes and the chunks of external data are encrypted, so that all
    /// queries and indexes work. The table and the id of a record are authenticated: a record that
    /// was changed, moved to another id or written without encryption is an `invalidRecord`. The
    /// sizes and the number of records, the names of tables and the ids stay visible. It is not
    /// detected that a record was deleted or replaced by its own earlier bytes.
    ///
    /// A store that was written with a key that the ring lacks throws `keyNotFound` when it is
    /// opened.
    public struct EncryptedTransformer: WrappingTransformer {
        /// The format of the documents.
        public let base: any DataTransformer
        /// The keys.
        public let keys: KeyRing

        /// The file name extension: that of the base, followed by `.aes`.
        public var formatExtension: String { base.formatExtension + ".aes" }
        /// The id of the first key.
        public var wrappingKey: String? { keys.first.id }

        /// Creates a transformer.
        ///
        /// - Parameters:
        ///   - base: The format of the documents. A compression goes inside the encryption.
        ///   - keys: The keys. A key should write no more than 2³² documents, because nonces are
        ///     random.
        public init(_ base: any DataTransformer, keys: KeyRing) {
            self.base = base
            self.keys = keys
        }

        /// Encrypts bytes with the first key.
        ///
        /// - Throws: `CRUDRepositoryError` with code `databaseError` if the
        ///   cryptographic library fails.
        public func wrap(_ bytes: Data, at place: DocumentPlace) throws -> Data {
            do {
                return try EncryptedDocument.sealed(
                    bytes, with: keys.first, at: [place.collection, place.key])
            } catch {
                throw CRUDRepositoryError(
                    .databaseError, "A record cannot be encrypted.", underlyingError: error)
            }
        }

        /// Decrypts bytes with the key that they name.
        ///
        /// - Throws: `RecordDecodingError` for bytes that were not encrypted for
        ///   the place; `CRUDRepositoryError` with code `keyNotFound` if the
        ///   ring lacks the key.
        public func unwrap(_ bytes: Data, at place: DocumentPlace) throws -> Data {
            try keys.opened(bytes, at: [place.collection, place.key])
        }

        /// Returns a code of the key's id under a key derived from it.
        ///
        /// - Throws: `CRUDRepositoryError` with code `keyNotFound` if the ring
        ///   lacks the key.
        public func check(ofKey id: String) throws -> Data {
            try keys.check(ofKey: id)
        }

        /// Returns the id of the key of encrypted bytes; nil for other bytes.
        public func key(of bytes: Data) -> String? { EncryptedDocument.keyID(of: bytes) }
    }
#endif
