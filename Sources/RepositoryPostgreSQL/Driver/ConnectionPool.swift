#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import Synchronization

    /// The connections of a store.
    ///
    /// A connection is leased to one task. It is opened when all others are leased, up to the
    /// limit; then tasks wait in the order of their arrival.
    ///
    /// While connecting fails, each further attempt waits first, for a random time up to a limit that
    /// doubles, so that the clients of a server that comes back do not all come at once. Source:
    /// Brooker, "Exponential Backoff And Jitter" (full jitter).
    final class ConnectionPool: Sendable {
        /// What ends the wait of a task.
        private enum Turn {
            /// A connection that was given back.
            case connection(PostgreSQLConnection)
            /// The place of a connection that is no more: the task opens another one.
            case place
        }

        private struct State {
            var idle: [PostgreSQLConnection] = []
            /// The number of connections that exist or are being opened.
            var count = 0
            var waiting: [Int: CheckedContinuation<Turn?, any Error>] = [:]
            /// The numbers of the waiting tasks, in order; those that left are not in `waiting`.
            var order: [Int] = []
            var head = 0
            var next = 0
            var reactor: SocketReactor?
            /// The attempts to connect that have failed since the last one that succeeded.
            var failures = 0
            var numbers = Numbers()
            /// The streams that have a connection. They give it back when an operation waits.
            var streams: [FollowingPages] = []
            /// Whether the store is being closed, which no stream delays.
            var isClosing = false

            /// Returns the thread of the sockets; starts it if there is none.
            mutating func startedReactor(_ period: Duration) throws -> SocketReactor {
                let started = try reactor ?? SocketReactor(period: period)
                reactor = started
                return started
            }

            /// Removes and returns the task that has waited longest.
            mutating func popFirst() -> CheckedContinuation<Turn?, any Error>? {
                while head < order.count {
                    let number = order[head]
                    head += 1
                    if head * 2 > order.count {
                        order.removeFirst(head)
                        head = 0
                    }
                    if let task = waiting.removeValue(forKey: number) { return task }
                }
                return nil
            }
        }

        /// What the pool has counted since it was created.
        struct Numbers {
            /// The connections that were opened.
            var opened = 0
            /// The attempts to connect that failed.
            var failed = 0
            /// The leases that were given.
            var leases = 0
        }

        /// The longest pause before an attempt to connect.
        private static let longestPause = 1_000.0

        private let address: Unreflected<String>
        /// The settings of each session, as the rest of a `SET` statement.
        private let settings: [String]
        /// The greatest number of connections.
        let limit: Int
        private let connectTimeout: Duration
        /// The time that an operation waits for a connection.
        let waitTimeout: Duration
        /// The idle time after which a connection is tried before it is used.
        let unproven: Duration
        /// Is called with the text of each statement that a connection sends or prepares, except
        /// those of migrations.
        private let onStatement: (@Sendable (String) -> Void)?
        /// How long a statement waits for the next byte from the server; `nil` for any time.
        let answerLimit: AnswerLimit?
        /// How long a statement waits that only tries a connection, or sets it up.
        let trialLimit: AnswerLimit
        /// The time between two ticks of the clock by which both are counted.
        private let period: Duration
        private let state = Mutex(State())
        private let pooled = Atomic(false)

        /// - Parameters:
        ///   - answerTimeout: the time that a statement waits for the next byte from the server, in
        ///     addition to `statementTimeout`, after which the server itself ends it.
        init(
            _ address: String, settings: [String], limit: Int, connectTimeout: Duration,
            waitTimeout: Duration, answerTimeout: Duration? = nil,
            statementTimeout: Duration? = nil, unproven: Duration = .seconds(30),
            onStatement: (@Sendable (String) -> Void)? = nil
        ) {
            self.onStatement = onStatement
            let connectTimeout = max(connectTimeout, .seconds(2))
            let trial = min(connectTimeout, answerTimeout ?? connectTimeout)
            let period = AnswerLimit.period(of: trial)
            self.period = period
            trialLimit = AnswerLimit(trial, period: period)
            answerLimit = answerTimeout.map {
                AnswerLimit($0 + (statementTimeout ?? .zero), period: period)
            }
            self.unproven = unproven
            self.address = Unreflected(wrappedValue: address)
            self.settings = settings
            self.limit = max(1, limit)
            self.connectTimeout = connectTimeout
            self.waitTimeout = waitTimeout
        }

        /// Returns how long the comparison of an opening waits, whose statements may wait for
        /// another program that changes the tables.
        func openingLimit(_ lockTimeout: Duration) -> AnswerLimit? {
            answerLimit.map { AnswerLimit($0.time + lockTimeout, period: period) }
        }

        /// The number of open connections, and of those that no task has.
        var counts: (open: Int, idle: Int, waiting: Int) {
            state.withLock { ($0.count, $0.idle.count, $0.waiting.count) }
        }

        /// What was counted.
        var numbers: Numbers { state.withLock(\.numbers) }

        /// Leases a connection. The caller gives it back.
        ///
        /// - Parameters:
        ///   - isShared: whether it becomes a shared one, which is not counted as a lease.
        ///   - limit: how long its statements wait for the next byte; `nil` for any time.
        /// - Throws: `CancellationError`; `databaseError`, which is retryable, if no connection
        ///   became free in time; the error of connecting.
        func lease(
            isShared: Bool = false, _ limit: AnswerLimit?
        ) async throws -> PostgreSQLConnection {
            let connection = try await freeConnection()
            connection.answerLimit = limit
            if !isShared { state.withLock { $0.numbers.leases += 1 } }
            return connection
        }

        /// Returns an idle connection, a new one, or one that became free.
        private func freeConnection() async throws -> PostgreSQLConnection {
            try Task.checkCancellation()
            while true {
                var turn: Turn? = state.withLock { state in
                    if let connection = state.idle.popLast() { return .connection(connection) }
                    guard state.count < limit else { return nil }
                    state.count += 1
                    return .place
                }
                if turn == nil { turn = try await wait() }
                switch turn {
                case .connection(let connection):
                    // The server may have ended, or closed it, meanwhile. Its place is kept.
                    if await isAlive(connection) { return connection }
                    connection.discard()
                    return try await connectInPlace()
                case .place: return try await connectInPlace()
                case nil: continue
                }
            }
        }

        /// Opens a connection whose place is counted already.
        private func connectInPlace() async throws -> PostgreSQLConnection {
            do {
                return try await connect(try state.withLock { try $0.startedReactor(period) })
            } catch {
                forget()
                throw error
            }
        }

        /// Opens a connection, after a pause if the last attempts have failed.
        private func connect(_ reactor: SocketReactor) async throws -> PostgreSQLConnection {
            let failures = state.withLock(\.failures)
            if failures > 0 {
                let most = min(Self.longestPause, 10 * pow(2, Double(min(failures, 16))))
                try await Task.sleep(for: .milliseconds(Double.random(in: 0...most)))
            }
            do {
                let seconds = Int(connectTimeout.components.seconds)
                let connection = try await PostgreSQLConnection.connect(
                    address.wrappedValue, timeout: seconds,
                    AnswerLimit(connectTimeout, period: period),
                    settings: settings, onStatement: onStatement, reactor)
                if connection.isPooled { pooled.store(true, ordering: .relaxed) }
                state.withLock { state in
                    state.failures = 0
                    state.numbers.opened += 1
                }
                return connection
            } catch {
                state.withLock { state in
                    state.failures += 1
                    state.numbers.failed += 1
                }
                throw error
            }
        }

        /// Whether the connections were found to be those of a connection pooler.
        var isPooled: Bool { pooled.load(ordering: .relaxed) }

        /// Opens a connection that is not one of the pool, and not counted.
        func connectApart() async throws -> PostgreSQLConnection {
            try await connect(try state.withLock { try $0.startedReactor(period) })
        }

        /// Returns whether an idle connection can be leased. One that was idle for long is tried: a
        /// network may have forgotten it without a word.
        private func isAlive(_ connection: PostgreSQLConnection) async -> Bool {
            guard connection.isIdle, !connection.isClosedByServer else { return false }
            let isProven = connection.idleTime <= unproven
            if isProven, !connection.resetsSession { return true }
            connection.answerLimit = trialLimit
            do {
                try await connection.resetSession()
                if !isProven { try await connection.runSimple("SELECT 1") }
                return connection.isIdle
            } catch {
                return false
            }
        }

        /// Gives a connection back. One that is not idle is closed.
        func giveBack(_ connection: PostgreSQLConnection) {
            guard connection.isUsable, connection.isIdle, !connection.closesAfterwards else {
                if connection.isSilent { closeIdle() }
                return forget()
            }
            connection.noteUse()
            let waiting = state.withLock { state in
                let waiting = state.popFirst()
                if waiting == nil { state.idle.append(connection) }
                return waiting
            }
            waiting?.resume(returning: .connection(connection))
        }

        /// Closes the idle connections. What has made one silent may have made them silent, too,
        /// and a trial of each would take as long as its answer does.
        private func closeIdle() {
            let idle = state.withLock { state in
                defer { state.idle = [] }
                state.count -= state.idle.count
                return state.idle
            }
            for connection in idle { connection.discard() }
        }

        /// Gives the place of a connection that is no more to the task that has waited longest.
        private func forget() {
            let waiting = state.withLock { state in
                let waiting = state.popFirst()
                if waiting == nil { state.count -= 1 }
                return waiting
            }
            waiting?.resume(returning: .place)
        }

        /// Waits for a connection that is given back, or for a place; `nil` if something has become
        /// free before the task waited.
        private func wait() async throws -> Turn? {
            let number = state.withLock { state in
                state.next += 1
                return state.next
            }
            let timeout = waitTimeout
            var timer: Task<Void, any Error>?
            defer { timer?.cancel() }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let (isFree, stream): (Bool, FollowingPages?) = state.withLock { state in
                        // One may have become free since.
                        if Task.isCancelled || !state.idle.isEmpty || state.count < limit {
                            return (true, nil)
                        }
                        state.waiting[number] = continuation
                        state.order.append(number)
                        return (false, state.streams.popLast())
                    }
                    stream?.stop()
                    if isFree {
                        return continuation.resume(
                            with: Result {
                                try Task.checkCancellation()
                                return nil
                            })
                    }
                    // A time that is over before the task waits would never end the wait.
                    timer = Task { [weak self] in
                        try await Task.sleep(for: timeout)
                        self?.leave(
                            number,
                            CRUDRepositoryError(
                                .databaseError,
                                "No connection to PostgreSQL became free in time.",
                                isRetryable: true))
                    }
                }
            } onCancel: {
                leave(number, CancellationError())
            }
        }

        /// Ends the wait of a task.
        private func leave(_ number: Int, _ error: any Error) {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(throwing: error)
        }

        /// Notes a stream that has a connection. It is stopped when an operation waits.
        func add(_ stream: FollowingPages) {
            let isNeeded = state.withLock { state in
                if state.waiting.isEmpty, !state.isClosing {
                    state.streams.append(stream)
                    return false
                }
                return true
            }
            if isNeeded { stream.stop() }
        }

        /// Forgets a stream that gives its connection back.
        func remove(_ stream: FollowingPages) {
            state.withLock { $0.streams.removeAll { $0 === stream } }
        }

        /// Stops the streams that have a connection, because they may hold locks.
        func stopStreams() {
            let streams = state.withLock { state in
                defer { state.streams = [] }
                return state.streams
            }
            for stream in streams { stream.stop() }
        }

        /// Refuses the tasks that wait, and streams that get a connection afterwards.
        func refuse() {
            let waiting = state.withLock { state in
                state.isClosing = true
                defer { state.waiting = [:] }
                return Array(state.waiting.values)
            }
            for task in waiting { task.resume(throwing: CRUDRepositoryError.storeClosed) }
        }

        /// Closes the idle connections and stops the thread.
        func close() {
            state.withLock { state in
                state.count -= state.idle.count
                state.idle = []
                state.reactor = nil
            }
        }
    }
#endif
