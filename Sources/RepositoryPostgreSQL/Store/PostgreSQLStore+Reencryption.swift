#if PostgreSQL
    internal import Foundation
    package import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    extension PostgreSQLStore: RewrappingStore {
        /// Encrypts the values again that have another key than the first one, in the tables of the
        /// open schemas.
        ///
        /// A record keeps its version, and observers are not notified. At the end, writers of these
        /// tables wait while the values of each key are counted.
        ///
        /// - Throws: `unsupported` for a store without an encryption; `keyNotFound`;
        ///   `CancellationError`.
        package func rewrap(batch: Int) async throws -> RewrappedDocuments {
            try access.life.check()
            guard let cipher = options.encryption else {
                throw CRUDRepositoryError.unsupported("reencryption", by: name)
            }
            let tables = try self.tables.all.compactMap { try PostgreSQLReencryption($0) }
                .sorted { $0.name < $1.name }
            return try await PostgreSQLErrors.mapped {
                var result = RewrappedDocuments()
                for table in tables {
                    result.rewritten += try await rewrite(table, max(1, batch))
                }
                try await access.leasing { connection in
                    result.remaining = try await connection.transaction {
                        try await Self.forgetKeys(tables, cipher, connection)
                    }
                }
                return result
            }
        }

        private func rewrite(_ table: PostgreSQLReencryption, _ batch: Int) async throws -> Int {
            var rewritten = 0
            var position: [StoredValue]? = []
            while let start = position {
                try Task.checkCancellation()
                let part = try await access.leasing { connection in
                    try await connection.transaction {
                        try await table.rewrite(after: start, batch, connection)
                    }
                }
                rewritten += part.rewritten
                position = part.last
            }
            return rewritten
        }

        private static func forgetKeys(
            _ tables: [PostgreSQLReencryption], _ cipher: any FieldCipher,
            _ connection: PostgreSQLConnection
        ) async throws -> [String: Int] {
            if tables.isEmpty { return [:] }
            // Writers of values with an earlier key note it again afterwards.
            try await connection.runSimple(
                "LOCK TABLE \(PostgreSQLDialect().list(tables.map(\.name))) IN SHARE MODE")
            var used: [String: Int] = [:]
            for table in tables {
                used.merge(try await table.keys(connection), uniquingKeysWith: +)
            }
            // Tables of schemas that are not open may have values of other keys.
            let description = try await PostgreSQLSchemaTable.description(connection)
            if description?.encryptedTables.allSatisfy(tables.map(\.name).contains) ?? false {
                try await PostgreSQLEncryption.forgetKeys(
                    except: Set(used.keys), cipher, connection)
            }
            return used
        }
    }

    /// Encrypts the values of a table again with the first key.
    private struct PostgreSQLReencryption: Sendable {
        private let plan: PostgreSQLTable
        private let cipher: RecordCipher
        private let dialect = PostgreSQLDialect()

        private var table: SQLTable { plan.table }
        var name: String { table.name }

        /// Prepares a table; `nil` if it has no encrypted fields.
        init?(_ plan: PostgreSQLTable) throws {
            guard let cipher = plan.table.cipher else { return nil }
            self.plan = plan
            self.cipher = cipher
        }

        /// What a part of the table needed.
        struct Part: Sendable {
            /// The number of values that were encrypted again.
            var rewritten = 0
            /// The id of the last record; `nil` at the end of the table.
            var last: [StoredValue]?
        }

        /// Encrypts the values of some records after an id again, inside a transaction.
        ///
        /// - Parameters:
        ///   - start: the id; empty for the beginning of the table.
        ///   - batch: the number of records.
        ///   - connection: the connection.
        func rewrite(
            after start: [StoredValue], _ batch: Int, _ connection: PostgreSQLConnection
        ) async throws -> Part {
            var parameters = try key(start)
            parameters.append(PostgreSQLType.int8) { $0.append(Int64(batch)) }
            let text = start.isEmpty ? plan.texts.firstPage : plan.texts.nextPage
            let result = try await connection.run("\(text) FOR UPDATE", parameters)
            var part = Part()
            var steps: [PostgreSQLConnection.Step] = []
            for row in 0..<result.count {
                let id = try table.key.map {
                    try PostgreSQLValues.value(result, row, $0, table.columns[$0].form)
                }
                part.last = id
                let values = try changedValues(id, result, row)
                if values.isEmpty { continue }
                steps.append(try update(values, of: id))
                part.rewritten += values.count
            }
            if !steps.isEmpty { _ = try await connection.runAll(steps) }
            if result.count < batch { part.last = nil }
            return part
        }

        /// Returns the values of a row that have another key, encrypted with the first one. Damaged
        /// values, and those of unknown keys, are left as they are.
        private func changedValues(
            _ id: [StoredValue], _ result: PostgreSQLResult, _ row: Int
        ) throws -> [(column: Int, value: Data)] {
            var changed: [(column: Int, value: Data)] = []
            for field in cipher.fields {
                let column = table.offsets[field]
                if result.isNull(row, column) { continue }
                let stored = Data(result.bytes(row, column))
                guard let key = cipher.key(of: stored), key != cipher.cipher.keyID else {
                    continue
                }
                do {
                    let text = id.identifierText
                    let plain = try cipher.open(stored, field, id: text) { cipher.isNoted($0) }
                    let head = IndexHead.head(of: stored) ?? Data()
                    changed.append(
                        (column, try cipher.seal(plain, field, id: text, head: head)))
                } catch is RecordDecodingError {
                    continue
                }
            }
            return changed
        }

        private func update(
            _ values: [(column: Int, value: Data)], of id: [StoredValue]
        ) throws -> PostgreSQLConnection.Step {
            var parameters = try key(id)
            let isRecord = table.keyNames.enumerated().map { number, name in
                "\(dialect.quoted(name)) = \(dialect.placeholder(number + 1))"
            }
            let sets = values.enumerated().map { number, value in
                "\(dialect.quoted(table.columns[value.column].name)) = \(dialect.placeholder(id.count + number + 1))"
            }
            for value in values {
                parameters.append(PostgreSQLType.bytea) { $0.append(contentsOf: value.value) }
            }
            let text =
                "UPDATE \(dialect.quoted(name)) SET \(sets.joined(separator: ", "))"
                + " WHERE \(isRecord.joined(separator: " AND "))"
            return PostgreSQLConnection.Step(
                text: try "WITH \(PostgreSQLEncryption.noting(cipher.cipher)) \(text)",
                parameters: parameters)
        }

        /// Returns the parameters of an id.
        private func key(_ id: [StoredValue]) throws -> PostgreSQLParameters {
            try PostgreSQLValues.parameters(
                id.enumerated().map { SQLParameter($1, table.columns[table.key[$0]].form) })
        }

        /// Returns the number of values that each key has, inside a transaction.
        func keys(_ connection: PostgreSQLConnection) async throws -> [String: Int] {
            var keys: [String: Int] = [:]
            for field in cipher.fields {
                let column = dialect.quoted(table.columns[table.offsets[field]].name)
                try await connection.runSimple(
                    "DECLARE repository_keys NO SCROLL CURSOR FOR SELECT substring(\(column) FROM 1 FOR \(IndexHead.size + 256)) FROM \(dialect.quoted(name)) WHERE \(column) IS NOT NULL"
                )
                while true {
                    let result = try await connection.run("FETCH FORWARD 1000 FROM repository_keys")
                    for row in 0..<result.count {
                        guard let key = cipher.key(of: Data(result.bytes(row, 0))) else {
                            continue
                        }
                        keys[key, default: 0] += 1
                    }
                    if result.count < 1000 { break }
                }
                try await connection.runSimple("CLOSE repository_keys")
            }
            return keys
        }
    }
#endif
