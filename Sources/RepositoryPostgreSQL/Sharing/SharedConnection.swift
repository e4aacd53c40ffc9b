#if PostgreSQL
    internal import RepositoryRuntime
    internal import Synchronization

    /// A connection on which many tasks run statements, in libpq's pipeline mode.
    ///
    /// A task sends its statements itself if the connection is free; otherwise they wait, and are
    /// sent with those of other tasks when the answer to the last group has come. The thread of the
    /// reactor reads the answers; those of a fast server to one read after the other are read by the
    /// caller itself. A statement has succeeded only when the Sync behind it is answered,
    /// because the errors of deferred checks and of the commit come last.
    ///
    /// Nothing is ever cancelled on the server here: the request could reach the statement of another
    /// task. Source of the protocol: https://www.postgresql.org/docs/current/libpq-pipeline-mode.html
    final class SharedConnection: Sendable {
        private let pool: ConnectionPool
        private let state: Mutex<SharedPipeline>
        /// The requests of tasks that have not taken the lock of the state: many would wait for it
        /// while a thread reads the answers to a group. Whoever has it empties the inbox.
        private let inbox = Mutex<[SharedRequest]>([])
        /// Whether a thread has the lock of the state. It is known without a system call, which an
        /// attempt to get the lock would be.
        private let isTaken = Atomic(false)
        /// Passes answers from the thread that reads them to the tasks.
        private let handover = ResultHandover()
        private let kind: SharedPipeline.Kind
        private let lockTimeout: Duration
        /// What is written besides the records; `nil` if there is nothing.
        private let journal: PostgreSQLJournal?
        /// Whether one task at a time has read. It is known without the lock, which many tasks would
        /// take for nothing.
        private let isAlone = Atomic(false)
        /// The number of bytes of a request beyond which it would let others wait.
        private static let mostBytes = 1 << 16

        /// - Parameters:
        ///   - kind: reads or writes.
        ///   - lockTimeout: the time that a statement waits for a lock, and lets others wait.
        ///   - longestTrip: the time that the last answer may have taken if the caller of a read
        ///     waits for the next one itself, which blocks its thread.
        ///   - journal: what is written in each group besides the records.
        ///   - leading: returns a statement that is sent before each group.
        init(
            _ kind: SharedPipeline.Kind, _ pool: ConnectionPool, lockTimeout: Duration,
            longestTrip: Duration = .microseconds(200), journal: PostgreSQLJournal? = nil,
            leading: @escaping @Sendable () -> PostgreSQLConnection.Step? = { nil }
        ) {
            self.kind = kind
            self.pool = pool
            self.lockTimeout = lockTimeout
            self.journal = journal?.isOn ?? false ? journal : nil
            state = Mutex(
                SharedPipeline(
                    kind, unproven: pool.unproven, limit: pool.answerLimit,
                    trialLimit: pool.trialLimit, longestTrip: longestTrip, journal: self.journal,
                    leading: leading))
        }

        deinit { close() }

        /// The numbers of the connection, and whether it is there.
        var counts: (counts: SharedCounts, waiting: Int, isOpen: Bool) {
            // Who has put a request into the inbox meanwhile has found the lock taken.
            defer { if hasMail { serve() } }
            return state.withLock { ($0.counts, $0.waiting.count, $0.connection != nil) }
        }

        /// Runs statements that take effect together, and returns their results.
        ///
        /// A cancelled read leaves at once. A cancelled write leaves as long as it was not sent;
        /// afterwards it reports what has become of it.
        ///
        /// - Parameters:
        ///   - place: a hash of the record that is written.
        ///   - log: the records that are written, if other programs are told of them.
        /// - Throws: `PostgreSQLStepError`; `PostgreSQLError` if it concerns no single statement;
        ///   `SharedRefusal`; `CancellationError`, in which case a write was not done.
        func run(
            _ steps: [PostgreSQLConnection.Step], place: Int? = nil, noting log: ChangeLog? = nil
        ) async throws -> [PostgreSQLResult] {
            let request = SharedRequest(steps, place: place, noting: log)
            await withTaskCancellationHandler {
                let progress = isAlone.load(ordering: .relaxed) ? poll(request) : .notBegun
                if progress == .answered { return }
                await withUnsafeContinuation { continuation in
                    if progress == .waiting {
                        change { state, effects in
                            request.waiting = .task(continuation)
                            if let answer = request.answer { effects.answer(request, answer) }
                        }
                    } else {
                        request.waiting = .task(continuation)
                        inbox.withLock { $0.append(request) }
                        serve()
                    }
                }
            } onCancel: {
                change { state, effects in
                    request.isCancelled = true
                    // Whoever empties the inbox sees it.
                    if !request.isQueued || (request.isSent && kind == .writes) { return }
                    effects.answer(request, .failure(CancellationError()))
                }
            }
            handover.pass()
            guard let answer = request.answer else {
                throw SharedRefusal.outcomeUnknown(
                    PostgreSQLError(client: "the answer is missing"), nil)
            }
            return try answer.get()
        }

        /// Runs one statement and returns its result.
        ///
        /// - Throws: what ``run(_:place:)`` throws.
        func run(_ step: PostgreSQLConnection.Step) async throws -> PostgreSQLResult {
            guard let result = try await run([step]).first else {
                throw PostgreSQLError(client: "the answer is missing", isConnectionLost: true)
            }
            return result
        }

        /// Sends a request and waits for its answer on the thread of the caller, if answers have come
        /// that fast before.
        ///
        /// It saves the two wake-ups of the reactor's thread and of the task, which take as long as
        /// the server does for a read by id.
        ///
        /// - Returns: whether it was sent and answered.
        private func poll(_ request: SharedRequest) -> Progress {
            let connection: PostgreSQLConnection? = change { state, effects in
                guard state.canPoll, request.bytes <= Self.mostBytes, !request.isCancelled else {
                    return nil
                }
                (request.waiting, request.isQueued) = (.thread, true)
                state.waiting.append(request)
                return state.beginPoll(&effects)
            }
            let hasCome = connection?.hasAnswer() ?? false
            return change { state, effects in
                if connection != nil {
                    if hasCome { state.receive(&effects) }
                    state.endPoll()
                }
                if request.answer != nil { return .answered }
                return request.isQueued ? .waiting : .notBegun
            }
        }

        /// How far a request has come.
        private enum Progress {
            case notBegun, waiting, answered
        }

        /// Ends the run of a request on a leased connection, to which ``SharedRefusal/needsLease``
        /// has moved it.
        func endLease(of place: Int?) {
            guard let place else { return }
            change { state, _ in
                let count = (state.contended[place] ?? 0) - 1
                state.contended[place] = count > 0 ? count : nil
            }
        }

        /// Closes the connection. No request waits any more.
        func close() {
            change { state, effects in
                state.isClosed = true
                state.connection?.unwatch()
                state.connection?.discard()
                effects.retired = state.connection
                state.connection = nil
            }
        }

        // MARK: Under the lock

        /// Changes the state, and does afterwards what must not happen under the lock.
        private func change<R: Sendable>(
            _ body: (inout SharedPipeline, inout SharedEffects) -> R
        ) -> R {
            var effects = SharedEffects()
            let result = state.withLock { use(&$0, &effects, body) }
            perform(effects)
            if hasMail { serve() }
            return result
        }

        /// Empties the inbox, unless another thread has the lock: that one looks into the inbox
        /// again when it has let the lock go.
        private func serve() {
            repeat {
                if isTaken.load(ordering: .relaxed) { return }
                var effects = SharedEffects()
                let isFree: Void? = state.withLockIfAvailable { use(&$0, &effects) { _, _ in } }
                guard isFree != nil else { return }
                perform(effects)
            } while hasMail
        }

        private var hasMail: Bool { inbox.withLock { !$0.isEmpty } }

        /// Changes the state. The caller has the lock.
        private func use<R>(
            _ state: inout SharedPipeline, _ effects: inout SharedEffects,
            _ body: (inout SharedPipeline, inout SharedEffects) -> R
        ) -> R {
            isTaken.store(true, ordering: .relaxed)
            defer { isTaken.store(false, ordering: .relaxed) }
            inbox.withLock { swap(&$0, &state.received) }
            for request in state.received {
                request.isQueued = true
                if request.isCancelled {
                    effects.answer(request, .failure(CancellationError()))
                } else if request.bytes > Self.mostBytes {
                    state.move(request, &effects)
                } else {
                    state.waiting.append(request)
                }
            }
            let result = body(&state, &effects)
            if !state.received.isEmpty {
                state.received.removeAll(keepingCapacity: true)
                state.pump(&effects)
                state.listen()
            }
            if isAlone.load(ordering: .relaxed) != state.isAlone {
                isAlone.store(state.isAlone, ordering: .relaxed)
            }
            return result
        }

        /// Does what must not happen under the lock.
        private func perform(_ effects: SharedEffects) {
            if let retired = effects.retired { pool.giveBack(retired) }
            handover.pass()
            for task in effects.answered { task.resume() }
            if effects.connects { Task { await connect() } }
        }

        private func connect() async {
            do {
                let connection = try await preparedConnection()
                change { state, effects in
                    let isWatched = connection.watch { [weak self] in
                        self?.change { $0.receive(&$1) }
                    } tick: { [weak self] in
                        self?.change { $0.tick(&$1) } ?? false
                    }
                    if isWatched { return state.adopt(connection, &effects) }
                    connection.discard()
                    effects.retired = connection
                    state.refuse(
                        PostgreSQLError(client: "no memory is left to wait with"), &effects)
                }
            } catch {
                change { $0.refuse(error, &$1) }
            }
        }

        /// Leases a connection and prepares it to be shared. After a failure of the server the idle
        /// ones may all be lost; one that was opened since is not.
        private func preparedConnection() async throws -> PostgreSQLConnection {
            var attempt = 1
            while true {
                let connection = try await pool.lease(isShared: true, pool.trialLimit)
                do {
                    // Sessions of a pooler are others' as well.
                    if connection.isPooled { throw SharedRefusal.needsLease }
                    try await journal?.begin(connection)
                    try await connection.share(lockTimeout: lockTimeout)
                    return connection
                } catch {
                    connection.discard()
                    pool.giveBack(connection)
                    guard (error as? PostgreSQLError)?.isConnectionLost ?? false,
                        attempt <= pool.limit
                    else { throw error }
                    attempt += 1
                }
            }
        }
    }
#endif
