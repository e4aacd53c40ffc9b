internal import Dispatch
internal import Synchronization

/// The queue of the calls of an open transaction.
///
/// Any thread adds calls with ``post(_:)``. The transaction's own thread runs them in order with
/// ``serve()`` and waits between them.
final class TransactionCalls: Sendable {
    /// A call. If it ends the transaction, it returns the work to do after the end.
    typealias Call = @Sendable () -> End?
    /// The work to do after the end of a transaction, when its lock has been released.
    typealias End = @Sendable () -> Void

    /// The state that the threads share.
    private struct State {
        /// The calls that have not been run yet.
        var calls: [Call] = []
        /// Whether the transaction has ended.
        var isOver = false
    }

    /// The queued calls.
    private let state = Mutex(State())
    /// Signaled once for each added call.
    private let posted = DispatchSemaphore(value: 0)

    /// Adds a call, from any thread. Returns false, without running the call, if the transaction
    /// has ended.
    func post(_ call: @escaping Call) -> Bool {
        let isPosted = state.withLock { state in
            if !state.isOver { state.calls.append(call) }
            return !state.isOver
        }
        if isPosted { posted.signal() }
        return isPosted
    }

    /// Runs calls until one of them ends the transaction. Blocks the thread.
    ///
    /// - Returns: The work to do after the lock has been released.
    func serve() -> End {
        while true {
            posted.wait()
            var end: End?
            for call in take(isOver: false) { end = call() ?? end }
            guard let end else { continue }
            // These calls detect that the transaction has ended and fail.
            for call in take(isOver: true) { _ = call() }
            return end
        }
    }

    /// Removes and returns the queued calls.
    private func take(isOver: Bool) -> [Call] {
        state.withLock { state in
            state.isOver = isOver
            defer { state.calls = [] }
            return state.calls
        }
    }
}
