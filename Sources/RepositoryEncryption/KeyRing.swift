#if Encryption
    internal import Crypto
    public import Foundation
    public import RepositoryRuntime

    /// A key of an encryption, with the id under which stored documents name it.
    ///
    /// Descriptions and mirrors of the key do not contain its bytes.
    public struct EncryptionKey: Sendable, CustomStringConvertible, CustomReflectable {
        /// The id of the key. It is stored in plain form in each document.
        public let id: String
        /// The bytes of the key.
        let key: SymmetricKey

        /// Creates a key.
        ///
        /// - Parameters:
        ///   - id: The id: 1 to 64 bytes of UTF-8. Another key never gets the same id.
        ///   - bytes: The key: 32 random bytes for AES-256, or 24 or 16 for shorter keys of AES. A
        ///     password is not a key.
        /// - Throws: `CRUDRepositoryError` with code `keyNotFound` if the id or
        ///   the number of bytes is wrong.
        public init(id: String, bytes: Data) throws(CRUDRepositoryError) {
            guard (1...64).contains(id.utf8.count) else {
                throw CRUDRepositoryError(
                    .keyNotFound, "The id of a key must have 1 to 64 bytes, not \(id.utf8.count).")
            }
            guard [16, 24, 32].contains(bytes.count) else {
                throw CRUDRepositoryError(
                    .keyNotFound,
                    "The key '\(id)' must have 32, 24 or 16 bytes, not \(bytes.count).")
            }
            self.id = id
            key = SymmetricKey(data: bytes)
        }

        /// Creates a key from random bytes of the system.
        ///
        /// - Parameter id: The id: 1 to 64 bytes of UTF-8.
        /// - Returns: The key, and its 32 bytes, which the caller has to keep in a safe place.
        /// - Throws: `CRUDRepositoryError` with code `keyNotFound` if the id is
        ///   wrong.
        public static func random(id: String) throws(CRUDRepositoryError) -> (Self, bytes: Data) {
            let bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
            return (try Self(id: id, bytes: bytes), bytes)
        }

        /// The id.
        public var description: String { "key '\(id)'" }
        /// The id alone.
        public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
    }

    /// The keys of an encryption. The first one writes, and all read.
    ///
    /// To change the key, put the new one in front: records that were written before stay readable.
    /// `reencrypt(batch:)` writes them again. When it reports that no record has the old key any
    /// more, the key can be removed.
    public struct KeyRing: Sendable, CustomStringConvertible, CustomReflectable {
        /// The key that writes.
        let first: EncryptionKey
        /// The keys by their ids.
        let keys: [String: EncryptionKey]

        /// The ids of the keys, the one that writes first.
        public let ids: [String]

        /// Creates a key ring.
        ///
        /// - Parameters:
        ///   - first: The key that writes.
        ///   - others: Earlier keys, for records that were written with them.
        /// - Throws: `CRUDRepositoryError` with code `keyNotFound` if two keys
        ///   have the same id.
        public init(_ first: EncryptionKey, _ others: EncryptionKey...) throws(CRUDRepositoryError)
        {
            try self.init(first, others)
        }

        /// Creates a key ring.
        ///
        /// - Parameters:
        ///   - first: The key that writes.
        ///   - others: Earlier keys, for records that were written with them.
        /// - Throws: `CRUDRepositoryError` with code `keyNotFound` if two keys
        ///   have the same id.
        public init(
            _ first: EncryptionKey, _ others: [EncryptionKey]
        ) throws(CRUDRepositoryError) {
            var keys = [first.id: first]
            for key in others {
                guard keys.updateValue(key, forKey: key.id) == nil else {
                    throw CRUDRepositoryError(
                        .keyNotFound, "Two keys of the key ring have the id '\(key.id)'.")
                }
            }
            self.first = first
            self.keys = keys
            ids = [first.id] + others.map(\.id)
        }

        /// Returns a code of a key's id under a key derived from it.
        ///
        /// - Throws: `CRUDRepositoryError` with code `keyNotFound` if the ring lacks the key.
        func check(ofKey id: String) throws -> Data {
            guard let key = keys[id] else { throw CRUDRepositoryError.keyNotFound(id) }
            let derived = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key.key, info: Data("key check".utf8), outputByteCount: 32)
            return Data(HMAC<SHA256>.authenticationCode(for: Data(id.utf8), using: derived))
        }

        /// Decrypts bytes with the key that they name.
        ///
        /// - Throws: `RecordDecodingError` for bytes that were not encrypted for the place;
        ///   `CRUDRepositoryError` with code `keyNotFound` if the ring lacks the key.
        func opened(_ bytes: Data, at place: [String]) throws -> Data {
            guard let id = EncryptedDocument.keyID(of: bytes) else {
                throw RecordDecodingError("it is not encrypted")
            }
            guard let key = keys[id] else { throw CRUDRepositoryError.keyNotFound(id) }
            return try EncryptedDocument.opened(bytes, with: key, at: place)
        }

        /// The ids.
        public var description: String { "keys \(ids)" }
        /// The ids alone.
        public var customMirror: Mirror { Mirror(self, children: ["ids": ids]) }
    }
#endif
