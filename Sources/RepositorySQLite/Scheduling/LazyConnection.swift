internal import RepositoryRuntime

/// A connection that is opened when it is first used. ``Guarded`` protects it.
///
/// It is closed for good when the store is closed, and until its next use when the process needs
/// its file descriptors.
final class LazyConnection {
    private let location: SQLiteLocation
    private let role: SQLiteConnection.Role
    /// The connection, once it was opened.
    private(set) var opened: SQLiteConnection?
    /// A copy of the committed content of a database in memory, which serves reads while a
    /// transaction is open on its only connection.
    private var committed: SQLiteConnection?
    /// Whether the store was closed.
    private var isClosed = false
    /// Whether reads throw, because the store is being closed. A running transaction goes on.
    private var refusesReads = false
    /// Whether the connection was used since the last call of ``closeIfIdle(sparing:)``.
    private var wasUsed = false
    /// The number of connections that were opened.
    private var openings: UInt64 = 0
    /// The watch of the connection that was closed last, for the next one.
    private var watch: (any SQLiteWriteWatch)?

    init(_ location: SQLiteLocation, _ role: SQLiteConnection.Role) {
        self.location = location
        self.role = role
    }

    deinit { drop() }

    /// Returns the connection, which is opened on first use.
    ///
    /// - Throws: `storeMoved` if the database's files were removed or replaced; `storeClosed`.
    @inline(__always)
    func open() throws -> SQLiteConnection {
        guard let opened else { return try connect() }
        try location.file?.check()
        wasUsed = true
        return opened
    }

    /// Opens the connection.
    private func connect() throws -> SQLiteConnection {
        if isClosed { throw CRUDRepositoryError.storeClosed }
        try location.file?.check()
        if !location.isInMemory { OpenDescriptors.shared.willOpen(descriptors) }
        do {
            let new = try connection()
            if isWriting, openings > 0 {
                new.watch = watch
                watch?.reconnect()
            }
            watch = nil
            new.number = openings
            openings &+= 1
            wasUsed = true
            opened = new
            return new
        } catch {
            if !location.isInMemory { OpenDescriptors.shared.didClose(descriptors) }
            guard let error = error as? SQLiteError else { throw error }
            throw location.file?.explanation(of: error) ?? error
        }
    }

    /// Creates a connection. If the process has no descriptor left, other stores close theirs.
    private func connection() throws -> SQLiteConnection {
        do {
            return try SQLiteConnection(location, role)
        } catch let error as SQLiteError
            where error.isOutOfDescriptors && OpenDescriptors.shared.reclaim()
        {
            return try SQLiteConnection(location, role)
        }
    }

    private var isWriting: Bool { if case .writing = role { true } else { false } }

    /// The number of descriptors of the connection: the database, its log, and the index of the
    /// log, which all connections of the process share.
    private var descriptors: Int { isWriting ? 3 : 2 }

    /// Ends the reads outside of transactions. ``close()`` follows.
    func refuseReads() {
        refusesReads = true
        if !isWriting { close() }
    }

    /// Closes the connection for good.
    func close() {
        isClosed = true
        drop()
        watch = nil
    }

    /// Closes the connection until its next use, unless a transaction is open on it.
    ///
    /// - Parameter sparing: whether a connection is spared that was used since the last call.
    func closeIfIdle(sparing: Bool) {
        // The caller of `withConnection` may have given the connection a state of its own.
        guard let opened, !location.isInMemory, !opened.isInTransaction, !opened.wasLent
        else { return }
        defer { wasUsed = false }
        if sparing, wasUsed { return }
        watch = opened.watch
        drop()
        // The last connection to close a database removes its log.
        if isWriting { location.file?.forgetLog() }
    }

    /// Releases the connection, which closes it.
    private func drop() {
        committed = nil
        guard opened != nil else { return }
        opened = nil
        if !location.isInMemory { OpenDescriptors.shared.didClose(descriptors) }
    }

    /// Returns the connection for reads. It contains only committed changes.
    @inline(__always)
    func openForReading() throws -> SQLiteConnection {
        if refusesReads { throw CRUDRepositoryError.storeClosed }
        if let committed { return committed }
        return try open()
    }

    /// Begins a transaction that spans several uses of the connection.
    func beginTransaction(isObserved: Bool, defersReferences: Bool) throws {
        let connection = try open()
        if location.isInMemory { committed = try connection.copy() }
        do {
            // IMMEDIATE acquires the write lock here, where waiting is possible.
            try connection.beginImmediate()
            try connection.watch?.check(connection)
            // The commit checks references, as in every store. This pragma makes SQLite prepare all
            // statements of the connection again.
            if defersReferences {
                try connection.statement("PRAGMA defer_foreign_keys = ON").run()
            }
        } catch {
            endTransaction()
            throw error
        }
        connection.log = isObserved ? ChangeLog() : nil
    }

    /// Lets the connection serve reads again, if the transaction on it was committed or rolled
    /// back.
    func dropCopyIfCommitted() {
        if committed != nil, let opened, !opened.isInTransaction { committed = nil }
    }

    /// Releases the state of ``beginTransaction(isObserved:defersReferences:)``, and rolls back a
    /// transaction that is still open.
    func endTransaction() {
        committed = nil
        guard let opened else { return }
        opened.log = nil
        // A transaction is still open here only if it could not be ended. If the rollback fails,
        // the next BEGIN reports the cause.
        if opened.isInTransaction { try? opened.statement("ROLLBACK").run() }
    }
}
