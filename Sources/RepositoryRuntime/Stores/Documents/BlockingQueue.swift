internal import Dispatch
internal import Synchronization

/// A dispatch queue for calls that block: writes that wait for the disk, locks held by another
/// process, long scans.
///
/// Swift's thread pool has only as many threads as there are cores, and a blocked thread delays
/// every other task of the program. A dispatch queue has threads of its own, which may block. The
/// queue of the writes is serial, because each write holds the store's lock anyway.
package struct BlockingQueue: Sendable {
    private let queue: DispatchQueue
    /// The life of the store whose calls the queue runs; nil if it is not closed.
    private let life: StoreLife?
    /// The time that a write waits for its turn; nil for no limit.
    private let limit: Duration?

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - label: The label of the dispatch queue, for debugging.
    ///   - isSerial: Whether the queue runs one body at a time.
    ///   - life: The life of the store. Once it is closed, bodies that have not begun do not run.
    ///   - limit: The time that a write waits for its turn; nil for no limit.
    package init(
        label: String, isSerial: Bool = true, life: StoreLife? = nil, limit: Duration? = nil
    ) {
        self.life = life
        self.limit = limit
        queue = DispatchQueue(label: label, attributes: isSerial ? [] : .concurrent)
    }

    /// Blocks the thread until all bodies that were added before have ended.
    func drain() { queue.sync(flags: .barrier) {} }

    /// Runs a body later, without waiting for it.
    package func post(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Waits until all bodies that were added before have ended, and runs a last one, without
    /// checking whether the store is closed.
    package func finish(_ last: @escaping @Sendable () -> Void = {}) async {
        await withCheckedContinuation { continuation in
            queue.async(flags: .barrier) {
                last()
                continuation.resume()
            }
        }
    }

    /// Runs a body and suspends the calling task until it has ended.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - rest: Runs after the task has received the result. In a serial queue, it runs before the
    ///     next body.
    /// - Throws: The error of the body, or `storeClosed`.
    func run<R: Sendable>(
        _ body: @escaping @Sendable () throws -> R, rest: @escaping @Sendable () -> Void = {}
    ) async throws -> R {
        let handover = ResultHandover()
        defer { handover.pass() }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async {
                let result = Result {
                    try life?.check()
                    return try body()
                }
                handover.pass()
                continuation.resume(with: result)
                rest()
            }
        }
    }

    /// Runs the body of a write, unless the task is cancelled before the body begins.
    ///
    /// - Parameters:
    ///   - body: The body. Its parameter reports whether the task has been cancelled; the body
    ///     checks it while it waits.
    ///   - rest: Runs after the task has received the result, before the next body.
    /// - Throws: `CancellationError`, `storeClosed`, a retryable error after the time limit, or the
    ///   error of the body.
    package func runWrite<R: Sendable>(
        _ body: @escaping @Sendable (CancellationFlag) throws -> R,
        rest: @escaping @Sendable () -> Void = {}
    ) async throws -> R {
        let handover = ResultHandover()
        defer { handover.pass() }
        let write = QueuedWrite<R>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard write.wait(continuation) else {
                    return continuation.resume(throwing: CancellationError())
                }
                queue.async {
                    guard let continuation = write.begin() else { return }
                    let result = Result {
                        try life?.check()
                        return try body(write.cancellation)
                    }
                    handover.pass()
                    continuation.resume(with: result)
                    rest()
                }
                guard let limit else { return }
                limit.later { [weak write] in write?.giveUp(CRUDRepositoryError.waited(limit)) }
            }
        } onCancel: {
            write.cancel()
        }
    }
}

/// The state of a queued write. Ensures that its continuation is resumed exactly once, by the
/// thread that begins the write or by the cancellation, whichever comes first.
final class QueuedWrite<R: Sendable>: Sendable {
    /// The progress of a write.
    private enum State {
        case new
        case waiting(CheckedContinuation<R, any Error>)
        case begun
        case cancelled
    }

    /// The state, which the thread and the cancellation handler share.
    private let state = Mutex(State.new)
    /// Set when the task is cancelled, also after the write has begun.
    let cancellation = CancellationFlag()

    /// Stores the continuation of the waiting task. Returns false if the task has already been
    /// cancelled.
    func wait(_ continuation: CheckedContinuation<R, any Error>) -> Bool {
        state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
    }

    /// Begins the write and returns its continuation; returns nil if the task was cancelled.
    func begin() -> CheckedContinuation<R, any Error>? {
        state.withLock { state in
            guard case .waiting(let continuation) = state else { return nil }
            state = .begun
            return continuation
        }
    }

    /// Cancels the write. If it has not begun, resumes its task with `CancellationError`.
    func cancel() {
        cancellation.cancel()
        giveUp(CancellationError())
    }

    /// Ends the wait of a write that has not begun, with an error.
    func giveUp(_ error: any Error) {
        let waiting: CheckedContinuation<R, any Error>? = state.withLock { state in
            switch state {
            case .new:
                state = .cancelled
                return nil
            case .waiting(let continuation):
                state = .cancelled
                return continuation
            case .begun, .cancelled: return nil
            }
        }
        waiting?.resume(throwing: error)
    }
}
