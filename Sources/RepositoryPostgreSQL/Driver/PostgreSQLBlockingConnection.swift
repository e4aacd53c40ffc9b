#if PostgreSQL
    internal import Dispatch
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import Synchronization

    /// A connection for a thread that may block.
    ///
    /// The functions of a migration are synchronous, and they read and write records while they
    /// run. This is why a migration runs on a thread of its own, which waits for each answer.
    final class PostgreSQLBlockingConnection {
        private let connection: PostgreSQLConnection
        private var cursors = 0
        /// Decrypts the fields of stored tables; `nil` if the store has no encryption.
        var encryption: (any FieldCipher)?

        /// Whether the task that runs the thread was cancelled.
        private let cancellation: CancellationFlag

        private init(_ connection: PostgreSQLConnection, _ cancellation: CancellationFlag) {
            self.connection = connection
            self.cancellation = cancellation
        }

        /// Runs `body` on a thread of its own. Nobody else uses the connection meanwhile.
        ///
        /// - Parameters:
        ///   - connection: the connection.
        ///   - isMigration: whether the statements may take any time, as those of migrations and
        ///     copies of the data do.
        ///   - body: the statements.
        /// - Throws: what `body` throws.
        static func run<R: Sendable>(
            _ connection: PostgreSQLConnection, isMigration: Bool = true,
            _ body: @escaping @Sendable (PostgreSQLBlockingConnection) throws -> R
        ) async throws -> R {
            let limit = connection.answerLimit
            let onStatement = connection.onStatement
            if isMigration { (connection.answerLimit, connection.onStatement) = (nil, nil) }
            defer { (connection.answerLimit, connection.onStatement) = (limit, onStatement) }
            let cancellation = CancellationFlag()
            return try await withTaskCancellationHandler {
                try await OwnThread.run("PostgreSQL migration") {
                    try body(PostgreSQLBlockingConnection(connection, cancellation))
                }
            } onCancel: {
                cancellation.cancel()
            }
        }

        /// Throws `CancellationError` if the task was cancelled. The statements themselves go on.
        func checkCancellation() throws { try cancellation.check() }

        /// Runs asynchronous statements and waits for their end.
        func wait<R: Sendable>(
            _ body: @escaping @Sendable (PostgreSQLConnection) async throws -> R
        ) throws -> R {
            let answer = Answer<R>()
            Task { [connection] in
                do {
                    answer.give(.success(try await body(connection)))
                } catch {
                    answer.give(.failure(error))
                }
            }
            return try answer.wait()
        }

        /// Runs one statement.
        ///
        /// - Throws: `PostgreSQLError`.
        @discardableResult
        func run(
            _ text: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters()
        ) throws -> PostgreSQLResult {
            try wait { try await $0.run(text, parameters) }
        }

        /// Runs several statements in one round trip.
        ///
        /// - Throws: `PostgreSQLStepError`.
        @discardableResult
        func runAll(_ steps: [PostgreSQLConnection.Step]) throws -> [PostgreSQLResult] {
            try wait { try await $0.runAll(steps) }
        }

        /// Runs statements in one message, without parameters.
        func runSimple(_ text: String) throws { try wait { _ = try await $0.runSimple(text) } }

        /// Runs `body` in a transaction, and rolls back if it throws.
        ///
        /// - Parameter begin: the statements that begin the transaction.
        func transaction<R>(_ begin: String, _ body: () throws -> R) throws -> R {
            try runSimple(begin)
            do {
                let result = try body()
                try runSimple("COMMIT")
                return result
            } catch {
                // The rollback of a lost connection fails, too; the first error is the one to
                // report.
                _ = try? wait { connection in
                    if connection.isInTransaction { try await connection.runSimple("ROLLBACK") }
                }
                throw error
            }
        }

        /// Returns a name for a cursor that no other one has.
        func nextCursor() -> String {
            cursors += 1
            return "repository_\(cursors)"
        }

        /// Returns the number that a query returns.
        func integer(_ text: String) throws -> Int { Int(try run(text).integer(0, 0) ?? 0) }

        /// Returns whether a query has a row.
        func hasRow(_ text: String) throws -> Bool { try run("\(text) LIMIT 1").count > 0 }

        /// The answer that a thread waits for.
        private final class Answer<R: Sendable>: Sendable {
            private let result = Mutex<Result<R, any Error>?>(nil)
            private let semaphore = DispatchSemaphore(value: 0)

            func give(_ result: Result<R, any Error>) {
                self.result.withLock { $0 = result }
                semaphore.signal()
            }

            func wait() throws -> R {
                while true {
                    if let result = result.withLock({ $0 }) { return try result.get() }
                    semaphore.wait()
                }
            }
        }
    }
#endif
