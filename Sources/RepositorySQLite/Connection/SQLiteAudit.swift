internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore

/// The tables that a statement writes, as SQLite's authorizer reports them while it prepares the
/// statement.
struct SQLiteAudit {
    /// The written tables, including those that are reached through references and triggers.
    private(set) var tables: Set<String> = []
    /// Whether the statement changes the schema of the database.
    private(set) var changesSchema = false

    /// The error for a statement that begins or ends a transaction or a savepoint.
    static var refusal: CRUDRepositoryError {
        .unsupported(
            "a statement that begins or ends a transaction; a body of `transaction` is one",
            by: "SQLite")
    }

    /// The error for a statement that the authorizer denied.
    fileprivate var denial: CRUDRepositoryError {
        changesConnection
            ? .unsupported(
                "a statement that changes the state of one connection (ATTACH, DETACH, PRAGMA); a store has several",
                by: "SQLite")
            : Self.refusal
    }

    /// Whether the statement was denied because it changes the state of its connection.
    private var changesConnection = false

    /// The pragmas that take an argument and only read, and those that write to the database
    /// itself. Any other pragma with an argument changes the state of one connection.
    private static let permittedPragmas: Set<String> = [
        "application_id", "foreign_key_check", "foreign_key_list", "incremental_vacuum",
        "index_info", "index_list", "index_xinfo", "integrity_check", "optimize", "quick_check",
        "table_info", "table_list", "table_xinfo", "user_version",
    ]

    /// Records an action that the authorizer reported.
    ///
    /// - Returns: `false` if the action is denied.
    fileprivate mutating func note(_ action: Int32, _ name: String?, _ argument: String?) -> Bool {
        switch action {
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
            if let name, name.hasPrefix("sqlite_") { changesSchema = true }
            if let name { tables.insert(name) }
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return false
        case SQLITE_ATTACH, SQLITE_DETACH:
            changesConnection = true
            return false
        case SQLITE_PRAGMA:
            guard argument != nil, let name, !Self.permittedPragmas.contains(name.lowercased())
            else { return true }
            changesConnection = true
            return false
        default: break
        }
        return true
    }
}

/// The context of the authorizer callback: collects the audit while a statement is prepared.
private final class SQLiteAuditor {
    var audit = SQLiteAudit()
}

extension SQLiteConnection {
    /// Prepares a statement and returns what it writes.
    ///
    /// The audit is cached by the text of the statement, because the authorizer is called only when
    /// a statement is prepared.
    ///
    /// - Throws: as ``preparedWithAudit(_:)``.
    func audited(_ text: String) throws -> (SQLiteStatement, SQLiteAudit) {
        if let audit = audit(of: text) { return (try statement(text), audit) }
        let (statement, audit) = try preparedWithAudit(text)
        keep(audit, of: text)
        return (statement, audit)
    }

    /// Prepares a single statement and returns what it writes. Nothing is cached.
    ///
    /// - Throws: `unsupported` for a statement that begins or ends a transaction, attaches or
    ///   detaches a database or changes the state of the connection, and for a text that is not a
    ///   single statement; `SQLiteError` if SQLite cannot prepare it.
    func preparedWithAudit(_ text: String) throws -> (SQLiteStatement, SQLiteAudit) {
        let auditor = SQLiteAuditor()
        // This call retains the auditor for as long as SQLite has the pointer.
        let pointer = Unmanaged.passUnretained(auditor).toOpaque()
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, _ in
                guard let context else { return SQLITE_OK }
                let auditor = Unmanaged<SQLiteAuditor>.fromOpaque(context).takeUnretainedValue()
                let name = first.map { String(cString: $0) }
                let argument = second.map { String(cString: $0) }
                return auditor.audit.note(action, name, argument) ? SQLITE_OK : SQLITE_DENY
            }, pointer)
        defer { sqlite3_set_authorizer(handle, nil, nil) }
        do {
            let statement = try SQLiteStatement.single(text, on: self)
            return withExtendedLifetime(auditor) { (statement, auditor.audit) }
        } catch let error as SQLiteError where error.primaryCode == SQLITE_AUTH {
            throw auditor.audit.denial
        }
    }

    /// Returns the number of statements in a text: 0, 1, or 2 if there are more.
    ///
    /// - Throws: `SQLiteError` if the first statement is not valid.
    func statementCount(in text: String) throws -> Int {
        var text = text
        return try text.withUTF8 { bytes in
            try bytes.withMemoryRebound(to: CChar.self) { characters in
                guard var start = characters.baseAddress else { return 0 }
                let end = start + characters.count
                var count = 0
                while start < end, count < 2 {
                    var statement: OpaquePointer?
                    var tail: UnsafePointer<CChar>?
                    let code = sqlite3_prepare_v2(
                        handle, start, Int32(clamping: end - start), &statement, &tail)
                    if statement != nil { count += 1 }
                    sqlite3_finalize(statement)
                    guard code == SQLITE_OK else {
                        // Anything after a first statement counts as a second one, even if it is
                        // not valid.
                        if count == 1 { return 2 }
                        throw SQLiteError(
                            handle, statement: String(cString: Array(characters) + [0]))
                    }
                    guard let tail, tail > start else { break }
                    start = tail
                }
                return count
            }
        }
    }
}
