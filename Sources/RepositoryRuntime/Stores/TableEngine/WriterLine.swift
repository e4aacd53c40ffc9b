internal import Synchronization

/// Who may write: one at a time, first come first served, without holding a thread while waiting.
final class WriterLine: Sendable {
    private struct Line {
        var waiters: [Waiter] = []
        /// Where the first who waits stands.
        var first = 0
    }

    private let line = Mutex(Line())
    private let taken = Atomic(false)

    /// Whether nobody writes and nobody waits.
    var isFree: Bool { !taken.load(ordering: .acquiring) }

    /// How many stand in the line, those included that were cancelled there.
    var waiterCount: Int { line.withLock { $0.waiters.count - $0.first } }

    /// Waits until nobody else may write.
    ///
    /// - Throws: `CancellationError` where the task is cancelled while it waits.
    func take() async throws {
        if line.withLock({ _ in takeIfFree() }) { return }
        let waiter = Waiter()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(waiter, continuation)
            }
        } onCancel: {
            waiter.cancel()
        }
    }

    private func takeIfFree() -> Bool { !taken.exchange(true, ordering: .acquiringAndReleasing) }

    private func enter(_ waiter: Waiter, _ continuation: CheckedContinuation<Void, any Error>) {
        guard waiter.wait(with: continuation) else { return }
        let isFree = line.withLock { line in
            // Who wrote may have left meanwhile.
            if takeIfFree() { return true }
            line.waiters.append(waiter)
            return false
        }
        if isFree, !waiter.letIn() { leave() }
    }

    /// Lets the next one write.
    func leave() {
        while let next = line.withLock({ next(&$0) }) {
            if next.letIn() { return }
        }
    }

    private func next(_ line: inout Line) -> Waiter? {
        guard line.first < line.waiters.count else {
            line = Line()
            taken.store(false, ordering: .releasing)
            return nil
        }
        line.first += 1
        let waiter = line.waiters[line.first - 1]
        if line.first > 64, line.first * 2 > line.waiters.count {
            line.waiters.removeFirst(line.first)
            line.first = 0
        }
        return waiter
    }
}

/// A task that waits, until it is let in or cancelled, whichever is first.
private final class Waiter: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Void, any Error>)
        case over
    }

    private let state = Mutex(State.new)

    /// Waits; false where the task has been cancelled already.
    func wait(with continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let isNew = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isNew { continuation.resume(throwing: CancellationError()) }
        return isNew
    }

    /// Lets the task go on; false where it was cancelled.
    func letIn() -> Bool {
        guard let continuation = end() else { return false }
        continuation.resume()
        return true
    }

    func cancel() { end()?.resume(throwing: CancellationError()) }

    private func end() -> CheckedContinuation<Void, any Error>? {
        state.withLock { state in
            defer { state = .over }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
    }
}
