internal import CSQLite
internal import RepositoryRuntime

/// What a statement writes, as SQLite says when it is prepared.
struct SQLiteAudit {
    /// The tables, those that references and triggers reach included.
    private(set) var tables: Set<String> = []
    /// Whether it changes what tables there are.
    private(set) var changesSchema = false

    /// What a statement is refused with that would end or begin a transaction.
    static var refusal: CRUDRepositoryError {
        .unsupported(
            "a statement that begins or ends a transaction; a body of `transaction` is one",
            by: "SQLite")
    }

    /// Takes note of an action; false where it is refused.
    fileprivate mutating func note(_ action: Int32, _ name: String?) -> Bool {
        switch action {
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
            if let name, name.hasPrefix("sqlite_") { changesSchema = true }
            if let name { tables.insert(name) }
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_ATTACH, SQLITE_DETACH:
            return false
        default: break
        }
        return true
    }
}

/// Hands SQLite's calls on while a statement is prepared.
private final class SQLiteAuditor {
    var audit = SQLiteAudit()
}

extension SQLiteConnection {
    /// Prepares a statement and says what it writes.
    func audited(_ text: String) throws -> (SQLiteStatement, SQLiteAudit) {
        if let audit = audit(of: text) { return (try statement(text), audit) }
        let auditor = SQLiteAuditor()
        // Retained by this call for as long as SQLite knows the pointer.
        let pointer = Unmanaged.passUnretained(auditor).toOpaque()
        sqlite3_set_authorizer(
            handle,
            { context, action, first, _, _, _ in
                guard let context else { return SQLITE_OK }
                let auditor = Unmanaged<SQLiteAuditor>.fromOpaque(context).takeUnretainedValue()
                let name = first.map { String(cString: $0) }
                return auditor.audit.note(action, name) ? SQLITE_OK : SQLITE_DENY
            }, pointer)
        defer { sqlite3_set_authorizer(handle, nil, nil) }
        do {
            let statement = try SQLiteStatement.single(text, on: self)
            keep(auditor.audit, of: text)
            withExtendedLifetime(auditor) {}
            return (statement, auditor.audit)
        } catch let error as SQLiteError where error.primaryCode == SQLITE_AUTH {
            throw SQLiteAudit.refusal
        }
    }

    /// How many statements a text holds; two where it holds more.
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
                        // What follows a first statement is one too many, whatever it is.
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
