internal import CSQLite

/// What SQLite itself said: the error beneath a `CRUDRepositoryError` of this module.
public struct SQLiteError: Error, Sendable, Hashable {
    /// SQLite's extended result code, such as 2067 for a unique index.
    public var code: Int32
    /// SQLite's message. It names tables and columns, never values.
    public var message: String
    /// The statement that failed; its values are parameters and not part of it.
    public var statement: String?
    /// Whether the commit that failed may yet be found in the database, by a program that opens it after this one has died.
    public internal(set) var isOutcomeUnknown = false

    /// Makes an error.
    public init(code: Int32, message: String, statement: String? = nil) {
        self.code = code
        self.message = message
        self.statement = statement
    }
}

extension SQLiteError {
    /// The primary result code, such as 19 for every kind of constraint.
    public var primaryCode: Int32 { code & 0xFF }

    /// Whether the same call may succeed later: another connection holds the lock.
    public var isRetryable: Bool {
        primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED
    }

    /// The same of a commit that could not be taken back.
    var withUnknownOutcome: SQLiteError {
        var error = self
        error.isOutcomeUnknown = true
        return error
    }

    /// What the connection says of its last call.
    init(_ handle: OpaquePointer?, statement: String? = nil) {
        guard let handle else {
            self.init(code: SQLITE_NOMEM, message: "out of memory", statement: statement)
            return
        }
        self.init(
            code: sqlite3_extended_errcode(handle),
            message: String(cString: sqlite3_errmsg(handle)),
            statement: statement)
    }
}

extension SQLiteError: CustomStringConvertible {
    /// The code, the message and the statement.
    public var description: String {
        "SQLite \(code): \(message)\(statement.map { " [\($0)]" } ?? "")"
    }
}
