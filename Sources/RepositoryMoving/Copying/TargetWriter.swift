internal import Foundation
internal import RepositoryRuntime

/// Writes records to the target in transactions, each with the digests of what it wrote.
///
/// Every transaction compares the token of the copy with the stored one, so that two programs never
/// write at the same time: the one that came first ends.
final class TargetWriter {
    let context: RepositoryContext
    private(set) var state: MoveState
    private let afterCommit: (@Sendable () async throws -> Void)?

    init(
        _ context: RepositoryContext, _ state: MoveState,
        afterCommit: (@Sendable () async throws -> Void)?
    ) {
        (self.context, self.state, self.afterCommit) = (context, state, afterCommit)
    }

    /// Writes the state at the start of a run, which ends another run.
    func begin() async throws {
        let state = state
        try await transaction { store in _ = try await store.save(state) }
    }

    /// Runs a body in a transaction of the target that also notes its progress.
    ///
    /// - Throws: `takenOver` if another program has begun to copy.
    func write(_ body: (any EntityStore) async throws -> Int) async throws {
        var next = state
        try await transaction { store in
            next.written = state.written + Int64(try await body(store))
            let stored = try await store.readIfThere(MoveState.self, id: state.id)
            guard let stored, stored.token == state.token else { throw takenOver }
            // Written each time: two transactions that write it wait for each other.
            next.written += next.written == stored.written ? 1 : 0
            _ = try await store.save(next)
        }
        state = next
    }

    /// Notes that the copy has reached a phase.
    func finish(_ phase: String, sourceState: String?) async throws {
        state.phase = phase
        state.sourceState = sourceState
        try await write { _ in 0 }
    }

    private var takenOver: MoveError {
        MoveError(
            .takenOver,
            "Another program has begun to copy into \(context.store.name), or the target was reset. This one has ended; nothing that it wrote is lost."
        )
    }

    private func transaction(
        _ body: (any StoreTransaction) async throws -> Void
    ) async throws {
        try Task.checkCancellation()
        let transaction = try await context.store.begin()
        do {
            try await body(transaction)
            try await transaction.commit()
        } catch {
            await transaction.rollBack()
            throw error
        }
        try await afterCommit?()
    }
}
