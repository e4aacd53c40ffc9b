#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import Synchronization

    /// Tells other programs of commits, and the observers of this store of those of others.
    ///
    /// A notification of PostgreSQL only says that there is something to read. It is sent apart from
    /// the writes, because commits with notifications wait for each other, and at most once per
    /// interval. Where none arrives, the polling of the runtime finds the changes.
    final class PostgreSQLChangeFeed: Sendable {
        private struct State {
            /// What the observers have been told; `nil` before the first question.
            var seen: PostgreSQLChangeTable.Position?
            /// What `value`, the value of `changeState()`, stands for.
            var valued: PostgreSQLChangeTable.Position?
            var value: UInt64 = 0
            /// Whether other programs have not been notified of a commit.
            var isDue = false
            /// Whether a task sends notifications.
            var isWaking = false
            /// Whether a task waits for notifications, and its connection.
            var isListening = false
            var connection: PostgreSQLConnection?
            /// The rows that may be noted before old ones are removed.
            var rowsLeft = 0
            var isOver = false
        }

        /// Identifies the changes of the store.
        private let source: PostgreSQLChangeSource
        private let state = Mutex(State())
        private let reading = JointTurn()
        /// The least time between two notifications.
        private static let interval = Duration.milliseconds(50)
        /// The longest time between two attempts to listen.
        private static let longestPause = Duration.seconds(10)
        /// The channel of the current schema.
        private static let channel = "'repository ' || md5(current_schema()::text)"

        init(_ source: PostgreSQLChangeSource) { self.source = source }

        /// The first transaction that had not ended when the feed was read last.
        var firstUnsettled: UInt64 {
            state.withLock { min($0.seen?.first ?? 0, $0.valued?.first ?? 0) }
        }

        /// Ends the waits. The store is closed.
        func end() {
            let connection = state.withLock { state in
                state.isOver = true
                defer { state.connection = nil }
                return state.connection
            }
            connection?.interrupt()
        }

        // MARK: Telling others

        /// Notifies other programs of a commit: at once, or when the interval has passed.
        func wakeOthers(_ access: PostgreSQLPoolAccess, of change: StoreChange) {
            let rows = change.tables?.values.reduce(0) { count, records in
                if case .ids(let ids) = records { count + ids.count } else { count + 1 }
            }
            let begins = state.withLock { state in
                state.rowsLeft -= rows ?? 1
                state.isDue = true
                defer { state.isWaking = true }
                return !state.isWaking && !state.isOver
            }
            guard begins else { return }
            Task { [weak access, self] in
                while takeDue() {
                    if let access { await notify(access) }
                    // A cancelled sleep would end sooner; nobody cancels this task.
                    try? await Task.sleep(for: Self.interval)
                }
            }
        }

        /// Returns whether a notification is due, which the caller sends. If not, it ends.
        private func takeDue() -> Bool {
            state.withLock { state in
                defer { state.isDue = false }
                state.isWaking = state.isDue && !state.isOver
                return state.isWaking
            }
        }

        private func notify(_ access: PostgreSQLPoolAccess) async {
            let prunes = state.withLock { state in
                guard state.rowsLeft < 0 else { return false }
                state.rowsLeft = PostgreSQLChangeTable.prunedRows / 2
                return true
            }
            do {
                try await access.leasing(access.pool.answerLimit) { connection in
                    try await connection.run("SELECT pg_notify(\(Self.channel), '')")
                    if prunes { try await PostgreSQLChangeTable.prune(connection) }
                }
            } catch {
                // It is a wake-up only: others poll. Old rows are removed another time.
            }
        }

        // MARK: Being told

        /// Tells the observers of the store what others have committed.
        func read(_ access: PostgreSQLPoolAccess) async throws {
            try await reading.take {
                guard let seen = state.withLock({ $0.seen }) else {
                    let position = try await access.read {
                        try await PostgreSQLChangeTable.position($0)
                    }
                    state.withLock { $0.seen = position }
                    return
                }
                while true {
                    let source = self.source.id
                    let (change, next) = try await access.read {
                        try await PostgreSQLChangeTable.changes(since: seen, notOf: source, $0)
                    }
                    // With another id, some of what was left out counts.
                    guard source == self.source.id else { continue }
                    state.withLock { $0.seen = next }
                    if let change { access.changes.send(change) }
                    return
                }
            }
        }

        /// Waits for notifications on a connection of its own, as long as there are observers.
        func listen(_ access: PostgreSQLPoolAccess) {
            let begins = state.withLock { state in
                defer { state.isListening = true }
                return !state.isListening && !state.isOver
            }
            guard begins else { return }
            Task { [weak access, self] in
                var pause = Duration.milliseconds(100)
                while !isOver, let pool = access?.pool {
                    do {
                        let connection = try await pool.connectApart()
                        // Sessions of a pooler do not listen: the polling is enough.
                        if connection.isPooled { return }
                        guard take(connection) else { break }
                        try await Self.listen(on: connection)
                        pause = .milliseconds(100)
                        // What was committed before is read at once.
                        while try await tell(access) { try await connection.notified() }
                        break
                    } catch {
                        // The connection was lost, or there is none: the polling goes on.
                        try? await Task.sleep(for: pause)
                        pause = min(pause * 2, Self.longestPause)
                    }
                }
                state.withLock { state in
                    state.isListening = false
                    state.connection = nil
                }
            }
        }

        private static func listen(on connection: PostgreSQLConnection) async throws {
            let name = try await connection.run("SELECT \(channel)").text(0, 0) ?? ""
            try await connection.runSimple("LISTEN \(PostgreSQLDialect().quoted(name))")
        }

        private var isOver: Bool { state.withLock { $0.isOver } }

        /// Notes the connection that listens; false if the store was closed.
        private func take(_ connection: PostgreSQLConnection) -> Bool {
            state.withLock { state in
                if !state.isOver { state.connection = connection }
                return !state.isOver
            }
        }

        /// Reads after a notification.
        ///
        /// - Returns: whether there are observers still.
        private func tell(_ access: PostgreSQLPoolAccess?) async throws -> Bool {
            guard let access, access.changes.hasObservers else { return false }
            try await read(access)
            return true
        }

        // MARK: The state

        /// Returns a value that is different after each commit.
        func changeState(_ access: PostgreSQLPoolAccess) async throws -> UInt64 {
            let (position, value) = state.withLock { ($0.valued, $0.value) }
            guard let position else {
                let first = try await access.read { try await PostgreSQLChangeTable.position($0) }
                return next(first)
            }
            let (hasChanges, later) = try await access.read {
                try await PostgreSQLChangeTable.hasChanges(since: position, $0)
            }
            if hasChanges { return next(later) }
            state.withLock { state in
                if state.value == value { state.valued = later }
            }
            return value
        }

        /// Returns a new value, which stands for a position.
        private func next(_ position: PostgreSQLChangeTable.Position) -> UInt64 {
            state.withLock { state in
                state.value += 1
                state.valued = position
                return state.value
            }
        }
    }
#endif
