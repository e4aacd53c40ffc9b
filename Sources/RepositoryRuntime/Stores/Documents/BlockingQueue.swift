internal import Dispatch
internal import Synchronization

/// A thread of its own for calls that block: writes that wait for the disk, locks held by another
/// process, long scans.
///
/// The threads of Swift's pool are as few as the cores; one that waits for a disk is missing for
/// every other task of the program. A dispatch queue brings threads of its own, which may wait. One
/// for writes is serial, because what it runs holds the store's lock anyway.
struct BlockingQueue: Sendable {
    private let queue: DispatchQueue

    /// Makes a queue.
    init(label: String, isSerial: Bool = true) {
        queue = DispatchQueue(label: label, attributes: isSerial ? [] : .concurrent)
    }

    /// Runs a body after those before it, for which nobody waits.
    func post(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Runs a body after those before it, while the calling task waits without a thread.
    ///
    /// - Parameter rest: what is done when the task has its answer, before the next body.
    func run<R: Sendable>(
        _ body: @escaping @Sendable () throws -> R, rest: @escaping @Sendable () -> Void = {}
    ) async throws -> R {
        let handover = ResultHandover()
        defer { handover.pass() }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async {
                let result = Result { try body() }
                handover.pass()
                continuation.resume(with: result)
                rest()
            }
        }
    }

    /// The same for a write: where the task is cancelled before the body has begun, the body is not
    /// run.
    ///
    /// - Parameter body: is given the flag that says whether the task was cancelled, for while it
    ///   waits itself.
    /// - Throws: `CancellationError`, or what the body throws.
    func runWrite<R: Sendable>(
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
                    let result = Result { try body(write.cancellation) }
                    handover.pass()
                    continuation.resume(with: result)
                    rest()
                }
            }
        } onCancel: {
            write.cancel()
        }
    }
}

/// A write that waits for its thread, until it begins or is cancelled, whichever is first.
final class QueuedWrite<R: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<R, any Error>)
        case begun
        case cancelled
    }

    private let state = Mutex(State.new)
    let cancellation = CancellationFlag()

    /// Waits; false where the task has been cancelled already.
    func wait(_ continuation: CheckedContinuation<R, any Error>) -> Bool {
        state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
    }

    /// Begins; nil where the task was cancelled.
    func begin() -> CheckedContinuation<R, any Error>? {
        state.withLock { state in
            guard case .waiting(let continuation) = state else { return nil }
            state = .begun
            return continuation
        }
    }

    func cancel() {
        cancellation.cancel()
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
        waiting?.resume(throwing: CancellationError())
    }
}
