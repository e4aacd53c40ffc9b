/// The reason why a Realm file cannot be read.
package struct RealmFileError: Error, Equatable, CustomStringConvertible {
    /// What a program can tell apart.
    package enum Kind: String, Sendable {
        /// The file cannot be opened or read: it is missing, or its data is protected.
        case unreadable
        /// There is no Realm header: the file is of another kind, or encrypted without a given key.
        case notRealm
        /// The key does not decrypt the file.
        case wrongKey
        /// A key was given for a file that is not encrypted.
        case notEncrypted
        /// The version of the file format is unknown.
        case unknownFormat
        /// The file has a type, a kind of table or a layout that this reader does not know.
        case unknownContent
        /// The structure of the file is broken.
        case damaged
        /// An upgrade by Realm was interrupted.
        case halfUpgraded
        /// A program has the file open with Realm.
        case inUse
        /// The file was written while it was read.
        case changed
        /// A value is too large for this reader.
        case tooLarge
    }

    /// What a program can tell apart.
    package let kind: Kind
    /// The reason, as a sentence without its full stop.
    package let message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// An error about the structure of the file.
    static func damaged(_ message: String) -> Self { Self(.damaged, message) }

    package var description: String { message }
}
