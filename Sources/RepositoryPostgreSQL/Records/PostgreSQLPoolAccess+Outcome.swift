#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime

    /// How long an operation that cannot reach the server goes on trying.
    struct PostgreSQLPatience {
        private let time: Duration
        private var deadline: ContinuousClock.Instant?
        private var attempt = 0

        init(_ time: Duration) { self.time = time }

        /// Whether the operation has waited.
        var hasBegun: Bool { deadline != nil }

        /// Waits a random time, which grows with each attempt.
        ///
        /// - Throws: `error` when the time is over; `CancellationError`.
        mutating func wait(_ error: PostgreSQLError) async throws {
            let deadline = self.deadline ?? .now + time
            self.deadline = deadline
            if ContinuousClock.now >= deadline { throw error }
            attempt += 1
            let most = Double(min(10 << min(attempt, 6), 500))
            try await Task.sleep(for: .milliseconds(Double.random(in: 0...most)))
        }
    }

    extension PostgreSQLPoolAccess {
        /// Compares the tables with those of the open schemas, after another program has changed
        /// them. It may have distributed them.
        ///
        /// - Throws: `schemaMismatch`.
        func compareSchemas(
            _ runner: any PostgreSQLRunner, since comparisons: Int
        ) async throws {
            try await watch.compare(runner, since: comparisons)
            if !isSpread, try await CitusCatalog.isInstalled(runner) { noteSpread() }
        }

        /// Asks whether a write whose answer was lost happened. The task may be cancelled meanwhile.
        func outcome(of question: PostgreSQLWriteQuestion) async -> Bool? {
            await question.answer { [self] in await outcome(of: $0) }
        }

        /// Asks whether a write whose answer was lost happened.
        ///
        /// While the server still works on it, its process is ended: it either commits or does not.
        /// If it did not happen, it cannot happen later.
        ///
        /// - Returns: `nil` if no server gave an answer in the time that operations wait for a
        ///   connection.
        func outcome(of write: PostgreSQLLostWrite) async -> Bool? {
            // The task may be cancelled, but what it did must be known.
            await Task { [self] in
                var patience = PostgreSQLPatience(pool.waitTimeout)
                while true {
                    do {
                        return try await asked(write)
                    } catch {
                        do {
                            try await patience.wait(
                                error as? PostgreSQLError ?? PostgreSQLError(client: "\(error)"))
                        } catch {
                            return nil
                        }
                    }
                }
            }.value
        }

        /// Asks once.
        private func asked(_ write: PostgreSQLLostWrite) async throws -> Bool {
            let connection = try await pool.lease(pool.answerLimit)
            defer { pool.giveBack(connection) }
            do {
                let isDone = try await PostgreSQLWriteTokens.ask(write, connection)
                guard !isDone else { return true }
            } catch let error as PostgreSQLError where error.state == "55P03" {
                try await PostgreSQLWriteTokens.end(write, connection)
                throw error
            }
            do {
                // It may hold locks that the next attempt needs.
                try await PostgreSQLWriteTokens.end(write, connection)
            } catch is PostgreSQLError {
                // Without the right to end it, its locks are waited for.
            }
            return false
        }
    }
#endif
