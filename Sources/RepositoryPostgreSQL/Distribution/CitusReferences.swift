#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import Synchronization

    /// The records to which a transaction has referred, and those that it has deleted.
    ///
    /// Nodes check references when they commit. If that fails, Citus reports only that a node could
    /// not commit. The store therefore looks for dangling references before it commits.
    final class CitusReferences: Sendable {
        /// A record to which others may refer.
        private struct Target: Hashable {
            let table: String
            let key: [StoredValue]
        }

        /// What has to be looked for.
        private struct Search: Sendable {
            let table: SQLTable
            let reference: SQLReference
            let key: [SQLParameter]
        }

        /// The searches for each record, by referring table and reference.
        private let searches = Mutex<[String: [Target: Search]]>([:])
        /// The tables of which all records were deleted.
        private let emptied = Mutex<[String: PostgreSQLTable]>([:])
        /// The number of searches that are sent together.
        private static let mostTogether = 500

        /// Notes the references of a record that is written.
        ///
        /// - Parameter row: the values of its fields.
        func noteWritten(_ row: [StoredValue], _ plan: PostgreSQLTable) {
            let table = plan.table
            for reference in table.references where row[reference.field] != .null {
                let key = PostgreSQLValues.components(
                    row[reference.field], of: reference.field, in: table)
                note(Search(table: table, reference: reference, key: key))
            }
        }

        /// Notes that a record was deleted.
        ///
        /// - Parameter key: the components of its id.
        func noteDeleted(_ key: [StoredValue], _ plan: PostgreSQLTable) {
            let forms = plan.table.key.map { plan.table.columns[$0].form }
            for (table, reference) in plan.referrers {
                let parameters = zip(key, forms).map { SQLParameter($0, $1) }
                note(Search(table: table, reference: reference, key: parameters))
            }
        }

        /// Notes that all records of a table were deleted.
        func noteEmptied(_ plan: PostgreSQLTable) {
            emptied.withLock { $0[plan.table.name] = plan }
        }

        private func note(_ search: Search) {
            let name = search.table.constraintName(of: search.reference)
            let target = Target(table: search.reference.table, key: search.key.map(\.value))
            searches.withLock { $0[name, default: [:]][target] = search }
        }

        /// Looks for dangling references.
        ///
        /// - Throws: the error that the database would report for one.
        func check(_ connection: PostgreSQLConnection) async throws {
            let noted = searches.withLock { searches in
                defer { searches = [:] }
                return searches.sorted { $0.key < $1.key }.flatMap { $0.value.values }
            }
            for start in stride(from: 0, to: noted.count, by: Self.mostTogether) {
                let part = noted[start..<min(start + Self.mostTogether, noted.count)]
                try await check(Array(part), connection)
            }
            let plans = emptied.withLock { emptied in
                defer { emptied = [:] }
                return emptied.values.sorted { $0.table.name < $1.table.name }
            }
            for plan in plans {
                for (table, reference) in plan.referrers {
                    let text = Self.anyDangling(reference, of: table)
                    if try await connection.run(text).count > 0 {
                        throw Self.error(reference, of: table)
                    }
                }
            }
        }

        /// Looks for records with references to records that are not there.
        private func check(
            _ searches: [Search], _ connection: PostgreSQLConnection
        ) async throws {
            let targets = try await Self.run(Self.target, searches, connection)
            let gone = zip(searches, targets).filter { $0.1.count == 0 }.map(\.0)
            if gone.isEmpty { return }
            let referrers = try await Self.run(Self.referrer, gone, connection)
            guard let found = zip(gone, referrers).first(where: { $0.1.count > 0 })?.0 else {
                return
            }
            throw Self.error(found.reference, of: found.table)
        }

        /// Runs a statement for each search, in one round trip.
        private static func run(
            _ text: (Search) -> String, _ searches: [Search], _ connection: PostgreSQLConnection
        ) async throws -> [PostgreSQLResult] {
            do {
                return try await connection.runAll(
                    searches.map {
                        PostgreSQLConnection.Step(
                            text: text($0), parameters: try PostgreSQLValues.parameters($0.key))
                    })
            } catch let error as PostgreSQLStepError {
                throw error.error
            }
        }

        private static func target(_ search: Search) -> String {
            select(search.reference.table, search.reference.targetColumns)
        }

        private static func referrer(_ search: Search) -> String {
            select(search.table.name, search.table.keyColumns(of: search.reference))
        }

        private static func select(_ table: String, _ columns: [String]) -> String {
            let dialect = PostgreSQLDialect()
            let conditions = columns.enumerated().map { "\(dialect.quoted($1)) = $\($0 + 1)" }
            return "SELECT 1 FROM \(dialect.quoted(table)) WHERE "
                + conditions.joined(separator: " AND ") + " LIMIT 1"
        }

        private static func anyDangling(_ reference: SQLReference, of table: SQLTable) -> String {
            let dialect = PostgreSQLDialect()
            let columns = table.keyColumns(of: reference)
            let row = "(\(dialect.list(columns)))"
            let present = reference.columns.map { "\(dialect.quoted($0)) IS NOT NULL" }
            return "SELECT 1 FROM \(dialect.quoted(table.name)) WHERE "
                + present.joined(separator: " AND ") + " AND \(row) NOT IN (SELECT "
                + "\(dialect.list(reference.targetColumns)) FROM "
                + "\(dialect.quoted(reference.table))) LIMIT 1"
        }

        private static func error(_ reference: SQLReference, of table: SQLTable) -> PostgreSQLError
        {
            PostgreSQLError(
                state: "23503", message: "a record refers to one that is not there",
                constraint: table.constraintName(of: reference), table: table.name, column: nil,
                isConnectionLost: false, routine: nil)
        }
    }
#endif
