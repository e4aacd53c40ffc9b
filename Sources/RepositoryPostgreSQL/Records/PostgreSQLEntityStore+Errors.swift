#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    extension PostgreSQLEntityStore {
        /// Runs an operation on a table and translates its errors.
        func mapped<R>(
            _ plan: PostgreSQLTable, id: String? = nil, _ body: () async throws -> R
        ) async throws -> R {
            do {
                return try await body()
            } catch {
                throw await translated(error, plan, id: id)
            }
        }

        /// Returns the error to throw for one of an operation on a table. If another program has
        /// changed the table, it lists all columns that differ: the server names the first.
        func translated(
            _ error: any Error, _ plan: PostgreSQLTable, id: String?
        ) async -> any Error {
            let table = plan.table
            guard let cause = PostgreSQLErrors.cause(error) else { return error }
            var found =
                error as? CRUDRepositoryError
                ?? PostgreSQLErrors.databaseError(cause, table: table.name, id: id)
            guard found.code == .schemaMismatch, found.table == table.name, table.entity.isManaged
            else { return found }
            // In a transaction that the error has ended, or without a connection, the first
            // difference is all that is known.
            let differences = try? await access.look { runner in
                try await PostgreSQLStoredColumns.differences([table], runner)
            }
            guard let differences, !differences.isEmpty else { return found }
            found.message = PostgreSQLErrors.changed(table.name, differences)
            return found
        }
    }
#endif
