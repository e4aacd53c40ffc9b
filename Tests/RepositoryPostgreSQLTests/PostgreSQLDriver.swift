#if PostgreSQL
    import CPostgreSQL
    import Foundation
    import RepositorySQL

    /// PostgreSQL as one of the databases for which somebody writes a driver: a server, parameters with
    /// other signs, and transactions that end with a failed statement.
    struct PostgreSQLDriver: SQLDriver {
        let name = "PostgreSQL by a driver"
        let address: String
        let schema: String

        var syntax: SQLSyntax {
            var syntax = SQLSyntax()
            syntax.textType = "TEXT COLLATE \"C\""
            syntax.dataType = "BYTEA"
            syntax.placeholders = .numbered("$")
            syntax.beginWriting = "BEGIN ISOLATION LEVEL SERIALIZABLE"
            // Queries go on meanwhile.
            syntax.tableLock = { table, isExclusive in
                "LOCK TABLE \(table) IN \(isExclusive ? "EXCLUSIVE" : "ROW SHARE") MODE"
            }
            syntax.beginReading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            syntax.longestName = 63
            syntax.failureEndsTransaction = true
            syntax.dataLiteral = { "'\\x\($0)'::bytea" }
            syntax.jsonValue = { column, path, kind in
                let keys = path.map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
                let value = "(\(column)::jsonb #> ARRAY[\(keys)]::text[])"
                let text = "(\(column)::jsonb #>> ARRAY[\(keys)]::text[])"
                guard kind == .integer else {
                    return
                        "((CASE WHEN jsonb_typeof\(value) = 'string' THEN \(text) END) COLLATE \"C\")"
                }
                return
                    "(CASE jsonb_typeof\(value) WHEN 'boolean' THEN \(text)::boolean::int::bigint WHEN 'number' THEN \(text)::numeric::bigint END)"
            }
            return syntax
        }

        func connect() throws -> PostgreSQLDriverConnection {
            guard let handle = PQconnectdb(address) else {
                throw SQLDriverError(.connectionLost, "there is no memory")
            }
            let connection = PostgreSQLDriverConnection(handle)
            guard PQstatus(handle) == CONNECTION_OK else {
                defer { connection.close() }
                throw SQLDriverError(.connectionLost, connection.message)
            }
            do {
                _ = try connection.execute("SET client_min_messages = warning", [])
                _ = try connection.execute("CREATE SCHEMA IF NOT EXISTS \"\(schema)\"", [])
                _ = try connection.execute("SET search_path TO \"\(schema)\"", [])
            } catch let error as SQLDriverError where error.kind == .uniqueViolation {
                // Another connection has created it at the same moment.
                _ = try connection.execute("SET search_path TO \"\(schema)\"", [])
            }
            return connection
        }
    }

    /// A connection. The store calls it from one thread at a time, so that it needs no lock.
    final class PostgreSQLDriverConnection: SQLConnection, @unchecked Sendable {
        private let handle: OpaquePointer

        init(_ handle: OpaquePointer) { self.handle = handle }

        var message: String {
            String(cString: PQerrorMessage(handle)).trimmingCharacters(in: .whitespacesAndNewlines)
        }

        func query(_ text: String, _ parameters: [SQLValue]) throws -> SQLResult {
            try run(text, parameters) { result in
                let columns = 0..<PQnfields(result)
                return try SQLResult(
                    columns: columns.map { String(cString: PQfname(result, $0)) },
                    rows: (0..<PQntuples(result)).map { row in
                        try columns.map { try value(result, row, $0) }
                    })
            }
        }

        func execute(_ text: String, _ parameters: [SQLValue]) throws -> Int {
            try run(text, parameters) { Int(String(cString: PQcmdTuples($0))) ?? 0 }
        }

        func tables() throws -> [String: [String]] {
            let found = try query(
                """
                SELECT c.relname::text, a.attname::text FROM pg_class c \
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
                WHERE c.relkind = 'r' AND c.relnamespace = \
                (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) \
                ORDER BY c.relname, a.attnum
                """, [])
            var tables: [String: [String]] = [:]
            for case (.text(let table), .text(let column)) in found.rows.map({ ($0[0], $0[1]) }) {
                tables[table, default: []].append(column)
            }
            return tables
        }

        /// Returns the scans of the plan. Its other lines have values.
        func explain(_ text: String, _ parameters: [SQLValue]) throws -> [String] {
            let isAlone = PQtransactionStatus(handle) == PQTRANS_IDLE
            if isAlone { _ = try execute("BEGIN", []) }
            defer {
                // A connection on which it fails is of no use to the store, either.
                if isAlone { _ = try? execute("ROLLBACK", []) }
            }
            // The plan of a table with many records, which a test does not have.
            _ = try execute("SET LOCAL enable_seqscan = off", [])
            return try query("EXPLAIN (COSTS OFF) \(text)", parameters).rows.compactMap { row in
                guard case .text(let line)? = row.first, line.contains(" Scan ") else { return nil }
                return line
            }
        }

        func close() { PQfinish(handle) }

        /// Runs a statement with its parameters as text.
        private func run<R>(
            _ text: String, _ parameters: [SQLValue], _ body: (OpaquePointer) throws -> R
        ) throws -> R {
            let texts = parameters.map { parameter -> [CChar]? in
                switch parameter {
                case .null: nil
                case .integer(let value): Array("\(value)".utf8CString)
                case .double(let value): Array("\(value)".utf8CString)
                case .text(let value): Array(value.utf8CString)
                case .data(let value):
                    Array(
                        ("\\x" + value.map { String(format: "%02x", $0) }.joined()).utf8CString)
                }
            }
            let copies = texts.map { text in text.map { UnsafePointer(strdup($0)) } ?? nil }
            defer { for copy in copies { free(UnsafeMutablePointer(mutating: copy)) } }
            let result = copies.withUnsafeBufferPointer {
                PQexecParams(
                    handle, text, Int32(copies.count), nil, $0.baseAddress, nil, nil, 0)
            }
            guard let result else { throw SQLDriverError(.connectionLost, message) }
            defer { PQclear(result) }
            let status = PQresultStatus(result)
            guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
                throw error(result)
            }
            return try body(result)
        }

        /// Returns a value, by the number of its type in the catalog of the server.
        private func value(
            _ result: OpaquePointer, _ row: Int32, _ column: Int32
        ) throws -> SQLValue {
            if PQgetisnull(result, row, column) != 0 { return .null }
            let text = String(cString: PQgetvalue(result, row, column))
            switch PQftype(result, column) {
            case 20, 21, 23: return Int64(text).map { .integer($0) } ?? .text(text)
            case 700, 701: return Double(text).map { .double($0) } ?? .text(text)
            case 17:
                var data = Data()
                var rest = text.utf8.dropFirst(2)
                while let byte = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                    data.append(byte)
                    rest = rest.dropFirst(2)
                }
                return .data(data)
            default: return .text(text)
            }
        }

        private func error(_ result: OpaquePointer) -> SQLDriverError {
            func field(_ letter: Unicode.Scalar) -> String {
                PQresultErrorField(result, Int32(letter.value)).map { String(cString: $0) } ?? ""
            }
            // PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY. Other parts of a message have values.
            let (state, message) = (field("C"), field("M"))
            if PQstatus(handle) == CONNECTION_BAD {
                return SQLDriverError(.connectionLost, message)
            }
            switch state {
            case "23505": return SQLDriverError(.uniqueViolation, message)
            case "40001", "40P01", "55P03": return SQLDriverError(.conflict, message)
            case "53100": return SQLDriverError(.storageFull, message)
            case "57014": return SQLDriverError(.interrupted, message)
            case let state where state.hasPrefix("23"):
                return SQLDriverError(.constraintViolation, message)
            default: return SQLDriverError(.other, message)
            }
        }
    }
#endif
