#if Encryption
    internal import Crypto
    internal import Foundation
    internal import RepositoryRuntime

    /// The stored form of an encrypted document, and of the value of an encrypted field.
    ///
    /// The bytes are the mark `SRE` and the version 1, the number of bytes of the key's id and the
    /// id, the nonce (12 bytes), the ciphertext, and the tag (16 bytes). Everything before the
    /// nonce is authenticated, and the place with it: the names of the table and of the field, and
    /// the id of the record. A document has no field.
    ///
    /// Source: AES-GCM with random nonces, NIST SP 800-38D, section 8.2.2.
    enum EncryptedDocument {
        private static let mark = Data([0x53, 0x52, 0x45, 0x01])
        private static let nonceSize = 12
        private static let tagSize = 16

        /// Encrypts bytes for a place.
        static func sealed(
            _ bytes: Data, with key: EncryptionKey, at place: [String]
        ) throws -> Data {
            let header = header(of: key.id)
            let box = try AES.GCM.seal(
                bytes, using: key.key, authenticating: authenticated(header, place))
            var document = header
            document.append(contentsOf: box.nonce)
            document.append(box.ciphertext)
            document.append(box.tag)
            return document
        }

        /// Returns the id of the key of a document; nil if the bytes are not of this form.
        static func keyID(of document: Data) -> String? {
            let start = document.startIndex
            guard document.count > mark.count, document.prefix(mark.count) == mark else {
                return nil
            }
            let length = Int(document[start + mark.count])
            guard document.count >= mark.count + 1 + length + nonceSize + tagSize else {
                return nil
            }
            let id = document[(start + mark.count + 1)..<(start + mark.count + 1 + length)]
            return String(validating: id, as: UTF8.self)
        }

        /// Decrypts a document.
        ///
        /// - Throws: ``RecordDecodingError`` if the document was not sealed with the key for the
        ///   place.
        static func opened(
            _ document: Data, with key: EncryptionKey, at place: [String]
        ) throws -> Data {
            let header = header(of: key.id)
            let rest = document.dropFirst(header.count)
            do {
                let box = try AES.GCM.SealedBox(
                    nonce: AES.GCM.Nonce(data: rest.prefix(nonceSize)),
                    ciphertext: rest.dropFirst(nonceSize).dropLast(tagSize),
                    tag: rest.suffix(tagSize))
                return try AES.GCM.open(
                    box, using: key.key, authenticating: authenticated(header, place))
            } catch {
                // The error of the library says no more than this.
                throw RecordDecodingError("its encrypted bytes are not those of this record")
            }
        }

        private static func header(of id: String) -> Data {
            mark + [UInt8(id.utf8.count)] + Array(id.utf8)
        }

        /// The header and the place. Each name is preceded by its length, so that no two places
        /// give the same bytes.
        private static func authenticated(_ header: Data, _ place: [String]) -> Data {
            var data = header
            for name in place {
                withUnsafeBytes(of: UInt64(name.utf8.count).bigEndian) {
                    data.append(contentsOf: $0)
                }
                data.append(contentsOf: name.utf8)
            }
            return data
        }
    }
#endif
