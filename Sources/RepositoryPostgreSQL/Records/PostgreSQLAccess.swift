#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import Synchronization

    /// A connection during one operation, and the changes that the operation makes.
    final class PostgreSQLJob {
        let connection: PostgreSQLConnection
        /// The changes for observers; `nil` if there are none.
        var log: ChangeLog?
        /// Whether a transaction is being committed, so that a lost answer leaves the outcome open.
        var isCommitting = false
        /// The statements that are sent with the first one; none once they were sent.
        private var prefix: [PostgreSQLConnection.Step]
        /// Whether a statement was sent.
        private(set) var hasStarted = false
        /// The number of the statement among them that compares the description of the schemas.
        private let guardPlace: Int?

        /// - Parameter begin: the statements that begin the operation. They are sent with its first
        ///   statement, so that they cost no round trip.
        init(
            _ connection: PostgreSQLConnection, _ log: ChangeLog?, _ watch: PostgreSQLSchemaWatch,
            beginning begin: [String] = []
        ) {
            self.connection = connection
            self.log = log
            prefix = begin.map { PostgreSQLConnection.Step(text: $0) }
            let step = watch.step
            guardPlace = step == nil ? nil : prefix.count
            if let step { prefix.append(step) }
        }

        /// Sends the statements that begin the operation, if they were not sent. A body that uses
        /// ``connection`` itself calls it first.
        func start() async throws {
            do {
                _ = try await runAll([])
            } catch let error as PostgreSQLStepError {
                throw error.error
            }
        }

        /// Runs a statement.
        ///
        /// - Throws: `PostgreSQLError`; `PostgreSQLSchemaSignal` if the tables were changed since
        ///   the program has opened them.
        @discardableResult
        func run(
            _ text: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters()
        ) async throws -> PostgreSQLResult {
            if prefix.isEmpty {
                hasStarted = true
                return try await connection.run(text, parameters)
            }
            do {
                let results = try await runAll([
                    PostgreSQLConnection.Step(text: text, parameters: parameters)
                ])
                guard let result = results.first else {
                    throw PostgreSQLError(client: "the answer is missing", isConnectionLost: true)
                }
                return result
            } catch let error as PostgreSQLStepError {
                throw error.error
            }
        }

        /// Runs several statements in one round trip.
        ///
        /// - Throws: `PostgreSQLStepError`; `PostgreSQLSchemaSignal`.
        func runAll(_ steps: [PostgreSQLConnection.Step]) async throws -> [PostgreSQLResult] {
            let first = prefix
            hasStarted = true
            if first.isEmpty { return try await connection.runAll(steps) }
            prefix = []
            do {
                return Array(try await connection.runAll(first + steps).dropFirst(first.count))
            } catch let error as PostgreSQLStepError {
                // The table of the description is gone, or has another revision.
                if error.step == guardPlace, ["22P02", "42P01"].contains(error.error.state) {
                    throw PostgreSQLSchemaSignal()
                }
                guard error.step >= first.count else { throw error.error }
                throw PostgreSQLStepError(error: error.error, step: error.step - first.count)
            }
        }
    }

    extension PostgreSQLJob {
        private static let savepoint = "repository_copy"

        /// Sends rows by `COPY`.
        ///
        /// - Parameters:
        ///   - text: the statement.
        ///   - count: the number of rows.
        ///   - row: returns the values of a row, by its number.
        /// - Returns: whether they are stored. If not, one of them violates a constraint; statements
        ///   for single rows tell which one.
        func copyIn(
            _ text: String, count: Int, _ row: (Int) throws -> PostgreSQLParameters
        ) async throws -> Bool {
            do {
                _ = try await runAll([.init(text: "SAVEPOINT \(Self.savepoint)")])
                try await connection.copyIn(text, count: count, row)
                try await connection.run("RELEASE \(Self.savepoint)")
                return true
            } catch let error as PostgreSQLError where error.isConstraint {
                try await connection.runSimple(
                    "ROLLBACK TO \(Self.savepoint); RELEASE \(Self.savepoint)")
                return false
            } catch let error as PostgreSQLStepError {
                throw error.error
            }
        }
    }

    /// How much of an operation is undone when it fails.
    enum PostgreSQLIsolation: Sendable {
        /// Single statements, each of which is atomic by itself.
        case statement
        /// All statements, in one transaction. The setting is run at its beginning, the check at
        /// its end.
        case batch(setting: String?, check: String?)
        /// All statements, in one serializable transaction, which may run again.
        case serializable(setting: String?, check: String?)
    }

    /// Returns the error to throw for an error of the database, after a write was undone.
    ///
    /// - Parameter step: the number of the statement that failed; `nil` if it is not known.
    typealias PostgreSQLDiagnose =
        @Sendable (PostgreSQLError, _ step: Int?, PostgreSQLConnection) async throws ->
        CRUDRepositoryError

    /// Decides which connection an operation uses.
    protocol PostgreSQLAccess: Sendable {
        /// Runs a read. It may run again on another connection if the first one was lost.
        func read<R: Sendable>(
            _ body: @escaping @Sendable (PostgreSQLConnection) async throws -> R
        ) async throws -> R
        /// Runs a write, and returns when its changes are as durable as the access makes them.
        ///
        /// - Parameters:
        ///   - body: the write. It may run again after it was undone.
        ///   - diagnose: returns the error to throw for an error of the database, after the write
        ///     was undone.
        func write<R: Sendable>(
            _ isolation: PostgreSQLIsolation,
            _ body: @escaping @Sendable (PostgreSQLJob) async throws -> R,
            diagnose: @escaping PostgreSQLDiagnose
        ) async throws -> R
    }

    /// The connections of a store, on which each operation is a transaction of its own.
    final class PostgreSQLPoolAccess: PostgreSQLAccess {
        let pool: ConnectionPool
        let changes: StoreChanges
        let life = StoreLife()
        let watch = PostgreSQLSchemaWatch()
        /// Lets transactions that run again after a conflict take turns, so that tasks that change
        /// the same records do not conflict again and again. The wait is bounded: the body of a
        /// transaction may wait for another one that waits here.
        private let conflicted = WriterLine(limit: .seconds(5))
        /// The number of times that a transaction which conflicts with another one runs.
        private static let attempts = 10

        init(_ pool: ConnectionPool, _ changes: StoreChanges) {
            self.pool = pool
            self.changes = changes
        }

        deinit { pool.close() }

        /// Waits for the turn of transactions that run again.
        ///
        /// - Returns: whether the caller has it, and must end it; false if the wait took too long.
        func takeTurn() async -> Bool {
            // Without the turn the transaction may conflict again; it is not an error.
            do { try await conflicted.take() } catch { return false }
            return true
        }

        /// Ends the turn.
        func endTurn() { conflicted.leave() }

        /// Runs `body` with a leased connection.
        func leasing<R>(_ body: (PostgreSQLConnection) async throws -> R) async throws -> R {
            try await life.during {
                let connection = try await pool.lease()
                defer { pool.giveBack(connection) }
                return try await body(connection)
            }
        }

        func read<R: Sendable>(
            _ body: @escaping @Sendable (PostgreSQLConnection) async throws -> R
        ) async throws -> R {
            var attempt = 1
            while true {
                do {
                    return try await leasing { connection in
                        try await connection.cancellable { try await body(connection) }
                    }
                } catch let error as PostgreSQLError where error.isServerGone && attempt < 3 {
                    // A read changes nothing: it is asked again.
                    try Task.checkCancellation()
                    attempt += 1
                }
            }
        }

        func write<R: Sendable>(
            _ isolation: PostgreSQLIsolation,
            _ body: @escaping @Sendable (PostgreSQLJob) async throws -> R,
            diagnose: @escaping PostgreSQLDiagnose
        ) async throws -> R {
            var attempt = 1
            while true {
                try Task.checkCancellation()
                do {
                    let hasTurn = attempt > 1 ? await takeTurn() : false
                    defer { if hasTurn { endTurn() } }
                    return try await leasing { connection in
                        try await write(isolation, connection, body, diagnose)
                    }
                } catch let error as PostgreSQLError
                    where error.isConflict && attempt < Self.attempts
                {
                    // Full jitter: tasks that conflicted do not meet again.
                    let most = Double(min(1 << attempt, 200))
                    try await Task.sleep(for: .milliseconds(Double.random(in: 0...most)))
                } catch is PostgreSQLSchemaSignal where attempt < Self.attempts {
                    // The tables were changed, and the program fits them still.
                }
                attempt += 1
            }
        }

        private func write<R>(
            _ isolation: PostgreSQLIsolation, _ connection: PostgreSQLConnection,
            _ body: (PostgreSQLJob) async throws -> R,
            _ diagnose: PostgreSQLDiagnose
        ) async throws -> R {
            var begin: [String] = []
            switch isolation {
            case .statement: break
            case .batch(let setting, _): begin = ["BEGIN", setting].compactMap(\.self)
            case .serializable(let setting, _):
                begin = ["BEGIN ISOLATION LEVEL SERIALIZABLE", setting].compactMap(\.self)
            }
            let isSingle = begin.isEmpty
            let job = PostgreSQLJob(
                connection, changes.hasObservers ? ChangeLog() : nil, watch, beginning: begin)
            do {
                let result = try await body(job)
                if connection.isInTransaction {
                    job.isCommitting = true
                    try await connection.runSimple("COMMIT")
                }
                if let change = job.log?.change { changes.send(change) }
                return result
            } catch {
                guard job.hasStarted else { throw error }
                if error is PostgreSQLSchemaSignal {
                    try await rollBack(connection)
                    try await watch.compare(connection)
                    throw error
                }
                let step = error as? PostgreSQLStepError
                guard let failure = step?.error ?? error as? PostgreSQLError else {
                    try await rollBack(connection)
                    throw error
                }
                if failure.leavesOutcomeOpen {
                    if isSingle || job.isCommitting {
                        throw PostgreSQLErrors.outcomeUnknown(failure)
                    }
                    throw PostgreSQLErrors.databaseError(failure)
                }
                try await rollBack(connection)
                if failure.isConflict { throw failure }
                throw try await diagnose(failure, step?.step, connection)
            }
        }

        private func rollBack(_ connection: PostgreSQLConnection) async throws {
            guard connection.isInTransaction else { return }
            do {
                try await connection.runSimple("ROLLBACK")
            } catch is PostgreSQLError {
                // A lost connection is rolled back by the server. The first error is the one to
                // report.
                connection.discard()
            }
        }
    }
#endif
