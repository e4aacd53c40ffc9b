internal import Dispatch
internal import Synchronization

/// A fair, asynchronous lock that serializes writers. Waiting writers form a queue and do not block
/// a thread.
///
/// Invariant: whenever the queue is not empty, the lock is taken. ``leave()`` passes the lock to
/// the next waiter without releasing it.
package final class WriterLine: Sendable {
    /// The queue. Waiters before `first` were already removed; the array is compacted occasionally,
    /// so that removing a waiter takes amortized constant time.
    private struct Line {
        var waiters: [Waiter] = []
        /// The position of the first waiter in the queue.
        var first = 0
        /// Whether the store was closed, so that nobody else may take the lock.
        var isClosed = false
    }

    /// The queue. The mutex is held for short steps only, never while a task waits.
    private let line = Mutex(Line())
    /// Whether the lock is taken. Set to false only while the mutex of the queue is held.
    private let taken = Atomic(false)
    /// The time that a writer waits for the lock; nil for no limit.
    private let limit: Duration?

    /// Creates a free lock.
    ///
    /// - Parameter limit: the time that a writer waits for the lock; nil for no limit.
    package init(limit: Duration? = nil) { self.limit = limit }

    /// Whether no writer holds the lock and none is waiting.
    package var isFree: Bool { !taken.load(ordering: .acquiring) }

    /// The number of waiters in the queue, including cancelled ones that were not removed yet.
    var waiterCount: Int { line.withLock { $0.waiters.count - $0.first } }

    /// Waits for the lock and takes it. The caller must call ``leave()`` afterwards.
    ///
    /// If the lock is free, the call returns without suspending. A cancelled waiter stays in the
    /// queue and is skipped when its turn comes.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before it holds the lock;
    ///   `storeClosed`; a retryable error after the time limit.
    package func take() async throws {
        try Task.checkCancellation()
        if line.withLock({ !$0.isClosed && takeIfFree() }) { return }
        let waiter = Waiter()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(waiter, continuation, isClosing: false)
                guard let limit else { return }
                limit.later { [weak waiter] in waiter?.giveUp(CRUDRepositoryError.waited(limit)) }
            }
        } onCancel: {
            waiter.cancel()
        }
    }

    /// Takes the lock if it is free, and returns whether it did.
    private func takeIfFree() -> Bool { !taken.exchange(true, ordering: .acquiringAndReleasing) }

    /// Ends the waits of all writers with `storeClosed`, and takes the lock for good when its
    /// holder has left.
    package func close() async {
        let waiters = line.withLock { line in
            line.isClosed = true
            defer { (line.waiters, line.first) = ([], 0) }
            return line.waiters.dropFirst(line.first)
        }
        for waiter in waiters { waiter.giveUp(CRUDRepositoryError.storeClosed) }
        // Nothing ends this wait but the lock.
        try? await withCheckedThrowingContinuation { continuation in
            enter(Waiter(), continuation, isClosing: true)
        }
    }

    /// Takes the lock if it has become free; otherwise appends the waiter to the queue.
    private func enter(
        _ waiter: Waiter, _ continuation: CheckedContinuation<Void, any Error>, isClosing: Bool
    ) {
        guard waiter.wait(with: continuation) else { return }
        let (isFree, isRefused) = line.withLock { line in
            if line.isClosed, !isClosing { return (false, true) }
            // The lock may have been released since the first attempt.
            if takeIfFree() { return (true, false) }
            line.waiters.append(waiter)
            return (false, false)
        }
        if isRefused { return waiter.giveUp(CRUDRepositoryError.storeClosed) }
        if isFree, !waiter.letIn() { leave() }
    }

    /// Releases the lock, or passes it to the next waiter that was not cancelled.
    package func leave() {
        while let next = line.withLock({ next(&$0) }) {
            if next.letIn() { return }
        }
    }

    /// Removes and returns the first waiter. If there is none, marks the lock as free.
    private func next(_ line: inout Line) -> Waiter? {
        guard line.first < line.waiters.count else {
            (line.waiters, line.first) = ([], 0)
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

/// A suspended task. It is resumed exactly once: when it gets the lock, or when it is cancelled.
private final class Waiter: Sendable {
    /// The life cycle of a waiter. A waiter may be cancelled before it starts to wait.
    private enum State {
        case new
        case waiting(CheckedContinuation<Void, any Error>)
        case over
    }

    private let state = Mutex(State.new)

    /// Stores the continuation. Returns false if the task was cancelled before; the continuation is
    /// then resumed with an error.
    func wait(with continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let isNew = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isNew { continuation.resume(throwing: CancellationError()) }
        return isNew
    }

    /// Resumes the task with the lock. Returns false if the task was cancelled.
    func letIn() -> Bool {
        guard let continuation = end() else { return false }
        continuation.resume()
        return true
    }

    /// Resumes the task with `CancellationError`, unless it already has the lock.
    func cancel() { giveUp(CancellationError()) }

    /// Resumes the task with an error, unless it already has the lock.
    func giveUp(_ error: any Error) { end()?.resume(throwing: error) }

    /// Moves to the final state. Returns the continuation, if the task was waiting.
    private func end() -> CheckedContinuation<Void, any Error>? {
        state.withLock { state in
            defer { state = .over }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
    }
}

extension Duration {
    /// Runs a body after this time, on any thread.
    package func later(_ body: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = components
        let time = Double(seconds) + Double(attoseconds) / 1e18
        // Dispatch cannot represent all times; nobody waits for a year.
        let delay = min(max(time, 0), 31_536_000)
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay, execute: body)
    }
}
