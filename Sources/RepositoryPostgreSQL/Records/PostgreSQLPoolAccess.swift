#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import Synchronization

    /// The connections of a store, on which each operation is a transaction of its own.
    ///
    /// Reads by id, and writes of few records, share connections with those of other tasks. All
    /// other operations lease one.
    final class PostgreSQLPoolAccess: PostgreSQLAccess {
        let pool: ConnectionPool
        let changes: StoreChanges
        let life = StoreLife()
        let watch = PostgreSQLSchemaWatch()
        /// The connection of reads; `nil` if the store has too few connections to share some.
        let sharedReads: SharedConnection?
        /// The connection of writes; `nil` like that of reads.
        let sharedWrites: SharedConnection?
        /// What is written in the transaction of each write.
        let journal: PostgreSQLJournal
        /// What tells other programs of commits, and this one of those of others.
        let feed: PostgreSQLChangeFeed
        /// Whether tables are distributed over the nodes of a cluster.
        private let spread = Atomic(false)
        var isSpread: Bool { spread.load(ordering: .relaxed) }
        /// Whether the engine has no `COPY` as streams need it.
        private let refusal = Atomic(false)
        var refusesCopies: Bool { refusal.load(ordering: .relaxed) }
        /// The number of connections from which some are shared, so that at least two are left.
        private static let leastConnections = 4
        /// The time that a statement on a shared connection waits for a lock, and that others wait
        /// with it. It is shorter than the time after which the server looks for deadlocks.
        private static let sharedLockTimeout = Duration.milliseconds(100)
        /// Lets transactions that have conflicted go before others.
        let turns = TransactionTurns()
        /// The number of times that a transaction which conflicts with another one runs.
        private static let attempts = 10

        init(
            _ pool: ConnectionPool, _ changes: StoreChanges, exactlyOnce: Bool = false,
            observing: Bool = false
        ) {
            self.pool = pool
            self.changes = changes
            journal = PostgreSQLJournal(isExactlyOnce: exactlyOnce, isObserving: observing)
            feed = PostgreSQLChangeFeed(journal.source)
            if pool.limit >= Self.leastConnections {
                sharedReads = SharedConnection(.reads, pool, lockTimeout: Self.sharedLockTimeout)
                sharedWrites = SharedConnection(
                    .writes, pool, lockTimeout: Self.sharedLockTimeout, journal: journal
                ) { [watch] in watch.step }
            } else {
                (sharedReads, sharedWrites) = (nil, nil)
            }
        }

        deinit { close() }

        /// Closes the connections that no task has leased.
        func close() {
            feed.end()
            sharedReads?.close()
            sharedWrites?.close()
            pool.close()
        }

        /// Notes that tables are distributed. Each node then commits by itself what is sent without
        /// a transaction, so that writes are no longer committed together.
        func noteSpread() { spread.store(true, ordering: .relaxed) }

        /// Notes that streams have to read page by page.
        func refuseCopies() { refusal.store(true, ordering: .relaxed) }

        /// Tells observers, here and in other programs, of a commit.
        func committed(_ change: StoreChange?) {
            guard let change else { return }
            changes.send(change)
            if journal.isObserving { feed.wakeOthers(self, of: change) }
        }

        /// Runs `body` with a leased connection.
        ///
        /// - Parameter limit: how long a statement waits for the next byte from the server; `nil`
        ///   for statements that may take any time.
        func leasing<R>(
            _ limit: AnswerLimit? = nil, _ body: (PostgreSQLConnection) async throws -> R
        ) async throws -> R {
            try await life.during {
                let connection = try await pool.lease(limit)
                defer { pool.giveBack(connection) }
                do {
                    return try await body(connection)
                } catch {
                    // The server ends, or it is a standby now: the next one connects again.
                    if PostgreSQLErrors.cause(error)?.isServerGone ?? false { connection.discard() }
                    throw error
                }
            }
        }

        func look<R: Sendable>(
            _ body: @escaping @Sendable (any PostgreSQLRunner) async throws -> R
        ) async throws -> R {
            guard let sharedReads, !pool.isPooled else {
                return try await read { try await body($0) }
            }
            var attempt = 1
            while true {
                do {
                    return try await life.during {
                        try await body(SharedReader(shared: sharedReads))
                    }
                } catch {
                    if try isAskedAgain(error, &attempt) { continue }
                    return try await read { try await body($0) }
                }
            }
        }

        /// Runs one statement as the function above would, with fewer calls in between.
        func look(
            _ text: String, _ parameters: PostgreSQLParameters
        ) async throws -> PostgreSQLResult {
            guard let sharedReads, !pool.isPooled else {
                return try await read { try await $0.run(text, parameters) }
            }
            let step = PostgreSQLConnection.Step(text: text, parameters: parameters)
            try life.enter()
            defer { life.leave() }
            var attempt = 1
            while true {
                do {
                    return try await sharedReads.run(step)
                } catch {
                    if try isAskedAgain(error, &attempt) { continue }
                    return try await read { try await $0.run(text, parameters) }
                }
            }
        }

        /// Decides what becomes of a read that has failed on the shared connection.
        ///
        /// - Returns: whether it is asked again there. If not, it waits for a lock, and runs on a
        ///   leased connection.
        /// - Throws: the error if that is the answer; `CancellationError`.
        private func isAskedAgain(_ error: any Error, _ attempt: inout Int) throws -> Bool {
            if error is SharedRefusal { return false }
            let error = (error as? PostgreSQLStepError)?.error ?? error
            // What is not answered was asked twice on the shared connection.
            guard let cause = error as? PostgreSQLError, cause.isServerGone, !cause.isUnanswered,
                attempt < 3
            else { throw error }
            try Task.checkCancellation()
            attempt += 1
            return true
        }

        func read<R: Sendable>(
            _ body: @escaping @Sendable (PostgreSQLConnection) async throws -> R
        ) async throws -> R {
            var attempt = 1
            while true {
                do {
                    return try await leasing(pool.answerLimit) { connection in
                        try await connection.cancellable { try await body(connection) }
                    }
                } catch let error as PostgreSQLError
                    where error.isServerGone && attempt < (error.isUnanswered ? 2 : 3)
                {
                    // A read changes nothing: it is asked again.
                    try Task.checkCancellation()
                    attempt += 1
                }
            }
        }

        func write<R: Sendable>(
            _ isolation: PostgreSQLIsolation, sharing: PostgreSQLSharing, place: Int?,
            _ body: @escaping @Sendable (PostgreSQLJob) async throws -> R,
            diagnose: @escaping PostgreSQLDiagnose
        ) async throws -> R {
            try await life.during {
                var attempt = 1
                var patience = PostgreSQLPatience(pool.waitTimeout)
                var migrationPatience = PostgreSQLPatience(pool.waitTimeout)
                var shared = mayShare(sharing) ? sharedWrites : nil
                var isMoved = false
                defer { if isMoved { sharedWrites?.endLease(of: place) } }
                while true {
                    try Task.checkCancellation()
                    do {
                        let turn =
                            shared == nil && attempt > 1
                            ? await turns.begin(attempt: attempt) : nil
                        defer { if let turn { turns.end(turn) } }
                        let end: Attempt<R> =
                            if let shared {
                                try await attempted(on: shared, place, body, diagnose)
                            } else {
                                try await attempted(
                                    isolation, isMoved: isMoved, body, diagnose)
                            }
                        switch end {
                        case .done(let result, let change):
                            committed(change)
                            return result
                        case .open(let result, let change, let question, let error):
                            switch await outcome(of: question) {
                            case true?:
                                committed(change)
                                return result
                            case false?: try await patience.wait(error)
                            case nil: throw unknown(error)
                            }
                        case .undone(let lost, let error):
                            // The server may not have noticed it, and hold its locks.
                            if let lost { _ = await outcome(of: lost) }
                            try await patience.wait(error)
                        }
                        // It runs again, and no other operation was in the way.
                        continue
                    } catch let error as PostgreSQLError
                        where error.isConflict && attempt < Self.attempts
                    {
                        // Full jitter: tasks that conflicted do not meet again.
                        let most = Double(min(1 << attempt, 200))
                        try await Task.sleep(for: .milliseconds(Double.random(in: 0...most)))
                    } catch let error as PostgreSQLError
                        where error.isServerGone && patience.hasBegun
                    {
                        try await patience.wait(error)
                        continue
                    } catch is PostgreSQLSchemaSignal where attempt < Self.attempts {
                        // The tables were changed, and the program fits them still.
                    } catch let signal as PostgreSQLMigrationSignal {
                        // It waits without a connection, which others need.
                        do {
                            try await migrationPatience.wait(signal.error)
                        } catch let error as PostgreSQLError {
                            throw CRUDRepositoryError.migrating(
                                "PostgreSQL", underlyingError: error)
                        }
                        continue
                    } catch is SharedRefusal {
                        (isMoved, shared) = (true, nil)
                        continue
                    }
                    attempt += 1
                    if attempt > 2 { shared = nil }
                }
            }
        }

        /// Writes once, on a connection that is given back afterwards.
        ///
        /// - Parameter isMoved: whether it has waited for a lock on a shared connection.
        private func attempted<R>(
            _ isolation: PostgreSQLIsolation, isMoved: Bool,
            _ body: (PostgreSQLJob) async throws -> R, _ diagnose: PostgreSQLDiagnose
        ) async throws -> Attempt<R> {
            let connection = try await pool.lease(pool.answerLimit)
            defer { pool.giveBack(connection) }
            var begin: [String] = []
            switch isolation {
            // A node would commit the record without what is written besides.
            // What waits for a lock can be cancelled before its commit is sent.
            case .statement: begin = isMoved || isSpread && journal.isOn ? ["BEGIN"] : []
            case .batch(let setting, _): begin = ["BEGIN", setting].compactMap(\.self)
            case .serializable(let setting, _):
                begin = [
                    "BEGIN ISOLATION LEVEL SERIALIZABLE", watch.waitForMigration(connection),
                    setting,
                ].compactMap(\.self)
            }
            let references = isSpread && !begin.isEmpty ? CitusReferences() : nil
            if references != nil { begin.insert(CitusCatalog.sequential, at: 1) }
            let job = PostgreSQLJob(
                connection, newLog, watch, beginning: begin, journal: journal,
                references: references)
            // A warning of an earlier operation says nothing about this one.
            _ = connection.notices.takeCommitWarning()
            let comparisons = watch.comparisons
            do {
                try await journal.begin(connection)
                let result =
                    begin.isEmpty
                    ? try await body(job)
                    : try await connection.cancellableWrite { try await body(job) }
                try await job.end()
                let change = job.log?.change
                guard let error = job.lost else { return .done(result, change) }
                connection.discard()
                guard let session = connection.writeSession else { throw unknown(error) }
                let question = PostgreSQLWriteQuestion(PostgreSQLLostWrite(session: session))
                return .open(result, change, question, error)
            } catch {
                do {
                    return try await undone(error, job, connection, comparisons, diagnose)
                } catch let later as PostgreSQLError
                    where journal.isExactlyOnce && later.isServerGone
                {
                    // It was lost while the error was looked into. The write had been undone.
                    return .undone(nil, later)
                }
            }
        }

        /// Looks into the error of an attempt.
        ///
        /// - Returns: that it can run again because the connection was lost.
        /// - Throws: the error to throw otherwise.
        private func undone<R>(
            _ error: any Error, _ job: PostgreSQLJob, _ connection: PostgreSQLConnection,
            _ comparisons: Int, _ diagnose: PostgreSQLDiagnose
        ) async throws -> Attempt<R> {
            if error is PostgreSQLSchemaSignal {
                try await rollBack(connection)
                try await compareSchemas(connection, since: comparisons)
                throw error
            }
            let step = error as? PostgreSQLStepError
            guard let failure = step?.error ?? error as? PostgreSQLError else {
                if job.hasStarted { try await rollBack(connection) }
                throw error
            }
            // The server ends, or it is a standby now: the next one connects again.
            if failure.isServerGone { connection.discard() }
            if failure.leavesOutcomeOpen, job.isSingle && job.hasStarted || job.isCommitting {
                throw unknown(failure)
            }
            if journal.isExactlyOnce, failure.isServerGone {
                connection.discard()
                let lost = connection.writeSession.map { PostgreSQLLostWrite(unfinishedOn: $0) }
                return .undone(lost, failure)
            }
            guard job.hasStarted else { throw failure }
            if failure.leavesOutcomeOpen { throw PostgreSQLErrors.databaseError(failure) }
            try await rollBack(connection)
            if failure.isConflict { throw failure }
            throw try await diagnose(failure, step?.step, connection)
        }

        /// The error for a write of which it is not known whether it happened. Observers look.
        func unknown(_ error: PostgreSQLError) -> CRUDRepositoryError {
            // It may be committed later.
            journal.source.renew()
            changes.send(.anything)
            return PostgreSQLErrors.outcomeUnknown(error)
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
