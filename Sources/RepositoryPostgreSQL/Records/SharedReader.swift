#if PostgreSQL
    internal import RepositoryRuntime

    /// Runs single reads on the shared connection of a store.
    struct SharedReader: PostgreSQLRunner, Sendable {
        private let shared: SharedConnection?
        /// Where a read is repeated that waits for a lock; `nil` if it throws `SharedRefusal`.
        private let pool: ConnectionPool?

        init(shared: SharedConnection) { (self.shared, pool) = (shared, nil) }

        init(access: PostgreSQLPoolAccess) { (shared, pool) = (access.sharedReads, access.pool) }

        func run(
            _ text: String, _ parameters: PostgreSQLParameters
        ) async throws -> PostgreSQLResult {
            do {
                let step = PostgreSQLConnection.Step(text: text, parameters: parameters)
                guard let shared else { throw SharedRefusal.needsLease }
                return try await shared.run(step)
            } catch let error as PostgreSQLStepError {
                throw error.error
            } catch let refusal as SharedRefusal {
                guard let pool else { throw refusal }
                let connection = try await pool.lease(pool.answerLimit)
                defer { pool.giveBack(connection) }
                return try await connection.run(text, parameters)
            }
        }
    }
#endif
