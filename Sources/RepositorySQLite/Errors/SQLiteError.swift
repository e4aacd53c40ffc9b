internal import CSQLite
internal import Foundation

/// An error that SQLite reported: the underlying error of a `CRUDRepositoryError` of this module.
public struct SQLiteError: Error, Sendable, Hashable {
    /// The extended result code, such as 2067 for a violated unique index.
    public var code: Int32
    /// SQLite's message. It names tables and columns, but never contains values.
    public var message: String
    /// The SQL of the statement that failed. Values are bound as parameters and are not part of it.
    public var statement: String?
    /// Whether the outcome of a failed commit is unknown.
    ///
    /// If it is `true`, a program that opens the database after this process has ended may find the
    /// commit in the write-ahead log.
    public internal(set) var isOutcomeUnknown = false
    /// Whether the process could not open a file because too many are open.
    var isOutOfDescriptors = false

    /// Creates an error.
    public init(code: Int32, message: String, statement: String? = nil) {
        self.code = code
        self.message = message
        self.statement = statement
    }
}

extension SQLiteError {
    /// The primary result code: the low byte of ``code``, such as 19 for every kind of constraint.
    public var primaryCode: Int32 { code & 0xFF }

    /// Whether the same call may succeed later, because another connection holds the lock.
    public var isRetryable: Bool {
        primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED
    }

    /// A copy of this error for a commit that could not be undone.
    var withUnknownOutcome: SQLiteError {
        var error = self
        error.isOutcomeUnknown = true
        return error
    }

    /// Creates an error from the result of the last call on a connection.
    ///
    /// - Parameters:
    ///   - handle: the connection; `nil` if SQLite could not allocate one, which is reported as
    ///     `SQLITE_NOMEM`.
    ///   - statement: the SQL of the failed statement.
    init(_ handle: OpaquePointer?, statement: String? = nil) {
        guard let handle else {
            self.init(code: SQLITE_NOMEM, message: "out of memory", statement: statement)
            return
        }
        self.init(
            code: sqlite3_extended_errcode(handle),
            message: String(cString: sqlite3_errmsg(handle)),
            statement: statement)
        if primaryCode == SQLITE_CANTOPEN {
            isOutOfDescriptors = [EMFILE, ENFILE].contains(sqlite3_system_errno(handle))
        }
    }
}

extension SQLiteError: CustomStringConvertible {
    /// The code, the message, and the statement if there is one.
    public var description: String {
        "SQLite \(code): \(message)\(statement.map { " [\($0)]" } ?? "")"
    }
}
