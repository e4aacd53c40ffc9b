internal import Dispatch

/// A thread of its own for calls that block: writes that wait for the disk, locks held by another process, long scans.
///
/// The threads of Swift's pool are as few as the cores; one that waits for a disk is missing for every other task of
/// the program. A dispatch queue brings threads of its own, which may wait. One for writes is serial, because what it runs
/// holds the store's lock anyway.
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
}
