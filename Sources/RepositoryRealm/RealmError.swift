internal import RealmFormat

/// The reason why a Realm file cannot be read.
public struct RealmError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What a program can tell apart.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file cannot be opened: it is missing, or protected until the device is unlocked.
        public static let unreadable = Self(rawValue: "unreadable")
        /// The file is none of Realm, or it is encrypted and no key was given.
        public static let notRealm = Self(rawValue: "notRealm")
        /// The key is wrong.
        public static let wrongKey = Self(rawValue: "wrongKey")
        /// A key was given, and the file is not encrypted.
        public static let notEncrypted = Self(rawValue: "notEncrypted")
        /// The version of the file format is unknown.
        public static let unknownFormat = Self(rawValue: "unknownFormat")
        /// The file has something that this reader does not know.
        public static let unknownContent = Self(rawValue: "unknownContent")
        /// The file is cut off or damaged.
        public static let damaged = Self(rawValue: "damaged")
        /// An upgrade by Realm was interrupted; the app that began it can finish it.
        public static let halfUpgraded = Self(rawValue: "halfUpgraded")
        /// A program has the file open with Realm.
        public static let inUse = Self(rawValue: "inUse")
        /// A program has written the file while it was read.
        public static let changed = Self(rawValue: "changed")
        /// A value is too large for this reader.
        public static let tooLarge = Self(rawValue: "tooLarge")
    }

    /// What a program can tell apart.
    public let code: Code
    /// The name of the file.
    public let file: String
    /// The reason, as a sentence without its full stop. It contains no values.
    public let reason: String
    /// Whether it may help to try again: the file is in use, was changed or cannot be opened yet.
    public var isRetryable: Bool { [.inUse, .changed, .unreadable].contains(code) }

    /// The file and the reason.
    public var description: String { "The Realm file '\(file)' is not read: \(reason)." }

    init(_ error: RealmFileError, file: String) {
        code = Code(rawValue: error.kind.rawValue)
        self.file = file
        reason = error.message
    }
}
