/// A SQL database, as ``SQLStore`` uses it: how to connect, and how its SQL differs from others.
///
/// A driver is small, because the store writes all statements, checks all rules, and migrates the
/// tables. The database must have transactions that contain `CREATE TABLE`, `ALTER TABLE` and `DROP
/// TABLE` as well as the records, savepoints, unique indexes, and `LIMIT`.
///
/// The article <doc:WriteASQLStore> shows a whole driver.
public protocol SQLDriver: Sendable {
    /// The connections of the database.
    associatedtype Connection: SQLConnection

    /// The kind of store, for messages, such as `DuckDB`.
    var name: String { get }
    /// How the SQL of the database differs from others.
    var syntax: SQLSyntax { get }
    /// Whether a commit returns only after the records can no longer be lost. The default is true.
    var isDurable: Bool { get }
    /// Whether several processes can use the database at the same time. The default is true.
    var isShared: Bool { get }

    /// Opens a connection. Called on a thread that may block.
    ///
    /// - Throws: ``SQLDriverError``.
    func connect() throws -> Connection
}

extension SQLDriver {
    /// Commits are durable.
    public var isDurable: Bool { true }
    /// Several processes can use the database.
    public var isShared: Bool { true }
}

/// A connection to a SQL database.
///
/// A store calls it from one thread at a time, but not always from the same one. The thread may
/// block. Only ``interrupt()`` is called from other threads.
public protocol SQLConnection: AnyObject, Sendable {
    /// Runs a query and returns all of its rows.
    ///
    /// The same text is passed again and again with other parameters, so that it pays to keep
    /// prepared statements.
    ///
    /// - Parameters:
    ///   - text: one statement. Its placeholders are those of ``SQLSyntax/placeholders``.
    ///   - parameters: the values of the placeholders.
    /// - Throws: ``SQLDriverError``.
    func query(_ text: String, _ parameters: [SQLValue]) throws -> SQLResult
    /// Runs a statement without rows, and returns the number of records that it has inserted, changed
    /// or deleted; any number for other statements.
    ///
    /// - Parameters:
    ///   - text: one statement. Its placeholders are those of ``SQLSyntax/placeholders``.
    ///   - parameters: the values of the placeholders.
    /// - Throws: ``SQLDriverError``.
    func execute(_ text: String, _ parameters: [SQLValue]) throws -> Int
    /// Returns the names of the tables in the order of their creation or any other, each with the
    /// names of its columns. Views are not among them.
    ///
    /// - Throws: ``SQLDriverError``.
    func tables() throws -> [String: [String]]
    /// Returns the lines in which the database explains how it would run a query, without the values
    /// of its parameters. The default implementation returns none.
    ///
    /// - Throws: ``SQLDriverError``.
    func explain(_ text: String, _ parameters: [SQLValue]) throws -> [String]
    /// Ends the statement that runs, if there is one, with an error of the kind
    /// ``SQLDriverError/Kind/interrupted``. Called from any thread when a task that only reads was
    /// cancelled. The default implementation does nothing.
    func interrupt()
    /// Closes the connection. An open transaction is rolled back. Nothing else is called afterwards.
    func close()
}

extension SQLConnection {
    /// Returns no lines.
    public func explain(_ text: String, _ parameters: [SQLValue]) throws -> [String] { [] }
    /// Does nothing.
    public func interrupt() {}
}

/// The rows of a query.
public struct SQLResult: Sendable, Hashable {
    /// The names of the columns, in order.
    public var columns: [String]
    /// The values of each row, in the order of the columns. A value has the kind that the database
    /// gives it, which need not be that of its column.
    public var rows: [[SQLValue]]

    /// Creates a result.
    public init(columns: [String], rows: [[SQLValue]]) {
        self.columns = columns
        self.rows = rows
    }
}

/// An error of a ``SQLDriver``.
public struct SQLDriverError: Error, Sendable {
    /// What the store does about an error.
    public enum Kind: Sendable, Hashable {
        /// A unique index or a primary key has refused a record. The store finds out which.
        case uniqueViolation
        /// Another constraint has refused a record: a table of another program's making has more of
        /// them than the store gives it.
        case constraintViolation
        /// Another transaction was faster, or holds a lock. The store runs the whole transaction
        /// again.
        case conflict
        /// The connection was lost or could not be opened. The store opens a new one. A commit whose
        /// answer was lost is reported as `outcomeUnknown`.
        case connectionLost
        /// The disk is full.
        case storageFull
        /// The statement was interrupted; see ``SQLConnection/interrupt()``.
        case interrupted
        /// Any other error.
        case other
    }

    /// What the store does about the error.
    public var kind: Kind
    /// The message of the database, without the values of records and without secrets.
    public var message: String
    /// The error of the database or its client library.
    public var underlyingError: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - kind: what the store does about it.
    ///   - message: the message of the database, without the values of records and without secrets.
    ///   - underlyingError: the error of the database or its client library.
    public init(_ kind: Kind, _ message: String, underlyingError: (any Error)? = nil) {
        self.kind = kind
        self.message = message
        self.underlyingError = underlyingError
    }
}
