internal import CoreDataFormat

/// The reason why a store of Core Data or SwiftData cannot be read.
public struct CoreDataError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What a program can tell apart.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file cannot be opened or copied: it is missing, or protected until the device is
        /// unlocked.
        public static let unreadable = Self(rawValue: "unreadable")
        /// The file is no SQLite store of Core Data.
        public static let otherFormat = Self(rawValue: "otherFormat")
        /// The file is cut off or damaged, or its `-wal` belongs to another file.
        public static let damaged = Self(rawValue: "damaged")
        /// A program wrote the file while it was copied.
        public static let changed = Self(rawValue: "changed")
        /// The store contains no model, and none was given.
        public static let noModel = Self(rawValue: "noModel")
        /// The model is not the one that the store was written with.
        public static let otherModel = Self(rawValue: "otherModel")
        /// The store has something that this reader does not know.
        public static let unknown = Self(rawValue: "unknown")
    }

    /// What a program can tell apart.
    public let code: Code
    /// The name of the file.
    public let file: String
    /// The reason, as a sentence. It contains no values.
    public let reason: String
    /// Whether it may help to try again: the file was changed or cannot be opened yet.
    public var isRetryable: Bool { [.changed, .unreadable].contains(code) }

    /// The file and the reason.
    public var description: String { "The store '\(file)' is not read: \(reason)" }

    init(_ error: CoreDataFileError, file: String) {
        code = Code(rawValue: error.kind.rawValue)
        self.file = file
        reason = error.reason
    }
}
