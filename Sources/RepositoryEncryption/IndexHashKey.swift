#if Encryption
    internal import Crypto
    internal import Foundation

    /// The key of the hashes in indexes over encrypted fields.
    ///
    /// Descriptions and mirrors of the key do not contain its bytes.
    struct IndexHashKey: Sendable, CustomStringConvertible, CustomReflectable {
        /// The id of the key.
        let id: String
        /// A code that shows whether the key is another one.
        let check: Data
        /// The derived key that hashes values.
        private let key: SymmetricKey

        /// Derives the key that hashes and the check, so that neither shows the key itself, which
        /// may also encrypt.
        init(_ key: EncryptionKey) {
            id = key.id
            let derived = Self.derived(from: key, for: "index hash")
            self.key = derived
            check = Data(
                HMAC<SHA256>.authenticationCode(
                    for: Data(key.id.utf8), using: Self.derived(from: key, for: "index key check")))
        }

        private static func derived(from key: EncryptionKey, for purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key.key, info: Data(purpose.utf8), outputByteCount: 32)
        }

        /// Returns the code of bytes: 32 bytes.
        func code(of bytes: Data) -> Data {
            Data(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
        }

        /// The id.
        var description: String { "index key '\(id)'" }
        /// The id alone.
        var customMirror: Mirror { Mirror(self, children: ["id": id]) }
    }
#endif
