internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

/// A statement of the caller, with its parameters bound. It is valid during one read or write.
struct SQLiteOwnStatement {
    private let statement: SQLiteStatement
    /// The connection of the statement, for its change counts.
    private let connection: SQLiteConnection

    /// Runs a statement on a reading connection.
    ///
    /// - Returns: the result of `body`; `nil` if the statement writes, in which case it has not
    ///   run.
    /// - Throws: `unsupported` if the text is not a single statement, if it begins or ends a
    ///   transaction, or if it changes the state of its connection.
    static func read<R>(
        _ query: SQLQuery, _ connection: SQLiteConnection,
        _ body: (SQLiteOwnStatement) throws -> R
    ) throws -> R? {
        let (statement, _) = try connection.preparedWithAudit(query.text)
        guard sqlite3_stmt_readonly(statement.handle) != 0 else { return nil }
        let wasInTransaction = connection.isInTransaction
        defer { statement.reset() }
        let result = try run(query, statement, connection, body)
        guard connection.isInTransaction == wasInTransaction else {
            statement.reset()
            try connection.execute("ROLLBACK")
            throw SQLiteAudit.refusal
        }
        return result
    }

    /// Runs a statement on the writing connection, inside its transaction, and records the tables
    /// that it changed for observers.
    static func write<R>(
        _ query: SQLQuery, _ connection: SQLiteConnection, _ plans: EntityPlans,
        _ body: (SQLiteOwnStatement) throws -> R
    ) throws -> R {
        let (statement, audit) = try connection.audited(query.text)
        defer { statement.reset() }
        let result = try run(query, statement, connection, body)
        if audit.changesSchema {
            connection.forgetAudits()
            connection.log?.addAnything()
        }
        for table in audit.tables { connection.log?.addUnknown(plans.declaredName(of: table)) }
        return result
    }

    /// Binds the parameters and runs `body`.
    private static func run<R>(
        _ query: SQLQuery, _ statement: SQLiteStatement, _ connection: SQLiteConnection,
        _ body: (SQLiteOwnStatement) throws -> R
    ) throws -> R {
        for (index, parameter) in query.parameters.enumerated() {
            if parameter.value == .null {
                try statement.bindNull(at: index + 1)
            } else {
                try SQLiteValues.bind(parameter, to: statement, at: index + 1)
            }
        }
        return try body(Self(statement: statement, connection: connection))
    }

    /// Returns all rows.
    func rows() throws -> [SQLRow] {
        let columns = self.columns
        var rows: [SQLRow] = []
        while try statement.step() {
            let values = columns.indices.map { statement.value(at: $0) }
            rows.append(SQLRow(columns: columns, values: values, number: rows.count))
        }
        return rows
    }

    /// Returns all rows as entities. The result columns are found by their names.
    ///
    /// - Throws: `invalidRecord` if a column is missing or a row cannot be decoded.
    func entities<E: Entity>(_ type: E.Type, _ table: SQLTable) throws -> [E] {
        try SQLiteRows.all(type, statement, table, at: table.places(in: columns))
    }

    /// Runs the statement and returns the number of rows that it changed.
    func changes() throws -> Int {
        let before = sqlite3_total_changes64(connection.handle)
        while try statement.step() {}
        // A statement that cannot change rows leaves SQLite's count of the previous statement
        // unchanged.
        let isChange = sqlite3_total_changes64(connection.handle) != before
        return isChange ? connection.changes : 0
    }

    /// The names of the result columns.
    private var columns: [String] {
        (0..<sqlite3_column_count(statement.handle)).map { column in
            sqlite3_column_name(statement.handle, column).map { String(cString: $0) } ?? ""
        }
    }
}

extension SQLiteStatement {
    /// Prepares a text that must be a single statement.
    ///
    /// - Throws: `unsupported` if it is not.
    static func single(_ text: String, on connection: SQLiteConnection) throws -> SQLiteStatement {
        let count = try connection.statementCount(in: text)
        guard count == 1 else {
            throw CRUDRepositoryError(
                .unsupported, "One statement is expected where there are \(count).")
        }
        return try SQLiteStatement(text, on: connection.handle, isKept: false)
    }

    /// Binds null to a parameter. Parameters are numbered from 1.
    func bindNull(at number: Int) throws {
        guard sqlite3_bind_null(handle, Int32(truncatingIfNeeded: number)) == SQLITE_OK else {
            throw failure()
        }
    }

    /// Returns the value of a column by its storage class. Columns are numbered from 0.
    func value(at column: Int) -> StoredValue {
        let place = Int32(truncatingIfNeeded: column)
        switch sqlite3_column_type(handle, place) {
        case SQLITE_INTEGER: return .integer(integer(at: column))
        case SQLITE_FLOAT: return .double(sqlite3_column_double(handle, place))
        case SQLITE_TEXT: return .text(text(at: column) ?? "")
        case SQLITE_BLOB: return .data(data(at: column))
        default: return .null
        }
    }
}
