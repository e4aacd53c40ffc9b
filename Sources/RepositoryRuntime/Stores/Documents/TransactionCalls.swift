internal import Dispatch
internal import Synchronization

/// The calls of an open transaction, which one thread runs in their order and waits for.
final class TransactionCalls: Sendable {
    /// A call; what it returns is done when the transaction is over, which it then is.
    typealias Call = @Sendable () -> End?
    /// What is done after the end of a transaction.
    typealias End = @Sendable () -> Void

    private struct State {
        var calls: [Call] = []
        var isOver = false
    }

    private let state = Mutex(State())
    private let posted = DispatchSemaphore(value: 0)

    /// Hands a call to the thread; false where the transaction is over.
    func post(_ call: @escaping Call) -> Bool {
        let isPosted = state.withLock { state in
            if !state.isOver { state.calls.append(call) }
            return !state.isOver
        }
        if isPosted { posted.signal() }
        return isPosted
    }

    /// Runs calls until one ends the transaction, on a thread that may wait.
    func serve() -> End {
        while true {
            posted.wait()
            var end: End?
            for call in take(isOver: false) { end = call() ?? end }
            guard let end else { continue }
            // They find that the transaction is over.
            for call in take(isOver: true) { _ = call() }
            return end
        }
    }

    private func take(isOver: Bool) -> [Call] {
        state.withLock { state in
            state.isOver = isOver
            defer { state.calls = [] }
            return state.calls
        }
    }
}
