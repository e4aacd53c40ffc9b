internal import CSQLite

/// A statement that a connection has finished.
public struct SQLiteTracedStatement: Sendable, Hashable {
    /// The SQL, with a placeholder for each value. It never contains values.
    public let text: String
    /// The time from the first step to the end of the statement.
    public let duration: Duration
    /// The number of rows that the statement returned or changed, whichever is greater.
    public let rows: Int
}

/// Reports the statements of one connection. Only the thread that uses the connection calls it.
///
/// It counts rows with `SQLITE_TRACE_ROW` and reports a statement with `SQLITE_TRACE_PROFILE`. The
/// number of changed rows is the difference of SQLite's total change count.
final class SQLiteTracer {
    /// The function that receives the statements.
    private let report: @Sendable (SQLiteTracedStatement) -> Void
    /// The number of rows that each running statement has returned.
    private var rows: [OpaquePointer: Int] = [:]
    /// The total number of changes when the previous statement finished.
    private var changes: Int64 = 0

    init(_ report: @escaping @Sendable (SQLiteTracedStatement) -> Void) {
        self.report = report
    }

    /// Installs the trace callback. The tracer must live as long as the connection.
    func start(on connection: OpaquePointer) {
        changes = sqlite3_total_changes64(connection)
        sqlite3_trace_v2(
            connection, UInt32(SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE),
            { event, context, statement, detail in
                guard let context, let statement else { return 0 }
                let tracer = Unmanaged<SQLiteTracer>.fromOpaque(context).takeUnretainedValue()
                let handle = OpaquePointer(statement)
                if event == UInt32(SQLITE_TRACE_ROW) {
                    tracer.rows[handle, default: 0] += 1
                } else if let detail {
                    tracer.finish(handle, detail.load(as: Int64.self))
                }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Reports a finished statement.
    private func finish(_ statement: OpaquePointer, _ nanoseconds: Int64) {
        let total = sqlite3_total_changes64(sqlite3_db_handle(statement))
        let changed = Int(total - changes)
        changes = total
        guard let text = sqlite3_sql(statement) else { return }
        let returned = rows.removeValue(forKey: statement) ?? 0
        report(
            SQLiteTracedStatement(
                text: String(cString: text), duration: .nanoseconds(nanoseconds),
                rows: max(returned, changed)))
    }
}
