#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// A statement of the caller.
    struct PostgreSQLOwnStatement: Sendable {
        let text: String
        let parameters: PostgreSQLParameters
        /// The first word, in capital letters.
        private let keyword: String

        /// Checks a statement.
        ///
        /// - Throws: `unsupported` if there is none, or if it begins or ends a transaction or exchanges
        ///   rows with the client apart from its result.
        init(_ query: SQLQuery) throws {
            text = query.text
            keyword = Self.firstWord(query.text).uppercased()
            guard !keyword.isEmpty else {
                throw CRUDRepositoryError(
                    .unsupported, "One statement is expected where there is none.")
            }
            if Self.transactionKeywords.contains(keyword) { throw Self.transactionControl }
            if keyword == "COPY" {
                throw CRUDRepositoryError.unsupported(
                    "COPY by 'sql' ('withConnection' lends a connection for it)", by: "PostgreSQL")
            }
            var parameters = PostgreSQLParameters()
            for parameter in query.parameters { try Self.append(parameter, to: &parameters) }
            self.parameters = parameters
        }

        static let transactionControl = CRUDRepositoryError.unsupported(
            "a statement of 'sql' that begins or ends a transaction", by: "PostgreSQL")
        private static let transactionKeywords: Set = [
            "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE",
        ]
        private static let readingKeywords: Set = [
            "SELECT", "VALUES", "TABLE", "SHOW", "EXPLAIN", "WITH",
        ]
        private static let writingKeywords: Set = ["INSERT", "UPDATE", "DELETE", "MERGE"]

        /// Whether the statement may only read: the server decides when it runs.
        var mayOnlyRead: Bool { Self.readingKeywords.contains(keyword) }

        /// Whether the statement may change what belongs to the session: its settings, prepared
        /// statements, locks, and tables.
        var mayChangeSession: Bool {
            guard mayOnlyRead || Self.writingKeywords.contains(keyword) else { return true }
            let text = text.lowercased()
            return text.contains("set_config") || text.contains("advisory")
        }

        /// Returns the first word of a text, after spaces, comments and parentheses.
        ///
        /// Source of the comments: https://www.postgresql.org/docs/current/sql-syntax-lexical.html
        static func firstWord(_ text: String) -> String {
            var rest = Substring(text).utf8
            while let byte = rest.first {
                if rest.starts(with: "--".utf8) {
                    rest = rest.drop { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
                } else if rest.starts(with: "/*".utf8) {
                    rest = afterComment(rest)
                } else if byte <= 0x20 || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ";") {
                    rest.removeFirst()
                } else {
                    break
                }
            }
            return String(Substring(rest).prefix { $0.isASCII && $0.isLetter })
        }

        /// Drops a comment, which may contain others.
        private static func afterComment(_ text: Substring.UTF8View) -> Substring.UTF8View {
            var (rest, depth) = (text, 0)
            repeat {
                if rest.starts(with: "/*".utf8) {
                    depth += 1
                    rest = rest.dropFirst(2)
                } else if rest.starts(with: "*/".utf8) {
                    depth -= 1
                    rest = rest.dropFirst(2)
                } else {
                    rest = rest.dropFirst()
                }
            } while depth > 0 && !rest.isEmpty
            return rest
        }

        /// Appends a parameter. Text, and what is null, has the type of the place where it stands, like
        /// a literal.
        private static func append(
            _ parameter: SQLParameter, to parameters: inout PostgreSQLParameters
        ) throws {
            func append(_ type: UInt32) throws {
                var bytes: [UInt8] = []
                try PostgreSQLValues.write(parameter.value, as: type, to: &bytes)
                parameters.append(type) { $0 += bytes }
            }
            switch parameter.value {
            case .null: parameters.appendText(nil)
            case .text(let text):
                guard !text.utf8.contains(0) else {
                    throw CRUDRepositoryError(
                        .invalidItem, "A value cannot be bound: PostgreSQL has no text with U+0000."
                    )
                }
                parameters.appendText(text)
            case .bool: try append(PostgreSQLType.bool)
            case .integer: try append(PostgreSQLType.int8)
            case .double: try append(PostgreSQLType.float8)
            case .decimal: try append(PostgreSQLType.numeric)
            case .date: try append(PostgreSQLType.timestamptz)
            case .uuid: try append(PostgreSQLType.uuid)
            case .data: try append(PostgreSQLType.bytea)
            case .list, .object:
                throw CRUDRepositoryError.unsupported("such a parameter", by: "PostgreSQL")
            }
        }
    }

    /// What a statement of the caller has returned.
    struct PostgreSQLOwnResult: Sendable {
        let result: PostgreSQLResult
        /// The columns whose type is not built in, and whose bytes are text: enums.
        private let texts: Set<UInt32>

        /// Looks at the types of the columns.
        ///
        /// - Throws: `unsupported` for a column of a type that has no Swift value.
        init(_ result: PostgreSQLResult, _ connection: PostgreSQLConnection) async throws {
            self.result = result
            var texts: Set<UInt32> = []
            for column in 0..<result.columns {
                let type = result.type(column)
                guard !Self.builtIn.contains(type), !texts.contains(type) else { continue }
                let (name, isText) = try await Self.named(type, connection)
                guard isText else {
                    throw CRUDRepositoryError.unsupported(
                        "the column '\(result.name(column))' of the type '\(name)' (cast it, for example to text)",
                        by: "PostgreSQL")
                }
                texts.insert(type)
            }
            self.texts = texts
        }

        /// The types that have a Swift value. `void` is the type of functions that return nothing.
        private static let builtIn: Set<UInt32> = [
            PostgreSQLType.bool, PostgreSQLType.bytea, PostgreSQLType.name, PostgreSQLType.int8,
            PostgreSQLType.int2, PostgreSQLType.int4, PostgreSQLType.text, PostgreSQLType.json,
            PostgreSQLType.float4, PostgreSQLType.float8, PostgreSQLType.varchar,
            PostgreSQLType.date, PostgreSQLType.timestamp, PostgreSQLType.timestamptz,
            PostgreSQLType.numeric, PostgreSQLType.uuid, PostgreSQLType.jsonb, character, oid,
            unknown, xml, void,
        ]
        private static let character: UInt32 = 1042
        private static let oid: UInt32 = 26
        private static let unknown: UInt32 = 705
        private static let xml: UInt32 = 142
        private static let void: UInt32 = 2278

        /// Returns the name of a type, and whether its bytes are text.
        private static func named(
            _ type: UInt32, _ connection: PostgreSQLConnection
        ) async throws -> (name: String, isText: Bool) {
            var parameters = PostgreSQLParameters()
            parameters.append(PostgreSQLType.int8) { $0.append(Int64(type)) }
            let found = try await connection.run(
                """
                SELECT t.typname::text, t.typtype = 'e' OR t.typname = 'citext' FROM pg_type AS t \
                WHERE t.oid::bigint = $1
                """, parameters)
            return (found.count > 0 ? found.text(0, 0) ?? "" : "\(type)", found.isTrue(0, 1))
        }

        /// Returns all rows.
        ///
        /// - Throws: `invalidRecord` for a value that no Swift type holds, such as `infinity`.
        func rows() throws -> [SQLRow] {
            let columns = (0..<result.columns).map { result.name($0) }
            return try (0..<result.count).map { row in
                let values = try columns.indices.map { column in
                    do {
                        return try value(row, column)
                    } catch let error as RecordDecodingError {
                        throw CRUDRepositoryError(
                            .invalidRecord,
                            "In row \(row + 1), the column '\(columns[column])' \(error.reason).",
                            field: columns[column])
                    }
                }
                return SQLRow(columns: columns, values: values, number: row)
            }
        }

        private func value(_ row: Int, _ column: Int) throws -> StoredValue {
            if result.isNull(row, column) { return .null }
            let bytes = result.bytes(row, column)
            switch result.type(column) {
            case Self.void: return .null
            case Self.oid:
                return .integer(Int64(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
            // The text follows the number of the format.
            case PostgreSQLType.jsonb:
                return .text(String(decoding: bytes.dropFirst(), as: UTF8.self))
            default: return try PostgreSQLValues.value(result, row, column, .text)
            }
        }

        /// Returns all rows as entities. The columns are found by their names.
        ///
        /// - Throws: `invalidRecord` if a column is missing or a row cannot be decoded.
        func entities<E: Entity>(_ type: E.Type, _ table: SQLTable) throws -> [E] {
            let names = (0..<result.columns).map { result.name($0) }
            let chosen = try result.choosing(table.places(in: names))
            return try PostgreSQLRows.all(type, chosen, table)
        }
    }
#endif
