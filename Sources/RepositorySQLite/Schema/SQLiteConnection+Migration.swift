internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore

extension SQLiteConnection {
    var dialect: SQLiteDialect { SQLiteDialect() }

    func runControl(_ text: String) throws { try execute(text) }

    func texts(_ query: String) throws -> [String] {
        let statement = try SQLiteStatement(query, on: handle, isKept: false)
        var values: [String] = []
        while try statement.step() { values.append(statement.text(at: 0) ?? "") }
        return values
    }
}

extension SQLiteConnection {
    /// The path of the database; `nil` for a database in memory.
    var path: String? {
        guard let name = sqlite3_db_filename(handle, "main"), name[0] != 0 else { return nil }
        return String(cString: name)
    }

    /// Runs statements that end when the task of the current job is cancelled.
    ///
    /// - Throws: `CancellationError`; the error of `body`.
    func cancellable<R>(_ body: () throws -> R) throws -> R {
        sqlite3_progress_handler(
            handle, 10_000,
            { context in
                guard let context else { return 0 }
                let wait = Unmanaged<SQLiteLockWait>.fromOpaque(context).takeUnretainedValue()
                return wait.isCancelled() ? 1 : 0
            }, Unmanaged.passUnretained(lockWait).toOpaque())
        defer { sqlite3_progress_handler(handle, 0, nil, nil) }
        do {
            return try body()
        } catch let error as SQLiteError
            where error.primaryCode == SQLITE_INTERRUPT
            || error.isRetryable && lockWait.isCancelled()
        {
            throw CancellationError()
        }
    }

    /// Runs statements in a savepoint, and rolls them back if `body` throws.
    func inSavepoint(_ name: String, _ body: () throws -> Void) throws {
        try execute("SAVEPOINT \(name)")
        do {
            try body()
        } catch {
            if isInTransaction {
                try execute("ROLLBACK TO \(name)")
                try execute("RELEASE \(name)")
            }
            throw error
        }
        try execute("RELEASE \(name)")
    }

    /// Renames a table, but not where views and foreign keys of other tables name it.
    ///
    /// - Parameters:
    ///   - table: the quoted name.
    ///   - name: the quoted new name.
    func renameAlone(_ table: String, to name: String) throws {
        try execute("PRAGMA legacy_alter_table = ON")
        // This cannot fail. If it did, later renaming would report the cause.
        defer { try? execute("PRAGMA legacy_alter_table = OFF") }
        try execute("ALTER TABLE \(table) RENAME TO \(name)")
    }

    /// Runs a statement that copies all records of a table, and counts them.
    ///
    /// - Parameters:
    ///   - reporter: counts the records.
    ///   - table: the declared name of the table.
    ///   - copy: runs the statement, whose `SELECT` ends with the given text.
    func count(
        _ reporter: MigrationReporter, _ table: String, _ copy: (String) throws -> Void
    ) throws {
        try reporter.begin(table)
        let start = reporter.done
        guard reporter.isObserved else { return try copy("") }
        // A function that SQLite calls for each record, because it is not deterministic.
        let name = "repository_count"
        let code = sqlite3_create_function_v2(
            handle, name, 0, SQLITE_UTF8, Unmanaged.passUnretained(reporter).toOpaque(),
            { context, _, _ in
                if let data = sqlite3_user_data(context) {
                    // The progress handler ends the statement if the task is cancelled.
                    try? Unmanaged<MigrationReporter>.fromOpaque(data).takeUnretainedValue().next()
                }
                sqlite3_result_int(context, 1)
            }, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(handle) }
        defer {
            sqlite3_create_function_v2(handle, name, 0, SQLITE_UTF8, nil, nil, nil, nil, nil)
        }
        try copy(" WHERE \(name)()")
        reporter.end(changes, since: start)
    }
}
