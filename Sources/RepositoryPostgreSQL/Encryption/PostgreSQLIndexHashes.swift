#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// The hashes that precede the encrypted values of fields with an index.
    ///
    /// Every method that changes values must be called inside a transaction.
    struct PostgreSQLIndexHashes: Sendable {
        /// The number of records that are read at once.
        private static let batch = 500

        private let table: SQLTable
        private let connection: PostgreSQLConnection
        private let dialect = PostgreSQLDialect()

        private var name: String { dialect.quoted(table.name) }

        init(_ table: SQLTable, _ connection: PostgreSQLConnection) {
            self.table = table
            self.connection = connection
        }

        /// Hashes the values that an index needs, before it is built.
        static func complete(
            for index: TableIndex, _ table: SQLTable, _ connection: PostgreSQLConnection
        ) async throws {
            guard let cipher = table.cipher else { return }
            let fields = index.keys.map(\.field).filter(cipher.isIndexed)
            if fields.isEmpty { return }
            let noted = try await PostgreSQLEncryption.columns(cipher, connection)
            for field in fields {
                let taken = cipher.numbers(besides: field, among: noted)
                _ = try await Self(table, connection).complete(field, taken: taken)
            }
        }

        /// Hashes the values of a column that are not, or not as the index needs it. A column that
        /// was renamed keeps its hashes.
        ///
        /// - Parameters:
        ///   - field: a field that has an index.
        ///   - taken: the numbers of other columns.
        /// - Returns: the number of the column.
        /// - Throws: `schemaMismatch` if records share the values of a unique index.
        func complete(_ field: Int, taken: Set<Data>) async throws -> Data {
            guard let cipher = table.cipher else { return Data() }
            let check = cipher.check(
                field, from: try await end(of: field, "ASC"), to: try await end(of: field, "DESC"),
                taken: taken)
            if check.isOutdated {
                let prefix = "substr(\(column(field)), 1, \(IndexHead.prefixSize))"
                do {
                    try await rewrite(field, where: "\(prefix) <> $1", check.prefix) {
                        $1 + IndexHead.sealed($0)
                    }
                } catch let error as PostgreSQLError where error.isUnique {
                    throw CRUDRepositoryError.schemaMismatch(
                        store: "PostgreSQL",
                        differences: [
                            "the unique index over '\(table.fieldName(field))' of '\(table.name)' cannot be built: stored records share its values"
                        ])
                }
            }
            return cipher.columnNumber(field) ?? Data()
        }

        /// Removes the hashes from the values of a column.
        func remove(_ field: Int) async throws {
            let column = column(field)
            let mark = dialect.literal(.data(IndexHead.mark), as: .data) ?? "NULL"
            try await connection.run(
                "UPDATE \(name) SET \(column) = substr(\(column), \(IndexHead.size + 1)) WHERE substr(\(column), 1, \(IndexHead.mark.count)) = \(mark)"
            )
        }

        /// Hashes again the values whose hashes are not theirs, which another program has changed.
        ///
        /// It first removes the wrong hashes: records may have exchanged them, and a unique index is
        /// checked at every statement.
        ///
        /// - Throws: `PostgreSQLError` if records share the values of a unique index.
        func repair() async throws {
            for field in table.cipher?.indexedFields ?? [] {
                try await rewrite(field) { stored, _ in IndexHead.sealed(stored) }
                try await rewrite(field) { stored, head in head + IndexHead.sealed(stored) }
            }
        }

        /// Returns a problem for each index in which values have no hash or that of another value.
        func problems() async throws -> [StoreCheck.Problem] {
            var problems: [StoreCheck.Problem] = []
            for field in table.cipher?.indexedFields ?? [] {
                var (count, wrong, position) = (0, 0, [StoredValue]?.some([]))
                while let start = position {
                    let page = try await page(of: field, after: start)
                    count += page.rows.count
                    wrong += page.rows.count { IndexHead.head(of: $0.stored) != $0.head }
                    position = page.last
                }
                if wrong > 0 {
                    problems.append(
                        .outdatedHashes(of: field, in: table.entity, wrong, among: count))
                }
            }
            return problems
        }

        private func column(_ field: Int) -> String {
            dialect.quoted(table.columns[table.offsets[field]].name)
        }

        /// Returns the first bytes of the smallest or greatest value in the order of the index;
        /// `nil` if there are no values.
        private func end(of field: Int, _ order: String) async throws -> Data? {
            let head = table.columns[table.offsets[field]].head(dialect)
            let result = try await connection.run(
                "SELECT \(head) FROM \(name) WHERE \(head) IS NOT NULL ORDER BY \(head) \(order) LIMIT 1"
            )
            return result.count == 0
                ? nil : Data(result.bytes(0, 0)).prefix(IndexHead.prefixSize)
        }

        /// Changes the values that have no hash or another one. Values that cannot be decrypted are
        /// left as they are.
        ///
        /// - Parameter change: returns the new bytes for the stored ones and the head that the value
        ///   must have.
        private func rewrite(
            _ field: Int, where condition: String? = nil, _ value: Data? = nil,
            _ change: (_ stored: Data, _ head: Data) -> Data
        ) async throws {
            let isRecord = table.keyNames.enumerated().map {
                "\(dialect.quoted($1)) = \(dialect.placeholder($0 + 2))"
            }
            let text =
                "UPDATE \(name) SET \(column(field)) = $1 WHERE \(isRecord.joined(separator: " AND "))"
            var position: [StoredValue]? = []
            while let start = position {
                let page = try await page(of: field, after: start, where: condition, value)
                var steps: [PostgreSQLConnection.Step] = []
                for row in page.rows {
                    guard let head = row.head, IndexHead.head(of: row.stored) != head else {
                        continue
                    }
                    steps.append(
                        PostgreSQLConnection.Step(
                            text: text,
                            parameters: try parameters(change(row.stored, head), row.id)))
                }
                do {
                    if !steps.isEmpty { _ = try await connection.runAll(steps) }
                } catch let error as PostgreSQLStepError {
                    throw error.error
                }
                position = page.last
            }
        }

        /// A value of a column, with the head that it must have; `nil` for a value that cannot be
        /// decrypted.
        private struct Row {
            let id: [StoredValue]
            let stored: Data
            let head: Data?
        }

        /// Returns the values of a field in the next records, and the id of the last one; `nil` at
        /// the end.
        ///
        /// - Parameters:
        ///   - field: the field.
        ///   - start: the id of the record before; empty for the first records.
        ///   - condition: selects values, by a parameter `$1`.
        ///   - value: the parameter.
        private func page(
            of field: Int, after start: [StoredValue], where condition: String? = nil,
            _ value: Data? = nil
        ) async throws -> (rows: [Row], last: [StoredValue]?) {
            let keys = dialect.list(table.keyNames)
            var text =
                "SELECT \(keys), \(column(field)) FROM \(name) WHERE \(column(field)) IS NOT NULL"
            if let condition { text += " AND \(condition)" }
            if !start.isEmpty {
                let first = value == nil ? 1 : 2
                let places = start.indices.map { dialect.placeholder($0 + first) }
                text += " AND (\(keys)) > (\(places.joined(separator: ", ")))"
            }
            text += " ORDER BY \(keys) LIMIT \(Self.batch)"
            let result = try await connection.run(text, try parameters(value, start))
            let heads = try SQLIndexHeads(table)
            let rows = try (0..<result.count).map { row in
                let id = try table.key.enumerated().map { number, position in
                    try PostgreSQLValues.value(
                        result, row, number, table.columns[position].form)
                }
                let stored = Data(result.bytes(row, table.key.count))
                let head = try heads.head(of: stored, field, id: id) {
                    table.cipher?.isNoted($0) ?? false
                }
                return Row(id: id, stored: stored, head: head)
            }
            return (rows, rows.count < Self.batch ? nil : rows.last?.id)
        }

        /// Returns the parameters of a value and an id.
        private func parameters(
            _ value: Data?, _ id: [StoredValue]
        ) throws -> PostgreSQLParameters {
            let values = value.map { [SQLParameter(.data($0), .data)] } ?? []
            return try PostgreSQLValues.parameters(
                values
                    + id.enumerated().map { SQLParameter($1, table.columns[table.key[$0]].form) })
        }
    }
#endif
