internal import Synchronization

/// Whether a store is open, and the operations that its closing waits for, for implementers of
/// stores.
///
/// Operations that end soon, and operations that hold a lock of the store, only check
/// ``isClosed``. Those that own something for a long time, such as a snapshot, are counted with
/// ``enter()`` and ``leave()``.
package final class StoreLife: Sendable {
    /// The progress of the closing, and the tasks that wait for it.
    private struct State {
        /// The number of counted operations that have not ended.
        var running = 0
        var isClosing = false
        var isOver = false
        /// The closing task, while it waits for the counted operations.
        var drained: CheckedContinuation<Void, Never>?
        /// Further tasks that close the store.
        var followers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    /// Read by each operation, without the mutex.
    private let closed = Atomic(false)

    /// Creates the life of an open store.
    package init() {}

    /// Whether the store was closed, or is being closed.
    @inline(__always)
    package var isClosed: Bool { closed.load(ordering: .acquiring) }

    /// Throws if the store is closed. It costs one atomic load.
    ///
    /// - Throws: `storeClosed`.
    @inline(__always)
    package func check() throws(CRUDRepositoryError) {
        if isClosed { throw .storeClosed }
    }

    /// Counts an operation, which the closing of the store waits for. The caller must call
    /// ``leave()`` when the operation has ended.
    ///
    /// - Throws: `storeClosed`. The operation is not counted then.
    package func enter() throws(CRUDRepositoryError) {
        let isOpen = state.withLock { state in
            if !state.isClosing { state.running += 1 }
            return !state.isClosing
        }
        if !isOpen { throw .storeClosed }
    }

    /// Ends an operation that ``enter()`` has counted.
    package func leave() {
        let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
            state.running -= 1
            guard state.running == 0 else { return nil }
            defer { state.drained = nil }
            return state.drained
        }
        waiting?.resume()
    }

    /// Runs an operation that the closing of the store waits for.
    ///
    /// - Throws: `storeClosed`, or the error of the operation.
    package func during<R>(_ body: () async throws -> R) async throws -> R {
        try enter()
        defer { leave() }
        return try await body()
    }

    /// Closes the store. A second call waits for the end of the first one.
    ///
    /// - Parameters:
    ///   - refuse: ends the waits of the operations that have not begun. Called once, after
    ///     ``isClosed`` was set.
    ///   - release: waits for the operations that have begun and are not counted, and releases what
    ///     the store holds. Called once, when all counted operations have ended.
    package func close(
        refusing refuse: () -> Void, releasing release: () async -> Void
    ) async {
        let isFirst = state.withLock { state in
            defer { state.isClosing = true }
            return !state.isClosing
        }
        guard isFirst else { return await follow() }
        closed.store(true, ordering: .sequentiallyConsistent)
        refuse()
        await drain()
        await release()
        let followers = state.withLock { state in
            state.isOver = true
            defer { state.followers = [] }
            return state.followers
        }
        for follower in followers { follower.resume() }
    }

    /// Waits until the first call of ``close(refusing:releasing:)`` has ended.
    private func follow() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.followers.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    /// Waits until all counted operations have ended.
    private func drain() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.running > 0 { state.drained = continuation }
                return state.running == 0
            }
            if isIdle { continuation.resume() }
        }
    }
}
