#if PostgreSQL
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
        private let kind: SharedPipeline.Kind
        private let lockTimeout: Duration
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
        ///   - leading: returns a statement that is sent before each group.
        init(
            _ kind: SharedPipeline.Kind, _ pool: ConnectionPool, lockTimeout: Duration,
            longestTrip: Duration = .microseconds(200),
            leading: @escaping @Sendable () -> PostgreSQLConnection.Step? = { nil }
        ) {
            self.kind = kind
            self.pool = pool
            self.lockTimeout = lockTimeout
            state = Mutex(
                SharedPipeline(
                    kind, unproven: pool.unproven, limit: pool.answerLimit,
                    trialLimit: pool.trialLimit, longestTrip: longestTrip, leading: leading))
        }

        deinit { close() }

        /// The numbers of the connection, and whether it is there.
        var counts: (counts: SharedCounts, waiting: Int, isOpen: Bool) {
            state.withLock { ($0.counts, $0.waiting.count, $0.connection != nil) }
        }

        /// Runs statements that take effect together, and returns their results.
        ///
        /// A cancelled read leaves at once. A cancelled write leaves as long as it was not sent;
        /// afterwards it reports what has become of it.
        ///
        /// - Parameter place: a hash of the record that is written.
        /// - Throws: `PostgreSQLStepError`; `PostgreSQLError` if it concerns no single statement;
        ///   `SharedRefusal`; `CancellationError`, in which case a write was not done.
        func run(
            _ steps: [PostgreSQLConnection.Step], place: Int? = nil
        ) async throws -> [PostgreSQLResult] {
            let request = SharedRequest(steps, place: place)
            return try await withTaskCancellationHandler {
                if isAlone.load(ordering: .relaxed), let answer = poll(request) {
                    return try answer.get()
                }
                return try await withCheckedThrowingContinuation { continuation in
                    change { state, effects in
                        let isQueued = request.waiting != nil
                        request.waiting = .task(continuation)
                        if let answer = request.answer { return effects.answer(request, answer) }
                        if isQueued { return }
                        if request.isCancelled {
                            return effects.answer(request, .failure(CancellationError()))
                        }
                        if request.bytes > Self.mostBytes { return state.move(request, &effects) }
                        state.waiting.append(request)
                        state.pump(&effects)
                        state.listen()
                    }
                }
            } onCancel: {
                change { state, effects in
                    request.isCancelled = true
                    if request.isSent, kind == .writes { return }
                    effects.answer(request, .failure(CancellationError()))
                }
            }
        }

        /// Sends a request and waits for its answer on the thread of the caller, if answers have come
        /// that fast before.
        ///
        /// It saves the two wake-ups of the reactor's thread and of the task, which take as long as
        /// the server does for a read by id.
        ///
        /// - Returns: the answer; `nil` if the task has to wait for it, or to send the request.
        private func poll(_ request: SharedRequest) -> Result<[PostgreSQLResult], any Error>? {
            let connection: PostgreSQLConnection? = change { state, effects in
                guard state.canPoll, request.bytes <= Self.mostBytes, !request.isCancelled else {
                    return nil
                }
                request.waiting = .thread
                state.waiting.append(request)
                return state.beginPoll(&effects)
            }
            guard let connection else { return nil }
            let hasCome = connection.hasAnswer()
            return change { state, effects in
                if hasCome { state.receive(&effects) }
                state.endPoll()
                return request.answer
            }
        }

        /// Ends the run of a request on a leased connection, to which ``SharedRefusal/needsLease``
        /// has moved it.
        func endLease(of place: Int?) {
            guard let place else { return }
            state.withLock { state in
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
            let result = state.withLock { state in
                let result = body(&state, &effects)
                if isAlone.load(ordering: .relaxed) != state.isAlone {
                    isAlone.store(state.isAlone, ordering: .relaxed)
                }
                return result
            }
            if let retired = effects.retired { pool.giveBack(retired) }
            for (task, answer) in effects.answered { task.resume(with: answer) }
            if effects.connects { Task { await connect() } }
            return result
        }

        private func connect() async {
            do {
                let connection = try await pool.lease(isShared: true, pool.trialLimit)
                do {
                    // Sessions of a pooler are others' as well.
                    if connection.isPooled { throw SharedRefusal.needsLease }
                    try await connection.share(lockTimeout: lockTimeout)
                } catch {
                    connection.discard()
                    pool.giveBack(connection)
                    throw error
                }
                change { state, effects in
                    connection.watch { [weak self] in
                        self?.change { $0.receive(&$1) }
                    } tick: { [weak self] in
                        self?.change { $0.tick(&$1) } ?? false
                    }
                    state.adopt(connection, &effects)
                }
            } catch {
                change { $0.refuse(error, &$1) }
            }
        }
    }
#endif
