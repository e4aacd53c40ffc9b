public import Foundation

/// The error that repositories and stores throw.
///
/// It describes what happened (``code``), names the record, table and field concerned, and says
/// whether a retry can succeed. The message never contains the value of a field that is declared
/// sensitive.
public struct CRUDRepositoryError: Error, Sendable {
    /// The kind of an error. Stores may define further codes.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The code's name.
        public var description: String { rawValue }
    }

    /// The kind of the error.
    public var code: Code
    /// The string form of the record's id.
    public var id: String?
    /// The name of the table.
    public var table: String?
    /// The path of the field.
    public var field: String?
    /// The name of the violated check or unique index, if it is known.
    public var constraint: String?
    /// A sentence that describes the error.
    public var message: String
    /// Whether the same call may succeed if it is repeated.
    public var isRetryable: Bool
    /// The version that the caller had read; set for `.versionConflict`.
    public var expectedVersion: Int?
    /// The stored version; set for `.versionConflict`.
    public var storedVersion: Int?
    /// The underlying error, such as a database error.
    public var underlyingError: (any Error)?
    /// All broken rules of the items of the call, in the order of the items; set for
    /// `.invalidItem`, and for `.invalidIdentifier` of an item. The other properties describe the
    /// first of them.
    ///
    /// Unique values and references are checked by the store after the rules. Their errors, with
    /// the code `.constraintViolated`, describe one violation each.
    public var violations: [Violation] = []
    /// The string forms of the ids of all records that cannot be read, in id order, but at most 10;
    /// set for `.invalidRecord` if a `fetch()` of all entities throws it.
    public var unreadableIDs: [String] = []

    /// Creates an error.
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
    /// No record with the id is stored.
    public static let recordNotFound = Self(rawValue: "recordNotFound")
    /// A record with the id is already stored.
    public static let recordAlreadyExists = Self(rawValue: "recordAlreadyExists")
    /// The record was changed since it was read.
    public static let versionConflict = Self(rawValue: "versionConflict")
    /// A unique index, a reference or a check of the table forbids the change.
    public static let constraintViolated = Self(rawValue: "constraintViolated")
    /// A stored record cannot be decoded.
    public static let invalidRecord = Self(rawValue: "invalidRecord")
    /// The item violates a rule of the schema or cannot be encoded.
    public static let invalidItem = Self(rawValue: "invalidItem")
    /// The id is invalid: it is empty or contains U+0000.
    public static let invalidIdentifier = Self(rawValue: "invalidIdentifier")
    /// The stored item has another type than the requested one.
    public static let itemTypeMismatch = Self(rawValue: "itemTypeMismatch")
    /// The stored data was written with a schema that the program cannot use.
    public static let schemaMismatch = Self(rawValue: "schemaMismatch")
    /// Another program is migrating the data. Nothing was read or written. Retry later; a program
    /// of the earlier version then gets `schemaMismatch`.
    public static let migrating = Self(rawValue: "migrating")
    /// The disk has too little space for a write or a migration. Nothing was changed; the operation
    /// can be repeated when there is space.
    public static let storageFull = Self(rawValue: "storageFull")
    /// The store or the format does not support the operation.
    public static let unsupported = Self(rawValue: "unsupported")
    /// The database or the file system reported an error.
    public static let databaseError = Self(rawValue: "databaseError")
    /// The files of the store were removed, replaced or renamed while it was open. Nothing was
    /// written. The store reads and writes nothing more; a new one opens what is there now.
    public static let storeMoved = Self(rawValue: "storeMoved")
    /// The store was written with a key that the program does not have, or has in another form. No
    /// record is damaged; nothing was changed.
    public static let keyNotFound = Self(rawValue: "keyNotFound")
    /// The store failed during a write and could not roll it back. The write may have happened or
    /// not, but no record is half written. Read the record to find out.
    public static let outcomeUnknown = Self(rawValue: "outcomeUnknown")
}

extension CRUDRepositoryError: LocalizedError {
    /// The error's message.
    public var errorDescription: String? { message }
}

extension CRUDRepositoryError: CustomStringConvertible {
    /// The code, the message and the underlying error.
    public var description: String {
        let cause = underlyingError.map { " (\($0))" } ?? ""
        return "\(code): \(message)\(cause)"
    }
}
