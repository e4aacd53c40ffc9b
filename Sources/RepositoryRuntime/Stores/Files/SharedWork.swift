internal import Dispatch
internal import Synchronization

/// Runs blocking pieces of work, such as disk accesses, on several threads.
///
/// Each piece spends almost all its time waiting, and a disk processes concurrent requests
/// together. The calling thread takes part and never waits for a helper thread that has not
/// started: Dispatch has a limited number of threads, and if callers block all of them, no helper
/// starts.
final class SharedWork<Failure: Error>: Sendable {
    /// The state that the threads share.
    private struct State {
        /// The number of the next piece.
        var next = 0
        /// The number of pieces in progress.
        var running = 0
        /// The first failure.
        var failure: Failure?
    }

    /// The number of pieces.
    private let count: Int
    /// Performs the piece with the given number.
    private let work: @Sendable (Int) throws(Failure) -> Void
    private let state = Mutex(State())
    /// Signaled when no piece is in progress.
    private let idle = DispatchSemaphore(value: 0)

    /// Creates the work; ``run()`` starts it.
    ///
    /// - Parameters:
    ///   - count: The number of pieces.
    ///   - work: Performs the piece with the given number, on any of the threads.
    init(_ count: Int, _ work: @escaping @Sendable (Int) throws(Failure) -> Void) {
        self.count = count
        self.work = work
    }

    /// Performs all pieces on at most 16 threads. Throws the first failure, after which no further
    /// piece starts.
    func run() throws(Failure) {
        for number in 1..<max(1, min(16, count)) {
            // Each serial queue has a thread of its own. A concurrent queue has only as many
            // threads as there are cores.
            DispatchQueue(label: "EntityStore.files.\(number)").async { self.help() }
        }
        help()
        while state.withLock({ $0.running > 0 }) { idle.wait() }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Performs pieces until none is left.
    private func help() {
        while let index = take() {
            var failure: Failure?
            do throws(Failure) { try work(index) } catch { failure = error }
            end(failure)
        }
    }

    /// Reserves the next piece; nil if none is left or a piece has failed.
    private func take() -> Int? {
        state.withLock { state in
            guard state.failure == nil, state.next < count else { return nil }
            state.running += 1
            state.next += 1
            return state.next - 1
        }
    }

    /// Records the end of a piece.
    private func end(_ failure: Failure?) {
        let isIdle = state.withLock { state in
            state.running -= 1
            if state.failure == nil { state.failure = failure }
            return state.running == 0
        }
        if isIdle { idle.signal() }
    }
}
