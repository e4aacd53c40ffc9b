public import Foundation

/// What every repository and store throws.
///
/// It says what happened (``code``), of which record, table and field, whether trying again can help, and what lies
/// beneath. The value of a field declared sensitive never stands in it.
public struct CRUDRepositoryError: Error, Sendable {
    /// What happened. Open: a store may add codes of its own.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let rawValue: String

        /// Makes a code of its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The text that stands for it.
        public var description: String { rawValue }
    }

    /// What happened.
    public var code: Code
    /// The text form of the id of the record concerned.
    public var id: String?
    /// The table concerned.
    public var table: String?
    /// The path of the field concerned.
    public var field: String?
    /// The name of the check or of the unique index that forbids it, where that is known.
    public var constraint: String?
    /// What happened, as a sentence.
    public var message: String
    /// Whether the same call may succeed when it is tried again.
    public var isRetryable: Bool
    /// The version the caller had read, for `.versionConflict`.
    public var expectedVersion: Int?
    /// The version the store holds, for `.versionConflict`.
    public var storedVersion: Int?
    /// The error beneath, such as the database's own.
    public var underlyingError: (any Error)?

    /// Makes an error.
    public init(
        _ code: Code, _ message: String, id: String? = nil, table: String? = nil,
        field: String? = nil, isRetryable: Bool = false, underlyingError: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.id = id
        self.table = table
        self.field = field
        self.isRetryable = isRetryable
        self.underlyingError = underlyingError
    }
}

extension CRUDRepositoryError.Code {
    /// There is no record of that id.
    public static let recordNotFound = Self(rawValue: "recordNotFound")
    /// There is a record of that id already.
    public static let recordAlreadyExists = Self(rawValue: "recordAlreadyExists")
    /// The record was changed since it was read.
    public static let versionConflict = Self(rawValue: "versionConflict")
    /// A unique index, a reference or another rule of the table forbids it.
    public static let constraintViolated = Self(rawValue: "constraintViolated")
    /// What is stored cannot be read.
    public static let invalidRecord = Self(rawValue: "invalidRecord")
    /// What was to be stored breaks a rule of the schema or cannot be written.
    public static let invalidItem = Self(rawValue: "invalidItem")
    /// The id cannot be one: it is empty or holds U+0000.
    public static let invalidIdentifier = Self(rawValue: "invalidIdentifier")
    /// The item read is of another type than the one asked for.
    public static let itemTypeMismatch = Self(rawValue: "itemTypeMismatch")
    /// The store holds another schema than the program's.
    public static let schemaMismatch = Self(rawValue: "schemaMismatch")
    /// The store or the format does not offer it.
    public static let unsupported = Self(rawValue: "unsupported")
    /// The database or the file system failed.
    public static let databaseError = Self(rawValue: "databaseError")
    /// The files of the store were removed, replaced or renamed while it was open. Nothing was
    /// written. The store reads and writes nothing more; a new one opens what is there now.
    public static let storeMoved = Self(rawValue: "storeMoved")
    /// The store failed in the middle of a write and could not take it back: the write may have happened or not. What
    /// is stored is whole, and reading it tells.
    public static let outcomeUnknown = Self(rawValue: "outcomeUnknown")
}

extension CRUDRepositoryError: LocalizedError {
    /// The sentence of the error.
    public var errorDescription: String? { message }
}

extension CRUDRepositoryError: CustomStringConvertible {
    /// The code, the sentence and the error beneath.
    public var description: String {
        let beneath = underlyingError.map { " (\($0))" } ?? ""
        return "\(code): \(message)\(beneath)"
    }
}
