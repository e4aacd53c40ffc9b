#if PostgreSQL
    internal import RepositoryRuntime
    internal import Synchronization

    /// Runs the operations of a transaction, or of a nested transaction (a savepoint), on the leased
    /// connection.
    final class PostgreSQLTransactionAccess: PostgreSQLAccess {
        private enum Phase { case open, nesting, over }

        /// What the levels of one transaction share.
        private final class Lease: Sendable {
            let connection: PostgreSQLConnection
            let owner: PostgreSQLPoolAccess
            let turn = TaskTurn()
            let log: Mutex<ChangeLog?>
            let isReadOnly: Bool
            /// The references to look for before the commit; `nil` if no tables are distributed.
            let references: CitusReferences?
            /// Whether the savepoint of the last operation is there still. The next operation
            /// releases it, so that this costs no round trip.
            let hasOperation = Atomic(false)
            /// Its place among the transactions of the store; `nil` if it cannot conflict.
            private let place: TransactionTurns.Place?
            private let isGivenBack = Mutex(false)
            private let isEnded = Mutex(false)

            init(
                _ connection: PostgreSQLConnection, _ owner: PostgreSQLPoolAccess,
                isReadOnly: Bool, place: TransactionTurns.Place?
            ) {
                self.place = place
                self.connection = connection
                self.owner = owner
                self.isReadOnly = isReadOnly
                references = owner.isSpread && !isReadOnly ? CitusReferences() : nil
                let isLogged = owner.changes.hasObservers || owner.journal.isObserving
                log = Mutex(isLogged ? ChangeLog() : nil)
            }

            /// Gives the connection back. A second call has no effect.
            func giveBack() {
                let isFirst = isGivenBack.withLock { isGivenBack in
                    defer { isGivenBack = true }
                    return !isGivenBack
                }
                if isFirst { owner.pool.giveBack(connection) }
            }

            /// Makes sure that the server has noticed that the connection was lost, and holds no locks
            /// of the transaction, if it is known by which connection it was.
            func endProcess() async {
                guard let session = connection.writeSession else { return }
                giveBack()
                // Without an answer the locks are waited for.
                _ = await owner.outcome(of: PostgreSQLLostWrite(unfinishedOn: session))
            }

            /// Ends the lease. A second call has no effect.
            func end() {
                let isFirst = isEnded.withLock { isEnded in
                    defer { isEnded = true }
                    return !isEnded
                }
                guard isFirst else { return }
                giveBack()
                if let place { owner.turns.end(place) }
                owner.life.leave()
            }
        }

        private let lease: Lease
        private let parent: PostgreSQLTransactionAccess?
        private let depth: Int
        private let phase = Mutex(Phase.open)
        /// The changes before the savepoint, which a rollback restores.
        private let earlierLog: ChangeLog?

        private init(_ lease: Lease, in parent: PostgreSQLTransactionAccess?) {
            self.lease = lease
            self.parent = parent
            depth = parent.map { $0.depth + 1 } ?? 0
            earlierLog = lease.log.withLock { $0 }
        }

        /// Begins a transaction on a connection of the pool.
        ///
        /// - Parameter isReadOnly: whether it reads one state of the database and writes nothing.
        static func begin(
            _ owner: PostgreSQLPoolAccess, isReadOnly: Bool
        ) async throws -> PostgreSQLTransactionAccess {
            try owner.life.enter()
            let place =
                isReadOnly ? nil : await owner.turns.begin(attempt: TransactionAttempt.number)
            do {
                let connection = try await begun(owner, isReadOnly: isReadOnly)
                return PostgreSQLTransactionAccess(
                    Lease(connection, owner, isReadOnly: isReadOnly, place: place), in: nil)
            } catch {
                if let place { owner.turns.end(place) }
                owner.life.leave()
                throw error
            }
        }

        /// Leases a connection and begins a transaction on it.
        private static func begun(
            _ owner: PostgreSQLPoolAccess, isReadOnly: Bool
        ) async throws -> PostgreSQLConnection {
            let pool = owner.pool
            var attempt = 1
            while true {
                let connection = try await pool.lease(pool.answerLimit)
                let comparisons = owner.watch.comparisons
                do {
                    if isReadOnly {
                        try await connection.runSimple(
                            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                        // The first statement decides which state is read.
                        try await connection.run("SELECT 1")
                    } else {
                        try await owner.journal.begin(connection)
                        _ = connection.notices.takeCommitWarning()
                        let begin = [
                            "BEGIN ISOLATION LEVEL SERIALIZABLE",
                            owner.isSpread ? CitusCatalog.sequential : nil,
                            owner.watch.waitForMigration(connection),
                        ]
                        try await connection.runSimple(
                            begin.compactMap(\.self).joined(separator: "; "))
                    }
                    return connection
                } catch let error as PostgreSQLError where error.isLockTimeout {
                    connection.discard()
                    pool.giveBack(connection)
                    throw CRUDRepositoryError.migrating("PostgreSQL", underlyingError: error)
                } catch let error as PostgreSQLError where error.state == "42P01" && attempt < 3 {
                    // The table of the description is gone: do the open schemas fit still?
                    defer { pool.giveBack(connection) }
                    try await connection.runSimple("ROLLBACK")
                    try await owner.compareSchemas(connection, since: comparisons)
                    attempt += 1
                } catch {
                    connection.discard()
                    pool.giveBack(connection)
                    guard (error as? PostgreSQLError)?.isServerGone ?? false, attempt < 3 else {
                        throw error
                    }
                    attempt += 1
                }
            }
        }

        /// The savepoint of an operation.
        private static let operation = "repository_operation"
        /// The savepoint of a nested transaction.
        private var savepoint: String { "repository_nested_\(depth)" }

        /// Whether it has ended, or one in which it is nested. The connection may be another
        /// task's then.
        private var isOver: Bool { phase.withLock { $0 } == .over || parent?.isOver ?? false }

        /// Runs an operation when its turn has come.
        private func run<R>(
            _ body: (PostgreSQLConnection) async throws -> R
        ) async throws -> R {
            try await lease.turn.take {
                if isOver { throw CRUDRepositoryError.transactionEnded }
                if phase.withLock({ $0 }) == .nesting {
                    throw CRUDRepositoryError.unsupported(
                        "the use of a transaction while a nested one is open", by: "PostgreSQL")
                }
                do {
                    return try await body(lease.connection)
                } catch let error as PostgreSQLError {
                    throw again(error)
                } catch let error as PostgreSQLStepError {
                    throw again(error.error)
                }
            }
        }

        /// Returns the error to throw for one of the database. After a lost connection the whole
        /// transaction can run again, if that is wished for: nothing was committed.
        private func again(_ error: PostgreSQLError) -> any Error {
            guard lease.owner.journal.isExactlyOnce, !lease.isReadOnly, error.isServerGone else {
                return error
            }
            return Self.nothingStored(error)
        }

        /// The error of what comes after a failure, which may have been a conflict of another
        /// operation.
        private static var failed: CRUDRepositoryError {
            CRUDRepositoryError(
                .transactionConflict,
                "A statement of the transaction had failed. Nothing was stored.", isRetryable: true)
        }

        private static func nothingStored(_ error: PostgreSQLError) -> CRUDRepositoryError {
            CRUDRepositoryError(
                .transactionConflict,
                "The connection to PostgreSQL failed: \(error.message). Nothing of the transaction was stored.",
                isRetryable: true, underlyingError: error)
        }

        var isSpread: Bool { lease.owner.isSpread }

        /// Whether it reads one state of the database and writes nothing.
        var isReadOnly: Bool { lease.isReadOnly }

        func read<R: Sendable>(
            _ body: @escaping @Sendable (PostgreSQLConnection) async throws -> R
        ) async throws -> R {
            try Task.checkCancellation()
            return try await run(body)
        }

        func look<R: Sendable>(
            _ body: @escaping @Sendable (any PostgreSQLRunner) async throws -> R
        ) async throws -> R {
            try await read { try await body($0) }
        }

        func look(
            _ text: String, _ parameters: PostgreSQLParameters
        ) async throws -> PostgreSQLResult {
            try await read { try await $0.run(text, parameters) }
        }

        func write<R: Sendable>(
            _ isolation: PostgreSQLIsolation, sharing: PostgreSQLSharing, place: Int?,
            _ body: @escaping @Sendable (PostgreSQLJob) async throws -> R,
            diagnose: @escaping PostgreSQLDiagnose
        ) async throws -> R {
            try Task.checkCancellation()
            if lease.isReadOnly {
                throw CRUDRepositoryError.unsupported("a write in a snapshot", by: "PostgreSQL")
            }
            return try await run { connection in
                // An error ends a transaction of PostgreSQL; the savepoint keeps what came before.
                let name = Self.operation
                var (setting, check): (String?, String?)
                switch isolation {
                case .statement: break
                case .batch(let own, let end), .serializable(let own, let end):
                    (setting, check) = (own, end)
                }
                for _ in 1...3 {
                    // Going back to a savepoint would revive the transaction without the
                    // operation that came before.
                    if connection.isFailed { throw Self.failed }
                    let comparisons = lease.owner.watch.comparisons
                    let release = lease.hasOperation.exchange(true, ordering: .relaxed)
                    let begin = [release ? "RELEASE \(name)" : nil, "SAVEPOINT \(name)", setting]
                    let job = PostgreSQLJob(
                        connection, lease.log.withLock { $0 }, lease.owner.watch,
                        beginning: begin.compactMap(\.self), references: lease.references)
                    do {
                        let result = try await connection.cancellableWrite {
                            job.hasBegun ? "ROLLBACK TO \(name)" : nil
                        } _: {
                            let result = try await body(job)
                            if let check { try await connection.run(check) }
                            return result
                        }
                        let log = job.log
                        lease.log.withLock { $0 = log }
                        return result
                    } catch {
                        guard job.hasStarted else {
                            lease.hasOperation.store(release, ordering: .relaxed)
                            throw error
                        }
                        let step = error as? PostgreSQLStepError
                        let failure = step?.error ?? error as? PostgreSQLError
                        let isEnd = failure.map { $0.isConflict || $0.isConnectionLost } ?? false
                        // Without its savepoint it would go back to that of an earlier operation.
                        if isEnd || !connection.isUsable || !job.hasBegun { throw failure ?? error }
                        // The savepoint remains for the next operation to release.
                        try await connection.runSimple("ROLLBACK TO \(name)")
                        if error is PostgreSQLSchemaSignal {
                            // If the program fits the changed tables still, it goes on.
                            try await lease.owner.watch.compare(connection, since: comparisons)
                            continue
                        }
                        guard let failure else { throw error }
                        throw try await diagnose(failure, step?.step, connection)
                    }
                }
                // The transaction reads an older description than other operations of the store.
                throw CRUDRepositoryError(
                    .transactionConflict, "The tables were changed meanwhile.", isRetryable: true)
            }
        }

        /// Begins a nested transaction with a savepoint.
        func nested() async throws -> PostgreSQLTransactionAccess {
            try await run { connection in
                let nested = PostgreSQLTransactionAccess(lease, in: self)
                lease.hasOperation.store(false, ordering: .relaxed)
                try await connection.runSimple("SAVEPOINT \(nested.savepoint)")
                phase.withLock { $0 = .nesting }
                return nested
            }
        }

        /// Commits, or releases the savepoint. The transaction has ended afterwards.
        ///
        /// - Parameter diagnose: returns the error for a reference that dangles.
        func commit(
            diagnose: (PostgreSQLError, PostgreSQLConnection) async throws -> CRUDRepositoryError
        ) async throws {
            try await run { connection in
                phase.withLock { $0 = .over }
                guard parent == nil else {
                    defer { parent?.phase.withLock { $0 = .open } }
                    // It ends the savepoints within it, too.
                    lease.hasOperation.store(false, ordering: .relaxed)
                    if connection.isFailed {
                        throw CRUDRepositoryError(
                            .transactionConflict, "The transaction has failed.", isRetryable: true)
                    }
                    try await connection.runSimple("RELEASE \(savepoint)")
                    return
                }
                defer { lease.end() }
                if connection.isFailed {
                    try await connection.runSimple("ROLLBACK")
                    throw Self.failed
                }
                let owner = lease.owner
                let log = lease.log.withLock { $0 }
                let job = PostgreSQLJob(
                    connection, log, owner.watch, journal: owner.journal,
                    references: lease.references)
                do {
                    try await job.end(isTransaction: true)
                } catch let error as PostgreSQLError {
                    if error.leavesOutcomeOpen { throw owner.unknown(error) }
                    // It was not committed, because a reference dangles.
                    if connection.isInTransaction { try await connection.runSimple("ROLLBACK") }
                    if error.isConstraint { throw try await diagnose(error, connection) }
                    throw error
                }
                if let error = job.lost { try await ask(error) }
                owner.committed(log?.change)
            }
        }

        /// Asks whether the transaction was committed.
        ///
        /// - Throws: `transactionConflict` if it was not, so that it runs again; `outcomeUnknown`.
        private func ask(_ error: PostgreSQLError) async throws {
            let owner = lease.owner
            lease.connection.discard()
            let session = lease.connection.writeSession
            lease.giveBack()
            guard let session else { throw owner.unknown(error) }
            switch await owner.outcome(of: PostgreSQLLostWrite(session: session)) {
            case true?: return
            case false?: throw Self.nothingStored(error)
            case nil: throw owner.unknown(error)
            }
        }

        /// Rolls back. It has no effect if the transaction has ended.
        func rollBack() async {
            // The body throws only if the transaction is over, or its connection is lost: the
            // server has rolled it back then.
            try? await lease.turn.take {
                if isOver { return }
                phase.withLock { $0 = .over }
                if let parent {
                    parent.phase.withLock { $0 = .open }
                    let log = earlierLog
                    lease.hasOperation.store(false, ordering: .relaxed)
                    lease.log.withLock { $0 = log }
                    try await lease.connection.runSimple(
                        "ROLLBACK TO \(savepoint); RELEASE \(savepoint)")
                    return
                }
                defer { lease.end() }
                if !lease.connection.isUsable { await lease.endProcess() }
                try await lease.connection.runSimple("ROLLBACK")
            }
        }

        /// Ends a transaction that was released without having been ended.
        func abandon() {
            if isOver { return }
            // The task keeps the access alive until the rollback is done.
            Task { await rollBack() }
        }
    }
#endif
