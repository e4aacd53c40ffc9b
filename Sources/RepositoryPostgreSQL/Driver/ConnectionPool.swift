#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import Synchronization

    /// The connections of a store.
    ///
    /// A connection is leased to one task. It is opened when all others are leased, up to the
    /// limit; then tasks wait in the order of their arrival.
    final class ConnectionPool: Sendable {
        private struct State {
            var idle: [PostgreSQLConnection] = []
            /// The number of connections that exist or are being opened.
            var count = 0
            var waiting: [Int: CheckedContinuation<PostgreSQLConnection?, any Error>] = [:]
            /// The numbers of the waiting tasks, in order; those that left are not in `waiting`.
            var order: [Int] = []
            var head = 0
            var next = 0
            var reactor: SocketReactor?

            /// Removes and returns the task that has waited longest.
            mutating func popFirst() -> CheckedContinuation<PostgreSQLConnection?, any Error>? {
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

        private let address: String
        private let setup: String
        /// The greatest number of connections.
        let limit: Int
        private let connectTimeout: Duration
        private let waitTimeout: Duration
        private let state = Mutex(State())

        init(
            _ address: String, setup: String, limit: Int, connectTimeout: Duration,
            waitTimeout: Duration
        ) {
            self.address = address
            self.setup = setup
            self.limit = max(1, limit)
            self.connectTimeout = connectTimeout
            self.waitTimeout = waitTimeout
        }

        /// The number of open connections, and of those that no task has.
        var counts: (open: Int, idle: Int, waiting: Int) {
            state.withLock { ($0.count, $0.idle.count, $0.waiting.count) }
        }

        /// Leases a connection. The caller gives it back.
        ///
        /// - Throws: `CancellationError`; `databaseError`, which is retryable, if no connection
        ///   became free in time; the error of connecting.
        func lease() async throws -> PostgreSQLConnection {
            try Task.checkCancellation()
            while true {
                enum Found {
                    case idle(PostgreSQLConnection)
                    case new(SocketReactor)
                    case wait
                }
                let found: Found = try state.withLock { state in
                    if let connection = state.idle.popLast() { return .idle(connection) }
                    if state.count < limit {
                        let reactor = try state.reactor ?? SocketReactor()
                        state.reactor = reactor
                        state.count += 1
                        return .new(reactor)
                    }
                    return .wait
                }
                switch found {
                case .idle(let connection):
                    // The server may have ended, or closed it, meanwhile.
                    if connection.isIdle, !connection.isClosedByServer { return connection }
                    forget()
                case .new(let reactor):
                    do {
                        let seconds = max(2, Int(connectTimeout.components.seconds))
                        return try await PostgreSQLConnection.connect(
                            address, timeout: seconds, setup: setup, reactor)
                    } catch {
                        forget()
                        throw error
                    }
                case .wait:
                    if let connection = try await wait() { return connection }
                }
            }
        }

        /// Gives a connection back. One that is not idle is closed.
        func giveBack(_ connection: PostgreSQLConnection) {
            guard connection.isUsable, connection.isIdle else { return forget() }
            let waiting = state.withLock { state in
                let waiting = state.popFirst()
                if waiting == nil { state.idle.append(connection) }
                return waiting
            }
            waiting?.resume(returning: connection)
        }

        /// Counts a connection that is no more. A waiting task may open another one.
        private func forget() {
            let waiting = state.withLock { state in
                state.count -= 1
                return state.popFirst()
            }
            waiting?.resume(returning: nil)
        }

        /// Waits for a connection that is given back; `nil` if one may be opened.
        private func wait() async throws -> PostgreSQLConnection? {
            let number = state.withLock { state in
                state.next += 1
                return state.next
            }
            let timeout = waitTimeout
            let timer = Task { [weak self] in
                try await Task.sleep(for: timeout)
                self?.leave(
                    number,
                    CRUDRepositoryError(
                        .databaseError,
                        "No connection to PostgreSQL became free in time.", isRetryable: true))
            }
            defer { timer.cancel() }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let isFree = state.withLock { state in
                        // One may have become free since.
                        if Task.isCancelled || !state.idle.isEmpty || state.count < limit {
                            return true
                        }
                        state.waiting[number] = continuation
                        state.order.append(number)
                        return false
                    }
                    if isFree {
                        continuation.resume(
                            with: Result {
                                try Task.checkCancellation()
                                return nil
                            })
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

        /// Refuses the tasks that wait.
        func refuse() {
            let waiting = state.withLock { state in
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
