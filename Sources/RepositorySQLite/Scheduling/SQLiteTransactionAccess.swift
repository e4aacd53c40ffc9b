internal import RepositoryRuntime
internal import Synchronization

/// Runs the operations of a transaction, or of a nested transaction (a savepoint), on the leased
/// connection.
///
/// Every operation, including commit and rollback, is submitted to the lease and runs on the
/// writer's thread. Therefore concurrent operations of one transaction run one at a time. While a
/// nested transaction is open, operations of the surrounding one throw `unsupported`.
final class SQLiteTransactionAccess: SQLiteAccess {
    /// The state of the transaction. In `nesting`, a nested transaction is open, and only that one
    /// may be used.
    private enum Phase {
        case open, nesting, over
    }

    /// The lease of the writing connection, which nested transactions share.
    private let lease: SQLiteLease
    private let plans: EntityPlans
    /// Receives the changes of the transaction when it is committed.
    private let changes: StoreChanges
    /// The surrounding transaction; `nil` for a top-level transaction.
    private let parent: SQLiteTransactionAccess?
    /// The number of surrounding transactions.
    private let depth: Int
    /// The changes that were recorded before the savepoint was created. A rollback restores them.
    private let log: ChangeLog?
    /// Changed only on the writer's thread, where operations run one at a time.
    private let phase = Mutex(Phase.open)
    /// Whether it has ended, or one in which it is nested. Its savepoint may be another one's then.
    private var isOver: Bool { phase.withLock { $0 } == .over || parent?.isOver ?? false }

    /// Creates the access of a top-level transaction, which takes ownership of a lease.
    init(_ lease: SQLiteLease, _ plans: EntityPlans, _ changes: StoreChanges) {
        self.lease = lease
        self.plans = plans
        self.changes = changes
        parent = nil
        depth = 0
        log = nil
    }

    /// Creates the access of a nested transaction.
    private init(in parent: SQLiteTransactionAccess, _ log: ChangeLog?) {
        lease = parent.lease
        plans = parent.plans
        changes = parent.changes
        self.parent = parent
        depth = parent.depth + 1
        self.log = log
    }

    /// References are checked when the top-level transaction is committed.
    var defersReferences: Bool { true }

    /// The savepoint of a nested transaction.
    private var savepoint: String { SQLiteSavepoint.nested(depth) }

    /// Reads on the writer's thread, in turn with the other operations of the transaction.
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

    /// Writes on the writer's thread, in turn with the other operations of the transaction.
    ///
    /// A batch runs in a savepoint, so that its failure leaves the rest of the transaction
    /// unchanged.
    func write<R: Sendable>(
        _ isolation: SQLiteWriter.Isolation,
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try Task.checkCancellation()
        guard isolation == .batch else { return try await run { try Self.single(body, $0) } }
        return try await run { connection in
            try connection.statement("SAVEPOINT \(SQLiteSavepoint.operation)").run()
            let log = connection.log
            do {
                let result = try body(connection)
                try connection.statement("RELEASE \(SQLiteSavepoint.operation)").run()
                return result
            } catch {
                connection.log = log
                try connection.rollBack(to: SQLiteSavepoint.operation)
                throw error
            }
        }
    }

    /// Runs a single statement, which leaves no changes behind when it fails.
    ///
    /// The exception is a trigger with `RAISE(FAIL)`: then the whole transaction is rolled back.
    private static func single<R>(
        _ body: (SQLiteConnection) throws -> R, _ connection: SQLiteConnection
    ) throws -> R {
        let changes = connection.totalChanges
        do {
            return try body(connection)
        } catch {
            if connection.isInTransaction, connection.totalChanges != changes {
                try connection.statement("ROLLBACK").run()
            }
            throw error
        }
    }

    /// Begins a nested transaction with a savepoint.
    func nested() async throws -> SQLiteTransactionAccess {
        try await run { connection in
            let nested = SQLiteTransactionAccess(in: self, connection.log)
            try connection.statement("SAVEPOINT \(nested.savepoint)").run()
            self.phase.withLock { $0 = .nesting }
            return nested
        }
    }

    /// Commits the changes, or merges them into the surrounding transaction.
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

    /// Rolls back the changes.
    func rollBack() async {
        await withCheckedContinuation { continuation in
            submitRollback { continuation.resume() }
        }
    }

    /// Rolls back a transaction that was released without having been ended. It does not wait for
    /// the rollback.
    func abandon() {
        if !isOver { submitRollback {} }
    }

    /// Submits a rollback to the writer's thread.
    ///
    /// - Parameter then: called when the rollback is done, or when the transaction was already
    ///   over.
    private func submitRollback(_ then: @escaping @Sendable () -> Void) {
        lease.submit { connection in
            defer { then() }
            guard let connection, !self.isOver else { return }
            if self.parent != nil {
                connection.log = self.log
                // This fails only if SQLite has already rolled back everything. The next operation
                // detects that.
                try? connection.rollBack(to: self.savepoint)
            }
            self.finish()
        }
    }

    /// Submits an operation to the writer's thread and waits for its result.
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

    /// Returns the connection if an operation may run on it.
    ///
    /// - Throws: `transactionEnded` if this transaction is over, `unsupported` while a nested
    ///   transaction is open, `databaseError` if SQLite has rolled back the transaction.
    private func usable(_ connection: SQLiteConnection?) throws -> SQLiteConnection {
        guard let connection else { throw CRUDRepositoryError.transactionEnded }
        if isOver { throw CRUDRepositoryError.transactionEnded }
        if phase.withLock({ $0 }) == .nesting {
            throw CRUDRepositoryError.unsupported(
                "the use of a transaction while another one is open in it", by: "SQLite")
        }
        guard connection.isInTransaction else {
            throw CRUDRepositoryError(
                .databaseError,
                "The database has rolled back the transaction, because an operation in it failed.")
        }
        return connection
    }

    /// Ends this transaction, and with it those that are nested in it.
    private func finish() {
        phase.withLock { $0 = .over }
        if let parent {
            parent.phase.withLock { if $0 == .nesting { $0 = .open } }
        } else {
            lease.end()
        }
    }
}
