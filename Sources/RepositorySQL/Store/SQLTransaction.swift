internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import Synchronization

/// The calls of a transaction, on the writing connection. The levels of nested transactions are
/// savepoints.
final class TransactionAccess: SQLAccess {
    private enum Phase { case open, nesting, over }

    /// What the levels of one transaction share.
    private final class Shared: Sendable {
        let database: Database
        let watch: SchemaWatch
        let plans: TablePlans
        let changes: StoreChanges
        /// Whether nothing of the transaction can be stored any more.
        let hasFailed = Atomic(false)
        private let hasEnded = Atomic(false)

        init(
            _ database: Database, _ watch: SchemaWatch, _ plans: TablePlans,
            _ changes: StoreChanges
        ) {
            self.database = database
            self.watch = watch
            self.plans = plans
            self.changes = changes
        }

        /// Gives the turn to the next writer. A second call has no effect.
        func end() {
            guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
            database.line.leave()
        }
    }

    private let shared: Shared
    private let parent: TransactionAccess?
    private let depth: Int
    private let phase = Mutex(Phase.open)
    /// What the calls of this level have left to do at the end of the transaction.
    private let pending = Mutex(PendingChecks())

    private init(_ shared: Shared, in parent: TransactionAccess?) {
        self.shared = shared
        self.parent = parent
        depth = parent.map { $0.depth + 1 } ?? 0
    }

    /// The savepoint of a call.
    private static let call = "repository_call"
    /// The savepoint of a nested transaction.
    private var savepoint: String { "repository_nested_\(depth)" }

    /// Begins a transaction when no other one is open.
    static func begin(
        _ database: Database, _ watch: SchemaWatch, _ plans: TablePlans, _ changes: StoreChanges
    ) async throws -> TransactionAccess {
        try database.life.check()
        try await database.line.take()
        let shared = Shared(database, watch, plans, changes)
        do {
            try await database.writingLane.run { session, flag in
                var retries = Retries(database.lockTimeout)
                while true {
                    do {
                        try session.execute(database.syntax.beginWriting)
                        break
                    } catch let error as SQLDriverError where error.kind == .conflict {
                        try retries.wait(after: error, flag)
                    }
                }
                do {
                    try watch.check(session)
                } catch {
                    try Database.rollBack(session)
                    throw error
                }
            }
        } catch {
            shared.end()
            throw error
        }
        return TransactionAccess(shared, in: nil)
    }

    /// Whether it has ended, or one in which it is nested. The connection may have the transaction
    /// of another task then.
    private var isOver: Bool { phase.withLock { $0 } == .over || parent?.isOver ?? false }

    /// Checks that the transaction can be used.
    private func check() throws {
        if isOver { throw CRUDRepositoryError.transactionEnded }
        if phase.withLock({ $0 }) == .nesting {
            throw CRUDRepositoryError.unsupported(
                "the use of a transaction while a nested one is open", by: shared.database.name)
        }
        if shared.hasFailed.load(ordering: .acquiring) { throw Self.failed }
    }

    private static var failed: CRUDRepositoryError {
        CRUDRepositoryError(
            .transactionConflict,
            "A statement of the transaction had failed. Nothing was stored.", isRetryable: true)
    }

    /// Runs statements when their turn has come.
    private func run<R: Sendable>(
        _ body: @escaping @Sendable (Session) throws -> R
    ) async throws -> R {
        try await shared.database.writingLane.run { [self] session, _ in
            try check()
            do {
                return try body(session)
            } catch let error as SQLDriverError
                where error.kind == .conflict || error.kind == .connectionLost
            {
                shared.hasFailed.store(true, ordering: .releasing)
                throw CRUDRepositoryError(
                    .transactionConflict,
                    "The transaction cannot go on: \(error.message). Nothing was stored.",
                    isRetryable: true, underlyingError: error)
            }
        }
    }

    func read<R: Sendable>(
        _ body: @escaping @Sendable (Session) throws -> R
    ) async throws -> R {
        try await run(body)
    }

    func write<R: Sendable>(
        _ body: @escaping @Sendable (RecordWrite) throws -> R,
        diagnose: @escaping @Sendable (Session, SQLDriverError) throws -> CRUDRepositoryError?
    ) async throws -> R {
        try await run { [self] session in
            let write = RecordWrite(session, shared.plans)
            return try undoable(session, diagnose: diagnose) {
                let result = try body(write)
                pending.withLock { $0.add(write.pending) }
                return result
            }
        }
    }

    /// Runs statements of the application. If they fail, they are undone.
    func own<R: Sendable>(
        _ body: @escaping @Sendable (Session) throws -> R
    ) async throws -> R {
        try await run { [self] session in
            try undoable(session, diagnose: { _, _ in nil }) {
                let result = try body(session)
                pending.withLock { $0.log.addAnything() }
                return result
            }
        }
    }

    /// Runs a call in a savepoint.
    private func undoable<R>(
        _ session: Session,
        diagnose: (Session, SQLDriverError) throws -> CRUDRepositoryError?, _ body: () throws -> R
    ) throws -> R {
        try session.execute("SAVEPOINT \(Self.call)")
        do {
            let result = try body()
            try session.execute("RELEASE SAVEPOINT \(Self.call)")
            return result
        } catch {
            let failure = error as? SQLDriverError
            if let failure, failure.kind == .conflict || session.isLost { throw failure }
            try session.execute("ROLLBACK TO SAVEPOINT \(Self.call)")
            try session.execute("RELEASE SAVEPOINT \(Self.call)")
            if let failure, failure.isViolation, let found = try diagnose(session, failure) {
                throw found
            }
            throw error
        }
    }

    /// Begins a nested transaction.
    func nested() async throws -> TransactionAccess {
        try await run { [self] session in
            let nested = TransactionAccess(shared, in: self)
            try session.execute("SAVEPOINT \(nested.savepoint)")
            phase.withLock { $0 = .nesting }
            return nested
        }
    }

    /// Commits, or releases the savepoint. The transaction has ended afterwards.
    func commit() async throws {
        guard parent == nil else {
            return try await run { [self] session in
                try session.execute("RELEASE SAVEPOINT \(savepoint)")
                let own = pending.withLock { $0 }
                parent?.pending.withLock { $0.add(own) }
                phase.withLock { $0 = .over }
                parent?.phase.withLock { $0 = .open }
            }
        }
        try await shared.database.writingLane.run { [self] session, _ in
            switch phase.withLock({ $0 }) {
            case .open, .nesting: break
            case .over: throw CRUDRepositoryError.transactionEnded
            }
            let isNesting = phase.withLock { phase in
                defer { phase = .over }
                return phase == .nesting
            }
            defer { shared.end() }
            do {
                if isNesting {
                    throw CRUDRepositoryError.unsupported(
                        "the end of a transaction while a nested one is open",
                        by: shared.database.name)
                }
                if session.isLost || shared.hasFailed.load(ordering: .acquiring) {
                    throw Self.failed
                }
                let pending = pending.withLock { $0 }
                try RecordWrite(session, shared.plans, pending).checkReferences()
                try Database.commit(session)
                if let change = pending.log.change { shared.changes.send(change) }
            } catch {
                if !session.isLost { try Database.rollBack(session) }
                throw error
            }
        }
    }

    /// Rolls back. It has no effect if the transaction has ended.
    func rollBack() async {
        await shared.database.writingLane.finish { [self] session in
            if isOver { return }
            phase.withLock { $0 = .over }
            guard let parent else {
                defer { shared.end() }
                // A connection on which this fails is closed, which rolls back, too.
                try? Database.rollBack(session)
                return
            }
            parent.phase.withLock { $0 = .open }
            do {
                try session.execute("ROLLBACK TO SAVEPOINT \(savepoint)")
                try session.execute("RELEASE SAVEPOINT \(savepoint)")
            } catch {
                shared.hasFailed.store(true, ordering: .releasing)
            }
        }
        // The connection was lost before, and with it the transaction.
        if isOver { return }
        phase.withLock { $0 = .over }
        shared.hasFailed.store(true, ordering: .releasing)
        parent?.phase.withLock { $0 = .open }
        if parent == nil { shared.end() }
    }

    /// Rolls back later, if nobody has ended the transaction.
    func abandon() {
        if isOver { return }
        // The task keeps the access alive until the rollback is done.
        Task { await rollBack() }
    }
}

/// A transaction, or a nested one.
final class SQLTransaction: SQLTransactionShell, SQLEntityStore {
    static let kind = "transaction"
    let access: TransactionAccess
    let store: SQLStore

    init(_ store: SQLStore, _ access: TransactionAccess) {
        self.store = store
        self.access = access
    }

    deinit { access.abandon() }

    var plans: TablePlans { store.plans }

    func begin() async throws -> any StoreTransaction {
        try await SQLDriverError.mapped(name) { SQLTransaction(store, try await access.nested()) }
    }

    func rebuildIndexes() async throws {
        throw CRUDRepositoryError.unsupported(
            "the rebuilding of indexes in a transaction", by: name)
    }

    func commit() async throws {
        try await SQLDriverError.mapped(name) { try await access.commit() }
    }

    func rollBack() async { await access.rollBack() }

    func writeExternalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int, _ chunk: Data
    ) async throws {
        let plan = try plans.plan(E.Mapper.table.name)
        guard let chunks = plan.chunks else {
            throw CRUDRepositoryError.unsupported("external data of '\(plan.table.name)'", by: name)
        }
        let place =
            try RecordEncoder.parameters(of: id, plan)
            + [.text(content), .integer(Int64(index))]
        try await SQLDriverError.mapped(name, table: plan.table.name, id: id.description) {
            try await access.write {
                try $0.store(.data(chunk), at: place, in: chunks)
            } diagnose: { _, _ in
                nil
            }
        }
    }
}
