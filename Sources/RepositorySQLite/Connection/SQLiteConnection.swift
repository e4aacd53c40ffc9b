internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore

/// Checks the database at the beginning of each write.
protocol SQLiteWriteWatch: AnyObject {
    /// Throws if the database must not be written. The connection is in a transaction that holds
    /// the write lock.
    func check(_ connection: SQLiteConnection) throws
    /// Forgets what was learned of the database's state on an earlier connection.
    func reconnect()
}

/// An SQLite connection with its prepared statements and the state of its current transaction.
///
/// Only one thread at a time may use it; see ``Guarded``. Every method throws `SQLiteError` unless
/// its documentation names another error.
final class SQLiteConnection {
    /// The `sqlite3`.
    let handle: OpaquePointer
    /// The buffer for the strings of the statement that is being run.
    let memory = SQLiteTextMemory()
    /// The cached statements by their SQL.
    private var statements = StatementCache()
    /// The statements of each entity, by the identity of its type. They are never evicted.
    private var entities: [ObjectIdentifier: EntityStatements] = [:]
    /// The statements of the entity that was used last. Consecutive operations often use the same
    /// entity.
    private var last: (type: ObjectIdentifier, statements: EntityStatements)?
    /// The audits of the caller's own statements.
    private var audits: [StatementText: SQLiteAudit] = [:]
    /// Reports statements; `nil` if the store has no trace function. The connection retains it for
    /// SQLite's callback.
    private let tracer: SQLiteTracer?
    /// The changes of the current transaction; `nil` if the store has no observers.
    var log: ChangeLog?
    /// The number of changes by the store itself, to columns that are not part of the schema.
    var hiddenChanges: Int64 = 0
    /// The files of the database; `nil` for a database in memory.
    let file: SQLiteFile?
    /// Encrypts the fields that schemas declare to be encrypted.
    let encryption: (any FieldCipher)?
    /// The busy handler of the connection.
    let lockWait: SQLiteLockWait
    /// Detects that another program changed the stored schema description; `nil` if no schema is
    /// open.
    var watch: (any SQLiteWriteWatch)?
    /// The number of the connection among those that were opened in its place.
    var number: UInt64 = 0
    /// Whether the connection was lent to the caller of `withConnection`.
    var wasLent = false
    /// The savepoint of the current job; `nil` if no other job shares its transaction.
    var savepoint: String?

    /// The purpose of a connection.
    enum Role {
        case writing, reading
        /// The connection receives a copy of another database, and then only reads.
        case copying
        /// The connection reads a file that exists, and changes neither the file nor its folder.
        ///
        /// `isAlone`: the database has a write-ahead log and no file of it, so that no connection
        /// is open; SQLite would create the files.
        case inspecting(isAlone: Bool)
    }

    /// Opens a database file. The file is created if it does not exist.
    ///
    /// - Parameters:
    ///   - location: the database.
    ///   - role: the purpose of the connection.
    /// - Throws: `SQLiteError`, `unsupported` for an invalid name, `databaseError` if the folder
    ///   cannot be created, `storeMoved` if the store's files were removed or replaced.
    init(_ location: SQLiteLocation, _ role: Role) throws {
        try location.checkName()
        try location.makeFolder()
        var opened: OpaquePointer?
        // NOMUTEX: only one thread at a time uses a connection, so SQLite's own mutex would be a
        // second, redundant lock.
        var flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var name = location.name
        if case .inspecting(let isAlone) = role {
            flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
            if isAlone {
                flags |= SQLITE_OPEN_URI
                name = location.immutableURI
            }
        }
        let code = sqlite3_open_v2(name, &opened, flags, location.fileSystem)
        guard code == SQLITE_OK, let opened else {
            let error = SQLiteError(opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        tracer = location.trace.map { SQLiteTracer($0) }
        file = location.file
        encryption = location.encryption
        lockWait = SQLiteLockWait(milliseconds: location.busyTimeout)
        // Otherwise SQLite treats an unknown column name in double quotes as a string literal:
        // `"nick" = 'nick'` would be true for every row.
        let quoting = csqlite_accept_quoted_text(opened, 0)
        guard quoting == SQLITE_OK else {
            let error = SQLiteError(
                code: quoting,
                message: "SQLite \(String(cString: sqlite3_libversion())) reads names as text")
            throw error
        }
        try SQLiteFunctions.add(to: opened)
        // Another process may hold the write lock. SQLite then blocks a thread that is allowed to
        // block.
        lockWait.install(on: handle)
        switch role {
        case .writing:
            // A commit that returned is on disk, even after a power failure. FULL is SQLite's
            // default, unless it was compiled with another one. NORMAL with a write-ahead log would
            // lose the most recent commits.
            try execute("PRAGMA synchronous = FULL")
            // By default SQLite does not enforce foreign keys.
            try execute("PRAGMA foreign_keys = ON")
        case .reading:
            // A statement that is run here by mistake changes nothing.
            try execute("PRAGMA query_only = ON")
        case .copying: break
        case .inspecting:
            // Closing the last connection would otherwise write the log into the database.
            csqlite_no_checkpoint_on_close(opened)
            return
        }
        // 8 MiB instead of the default of 2 MB: the upper levels of large B-trees stay cached.
        try execute("PRAGMA cache_size = -8192")
        try file?.check(opened: handle)
        tracer?.start(on: handle)
    }

    /// Copies the database into a new database in memory and returns a read-only connection to it.
    ///
    /// The cost is proportional to the size of the database.
    func copy() throws -> SQLiteConnection {
        let copy = try SQLiteConnection(.inMemory(), .copying)
        guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
            throw SQLiteError(copy.handle)
        }
        let result = sqlite3_backup_step(backup, -1)
        let finished = sqlite3_backup_finish(backup)
        // `sqlite3_backup_finish` does not report that the source was locked.
        guard finished == SQLITE_OK else { throw SQLiteError(copy.handle) }
        guard result == SQLITE_DONE else {
            throw SQLiteError(code: result, message: String(cString: sqlite3_errstr(result)))
        }
        try copy.execute("PRAGMA query_only = ON")
        return copy
    }

    deinit {
        // Statements contain a pointer to their connection and must be finalized first.
        statements.removeAll()
        last = nil
        entities.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The rowid of the last inserted row.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The number of rows that the last statement changed, without those that foreign key actions
    /// changed.
    var changes: Int { Int(sqlite3_changes64(handle)) }

    /// The number of rows that all statements of the connection have changed.
    ///
    /// It excludes ``hiddenChanges``, and the changes of failed statements that were rolled back.
    var totalChanges: Int64 { sqlite3_total_changes64(handle) - hiddenChanges }

    /// Rolls back to a savepoint and releases it.
    func rollBack(to savepoint: String) throws {
        // After a severe failure, SQLite has already rolled back the whole transaction.
        guard isInTransaction else { return }
        try statement("ROLLBACK TO \(savepoint)").run()
        try statement("RELEASE \(savepoint)").run()
    }

    /// Runs a statement without caching it.
    func execute(_ text: String) throws {
        try SQLiteStatement(text, on: handle, isKept: false).run()
    }

    /// Returns a cached statement, ready to be bound. It is prepared on first use.
    ///
    /// Statements that were not used for a long time are evicted.
    func statement(_ text: String) throws -> SQLiteStatement {
        if let statement = statements.find(text) { return statement }
        let statement = try SQLiteStatement(text, on: handle, isKept: true)
        statements.add(statement, text)
        return statement
    }

    /// Returns the cached audit of a statement.
    func audit(of text: String) -> SQLiteAudit? { audits[StatementText(text)] }

    /// Caches the audit of a statement.
    func keep(_ audit: SQLiteAudit, of text: String) {
        if audits.count >= StatementCache.generationLimit { audits = [:] }
        audits[StatementText(text)] = audit
    }

    /// The number of cached audits.
    var auditCount: Int { audits.count }

    /// Clears the cached audits. A schema change may have added triggers.
    func forgetAudits() { audits = [:] }

    /// Returns the statements of an entity.
    ///
    /// - Throws: `databaseError` if no open schema contains the entity.
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
