#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// A transaction or a snapshot on a leased connection, or a nested transaction.
    final class PostgreSQLTransaction: SQLTransactionShell, PostgreSQLEntityStore {
        static let kind = "transaction"
        let access: PostgreSQLTransactionAccess
        let store: PostgreSQLStore

        init(_ store: PostgreSQLStore, _ access: PostgreSQLTransactionAccess) {
            self.store = store
            self.access = access
        }

        deinit { access.abandon() }

        var tables: PostgreSQLTables { store.tables }

        func begin() async throws -> any StoreTransaction {
            try await PostgreSQLErrors.mapped {
                PostgreSQLTransaction(store, try await access.nested())
            }
        }

        func externalState() async throws -> UInt64? { nil }

        func rebuildIndexes() async throws {
            throw CRUDRepositoryError.unsupported(
                "the rebuilding of indexes in a transaction", by: name)
        }

        func commit() async throws {
            let tables = self.tables
            try await PostgreSQLErrors.mapped {
                try await access.commit { error, connection in
                    let error = CitusErrors.named(error, among: tables)
                    guard let plan = error.table.flatMap({ tables.find($0) }) else {
                        return PostgreSQLErrors.databaseError(error)
                    }
                    let columns = try await PostgreSQLDiagnosis(plan, tables, connection)
                        .columns(of: error)
                    return PostgreSQLViolation(table: plan.table, id: nil)
                        .error(error, columns: columns)
                }
            }
        }

        func rollBack() async { await access.rollBack() }

        func writeExternalChunk<E: Entity>(
            _ type: E.Type, id: E.ID, content: String, index: Int, _ chunk: Data
        ) async throws {
            try await storeChunk(type, id: id, content: content, index: index, chunk)
        }
    }
#endif
