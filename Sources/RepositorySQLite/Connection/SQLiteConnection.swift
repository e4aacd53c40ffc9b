internal import CSQLite
internal import RepositoryRuntime

/// Looks at the database at the beginning of each write.
protocol SQLiteWriteWatch: AnyObject {
    /// Throws where nothing may be written; called in a transaction that holds the write lock.
    func check(_ connection: SQLiteConnection) throws
}

/// A connection and the statements prepared on it. Used by one thread at a time: see ``Guarded``.
final class SQLiteConnection {
    let handle: OpaquePointer
    /// Where the texts of the statement stand that is being run.
    let memory = SQLiteTextMemory()
    private var statements = StatementCache()
    private var entities: [ObjectIdentifier: EntityStatements] = [:]
    /// The entity that was asked for last: often it is asked for again.
    private var last: (type: ObjectIdentifier, statements: EntityStatements)?
    /// What statements of the caller's own write, as far as they were asked before.
    private var audits: [StatementText: SQLiteAudit] = [:]
    private let tracer: SQLiteTracer?
    /// What the present transaction has changed; nil where nobody observes.
    var log: SQLiteChangeLog?
    /// Notices that another program has changed the description; nil where no set is open.
    var watch: (any SQLiteWriteWatch)?
    /// The savepoint of the job that is being done; nil where it has the transaction to itself.
    var savepoint: String?

    /// What a connection is for.
    enum Role {
        case writing, reading
        /// It is given the content of another database before it reads.
        case copying
    }

    /// Opens a database file, which is made when it is not there.
    ///
    /// - Throws: `SQLiteError`.
    init(_ location: SQLiteLocation, _ role: Role) throws {
        try location.makeFolder()
        var opened: OpaquePointer?
        // NOMUTEX: a connection is used by one thread at a time already, so that SQLite's own lock
        // would be paid twice.
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(location.name, &opened, flags, location.fileSystem)
        guard code == SQLITE_OK, let opened else {
            let error = SQLiteError(opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        try SQLiteFunctions.add(to: opened)
        tracer = location.trace.map { SQLiteTracer($0) }
        // Another process may hold the write lock: SQLite waits, on a thread that may wait.
        sqlite3_busy_timeout(handle, location.busyTimeout)
        switch role {
        case .writing:
            // A commit that returned is on disk, after a loss of power too. SQLite's default,
            // unless it was built otherwise; with a write-ahead log NORMAL would lose the last
            // commits.
            try execute("PRAGMA synchronous = FULL")
            // SQLite's default is not to look at references at all.
            try execute("PRAGMA foreign_keys = ON")
        case .reading:
            // Whatever is run here by mistake changes nothing.
            try execute("PRAGMA query_only = ON")
        case .copying: break
        }
        // 8 MiB in place of 2: the upper levels of the trees of large tables stay in memory.
        try execute("PRAGMA cache_size = -8192")
        tracer?.start(on: handle)
    }

    /// A connection to a new database in memory that holds what this one does, for reading.
    func copy() throws -> SQLiteConnection {
        let copy = try SQLiteConnection(.inMemory(), .copying)
        guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
            throw SQLiteError(copy.handle)
        }
        sqlite3_backup_step(backup, -1)
        guard sqlite3_backup_finish(backup) == SQLITE_OK else { throw SQLiteError(copy.handle) }
        try copy.execute("PRAGMA query_only = ON")
        return copy
    }

    deinit {
        // Statements hold their connection's pointer: finalised first.
        statements.removeAll()
        last = nil
        entities.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The number of records the last statement changed, without those that references changed in
    /// turn.
    var changes: Int { Int(sqlite3_changes64(handle)) }

    /// Takes back what was done since a savepoint, and the savepoint.
    func rollBack(to savepoint: String) throws {
        // SQLite has rolled back everything where the failure was a grave one.
        guard isInTransaction else { return }
        try statement("ROLLBACK TO \(savepoint)").run()
        try statement("RELEASE \(savepoint)").run()
    }

    /// Runs a statement that is not worth keeping.
    func execute(_ text: String) throws {
        try SQLiteStatement(text, on: handle, isKept: false).run()
    }

    /// A statement that is run often; prepared once, ready to be bound. Those that were not used
    /// for long are given up.
    func statement(_ text: String) throws -> SQLiteStatement {
        if let statement = statements.find(text) { return statement }
        let statement = try SQLiteStatement(text, on: handle, isKept: true)
        statements.add(statement, text)
        return statement
    }

    /// What a statement writes, where that is known.
    func audit(of text: String) -> SQLiteAudit? { audits[StatementText(text)] }

    /// Remembers what a statement writes.
    func keep(_ audit: SQLiteAudit, of text: String) {
        if audits.count >= StatementCache.generationLimit { audits = [:] }
        audits[StatementText(text)] = audit
    }

    /// Of how many statements it is known what they write.
    var auditCount: Int { audits.count }

    /// Forgets what statements write: there may be other triggers now.
    func forgetAudits() { audits = [:] }

    /// The statements of an entity.
    @inline(__always)
    func statements<E: Entity>(_ type: E.Type, _ plans: EntityPlans) throws -> EntityStatements {
        let key = ObjectIdentifier(type)
        if let last, last.type == key { return last.statements }
        let statements =
            try entities[key] ?? EntityStatements(try plans.plan(E.Mapper.table.name), self)
        entities[key] = statements
        last = (key, statements)
        return statements
    }
}
