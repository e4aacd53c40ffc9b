#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime

    /// What is written in the transaction of each write besides the records.
    struct PostgreSQLJournal: Sendable {
        /// Whether a write whose answer was lost is asked for.
        let isExactlyOnce: Bool
        /// Whether the changed records are noted for other programs.
        let isObserving: Bool
        /// Identifies the changes of this store.
        let source = PostgreSQLChangeSource()

        /// The tables. No table of a schema may have one of their names.
        static let tables: Set<String> = [PostgreSQLWriteTokens.name, PostgreSQLChangeTable.name]

        /// Whether there is anything to write.
        var isOn: Bool { isExactlyOnce || isObserving }

        /// Creates the tables that are not there. Several programs may do so at once.
        func create(_ connection: PostgreSQLConnection) async throws {
            var texts: [String] = []
            if isExactlyOnce, try await !PostgreSQLWriteTokens.isThere(connection) {
                texts.append(PostgreSQLWriteTokens.create)
            }
            if isObserving, try await !PostgreSQLChangeTable.isThere(connection) {
                texts += PostgreSQLChangeTable.create
            }
            if texts.isEmpty { return }
            try await PostgreSQLCatalog.createMissing(texts.joined(separator: "; "), connection)
        }

        /// Returns the statements that are part of the next write of a connection.
        func steps(
            _ connection: PostgreSQLConnection, _ log: ChangeLog?
        ) -> [PostgreSQLConnection.Step] {
            var steps: [PostgreSQLConnection.Step] = []
            if isObserving, let change = log?.change {
                steps.append(PostgreSQLChangeTable.step(change, of: source.id))
            }
            if isExactlyOnce, let step = PostgreSQLWriteTokens.step(connection) {
                steps.append(step)
            }
            return steps
        }

        /// Prepares a connection for a write.
        func begin(_ connection: PostgreSQLConnection) async throws {
            if isExactlyOnce, connection.writeSession == nil {
                try await PostgreSQLWriteTokens.begin(connection)
            }
        }
    }
#endif
