internal import RepositoryRuntime
internal import Synchronization

/// The operations of a transaction, or of a savepoint in it, on the leased connection.
final class SQLiteTransactionAccess: SQLiteAccess {
    private enum Phase {
        case open, nesting, over
    }

    private let lease: SQLiteLease
    private let plans: EntityPlans
    private let changes: StoreChanges
    /// The transaction that this one is a savepoint of.
    private let parent: SQLiteTransactionAccess?
    /// How many transactions this one is nested in.
    private let depth: Int
    /// What the transaction had changed when the savepoint was made.
    private let log: SQLiteChangeLog?
    /// Changed on the writer's thread alone, where operations take their turns.
    private let phase = Mutex(Phase.open)

    /// Takes over a lease.
    init(_ lease: SQLiteLease, _ plans: EntityPlans, _ changes: StoreChanges) {
        self.lease = lease
        self.plans = plans
        self.changes = changes
        parent = nil
        depth = 0
        log = nil
    }

    private init(in parent: SQLiteTransactionAccess, _ log: SQLiteChangeLog?) {
        lease = parent.lease
        plans = parent.plans
        changes = parent.changes
        self.parent = parent
        depth = parent.depth + 1
        self.log = log
    }

    var defersReferences: Bool { true }

    private var savepoint: String { "nested\(depth)" }

    func scan<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        let interruption = SQLiteInterruption()
        return try await withTaskCancellationHandler {
            try await run { connection in
                try interruption.run(on: connection) { try body(connection) }
            }
        } onCancel: {
            interruption.cancel()
        }
    }

    func write<R: Sendable>(
        _ isolation: SQLiteWriter.Isolation,
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        // One statement that fails leaves nothing behind by itself.
        guard isolation == .batch else { return try await run(body) }
        return try await run { connection in
            try connection.statement("SAVEPOINT operation").run()
            let log = connection.log
            do {
                let result = try body(connection)
                try connection.statement("RELEASE operation").run()
                return result
            } catch {
                connection.log = log
                try connection.rollBack(to: "operation")
                throw error
            }
        }
    }

    /// Makes a savepoint.
    func nested() async throws -> SQLiteTransactionAccess {
        try await run { connection in
            let nested = SQLiteTransactionAccess(in: self, connection.log)
            try connection.statement("SAVEPOINT \(nested.savepoint)").run()
            self.phase.withLock { $0 = .nesting }
            return nested
        }
    }

    /// Makes the changes lasting, or hands them to the transaction around.
    func commit() async throws {
        try await run { connection in
            if self.parent != nil {
                try connection.statement("RELEASE \(self.savepoint)").run()
                return self.finish()
            }
            defer { self.finish() }
            do {
                try connection.commit()
            } catch let error as SQLiteError {
                throw try SQLiteBrokenReference.error(of: error, connection, self.plans)
            }
            if let change = connection.log?.change { self.changes.send(change) }
        }
    }

    /// Forgets the changes.
    func rollBack() async {
        await withCheckedContinuation { continuation in
            submitRollback { continuation.resume() }
        }
    }

    /// Forgets the changes of a transaction that nobody can end any more.
    func abandon() {
        if phase.withLock({ $0 }) != .over { submitRollback {} }
    }

    private func submitRollback(_ then: @escaping @Sendable () -> Void) {
        lease.submit { connection in
            defer { then() }
            guard let connection, self.phase.withLock({ $0 }) != .over else { return }
            if self.parent != nil {
                connection.log = self.log
                // Fails only where SQLite has rolled back everything already, which the next
                // operation finds.
                try? connection.rollBack(to: self.savepoint)
            }
            self.finish()
        }
    }

    /// Runs an operation in its turn.
    private func run<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            lease.submit { connection in
                continuation.resume(
                    with: Result {
                        let connection = try self.usable(connection)
                        return try body(connection)
                    })
            }
        }
    }

    private func usable(_ connection: SQLiteConnection?) throws -> SQLiteConnection {
        guard let connection else { throw CRUDRepositoryError.transactionEnded() }
        switch phase.withLock({ $0 }) {
        case .over: throw CRUDRepositoryError.transactionEnded()
        case .nesting:
            throw CRUDRepositoryError.unsupported(
                "the use of a transaction while another one is open in it", by: "SQLite")
        case .open: break
        }
        guard connection.isInTransaction else {
            throw CRUDRepositoryError(
                .databaseError,
                "The database has rolled back the transaction, because an operation in it failed.")
        }
        return connection
    }

    /// Ends this transaction, and those that were left open in it.
    private func finish() {
        phase.withLock { $0 = .over }
        if let parent {
            parent.phase.withLock { if $0 == .nesting { $0 = .open } }
        } else {
            lease.end()
        }
    }
}
