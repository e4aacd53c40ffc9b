import CSQLite
import Foundation
import RepositorySQL

/// A driver for SQLite, written with its functions in C.
struct ExampleDriver: SQLDriver {
    let name = "example"
    let path: String

    var syntax: SQLSyntax {
        var syntax = SQLSyntax()
        syntax.integerType = "INTEGER"
        syntax.doubleType = "REAL"
        syntax.placeholders = .numbered("?")
        syntax.nullOrder = .smallest
        syntax.tableOptions = "STRICT"
        syntax.beginWriting = "BEGIN IMMEDIATE"
        syntax.contains = { "instr(\($0), \($1)) > 0" }
        syntax.jsonValue = { column, path, _ in
            let names = path.map { ".\"\($0.replacing("'", with: "''"))\"" }.joined()
            return "json_extract(\(column), '$\(names)')"
        }
        return syntax
    }

    func connect() throws -> ExampleConnection {
        var handle: OpaquePointer?
        let code = sqlite3_open(path, &handle)
        let connection = ExampleConnection(handle)
        do {
            guard code == SQLITE_OK else {
                throw SQLDriverError(.connectionLost, connection.message)
            }
            sqlite3_busy_timeout(handle, 100)
            sqlite3_extended_result_codes(handle, 1)
            // Readers do not wait for the writer, and commits are durable.
            _ = try connection.query("PRAGMA journal_mode = WAL", [])
            _ = try connection.execute("PRAGMA synchronous = FULL", [])
            return connection
        } catch {
            connection.close()
            throw error
        }
    }
}

/// A connection. The store calls it from one thread at a time, so that it needs no lock.
final class ExampleConnection: SQLConnection, @unchecked Sendable {
    private var handle: OpaquePointer?
    /// The statements that were prepared, by their text.
    private var statements: [String: OpaquePointer] = [:]

    init(_ handle: OpaquePointer?) { self.handle = handle }

    var message: String { String(cString: sqlite3_errmsg(handle)) }

    func query(_ text: String, _ parameters: [SQLValue]) throws -> SQLResult {
        let statement = try prepared(text, parameters)
        defer { sqlite3_reset(statement) }
        let columns = 0..<sqlite3_column_count(statement)
        var result = SQLResult(
            columns: columns.map { String(cString: sqlite3_column_name(statement, $0)) }, rows: [])
        while try step(statement) {
            result.rows.append(columns.map { value(statement, $0) })
        }
        return result
    }

    func execute(_ text: String, _ parameters: [SQLValue]) throws -> Int {
        let statement = try prepared(text, parameters)
        defer { sqlite3_reset(statement) }
        while try step(statement) {}
        return Int(sqlite3_changes64(handle))
    }

    func tables() throws -> [String: [String]] {
        let found = try query(
            """
            SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c \
            WHERE m.type = 'table' ORDER BY m.name, c.cid
            """, [])
        var tables: [String: [String]] = [:]
        for case (.text(let table), .text(let column)) in found.rows.map({ ($0[0], $0[1]) }) {
            tables[table, default: []].append(column)
        }
        return tables
    }

    func explain(_ text: String, _ parameters: [SQLValue]) throws -> [String] {
        try query("EXPLAIN QUERY PLAN \(text)", parameters).rows.compactMap { row in
            if case .text(let line)? = row.last { line } else { nil }
        }
    }

    func interrupt() { sqlite3_interrupt(handle) }

    func close() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Returns a prepared statement with its parameters.
    private func prepared(_ text: String, _ parameters: [SQLValue]) throws -> OpaquePointer? {
        var statement = statements[text]
        if statement == nil {
            try check(sqlite3_prepare_v2(handle, text, -1, &statement, nil))
            statements[text] = statement
        }
        sqlite3_clear_bindings(statement)
        for (place, parameter) in parameters.enumerated() {
            try bind(parameter, statement, Int32(place + 1))
        }
        return statement
    }

    private func bind(_ value: SQLValue, _ statement: OpaquePointer?, _ place: Int32) throws {
        // SQLite copies texts and bytes.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let code =
            switch value {
            case .null: sqlite3_bind_null(statement, place)
            case .integer(let value): sqlite3_bind_int64(statement, place, value)
            case .double(let value): sqlite3_bind_double(statement, place, value)
            case .text(let text):
                sqlite3_bind_text(statement, place, text, Int32(text.utf8.count), copied)
            case .data(let data):
                data.isEmpty
                    ? sqlite3_bind_zeroblob(statement, place, 0)
                    : data.withUnsafeBytes {
                        sqlite3_bind_blob(
                            statement, place, $0.baseAddress, Int32($0.count), copied)
                    }
            }
        try check(code)
    }

    private func value(_ statement: OpaquePointer?, _ column: Int32) -> SQLValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: .double(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            // What is no UTF-8 is no text: the store reports the record.
            String(validating: bytes(statement, column), as: UTF8.self).map { .text($0) }
                ?? .data(Data(bytes(statement, column)))
        case SQLITE_BLOB: .data(Data(bytes(statement, column)))
        default: .null
        }
    }

    private func bytes(
        _ statement: OpaquePointer?, _ column: Int32
    ) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, column),
            count: Int(sqlite3_column_bytes(statement, column)))
    }

    private func step(_ statement: OpaquePointer?) throws -> Bool {
        let code = sqlite3_step(statement)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else {
            sqlite3_reset(statement)
            throw error(code)
        }
        return false
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Returns the error for a result code of SQLite.
    private func error(_ code: Int32) -> SQLDriverError {
        switch code & 0xFF {
        case SQLITE_CONSTRAINT:
            // SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY, which Swift does not import.
            let isUnique = code >> 8 == 8 || code >> 8 == 6
            return SQLDriverError(isUnique ? .uniqueViolation : .constraintViolation, message)
        case SQLITE_BUSY, SQLITE_LOCKED: return SQLDriverError(.conflict, message)
        case SQLITE_FULL: return SQLDriverError(.storageFull, message)
        case SQLITE_INTERRUPT: return SQLDriverError(.interrupted, message)
        case SQLITE_CANTOPEN, SQLITE_NOTADB, SQLITE_IOERR:
            return SQLDriverError(.connectionLost, message)
        default: return SQLDriverError(.other, message)
        }
    }
}
