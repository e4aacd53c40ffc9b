internal import Dispatch
internal import Synchronization

/// Pieces of work that wait for a disk, done by several threads at once.
///
/// Almost all the time of such a piece is spent waiting, and a disk that is asked for many things at once does them together.
/// The calling thread works too and waits for no helper that has not begun: Dispatch has so many threads and no more, and when
/// all of them are taken by callers no helper ever begins.
final class SharedWork<Failure: Error>: Sendable {
    private struct State {
        var next = 0
        var running = 0
        var failure: Failure?
    }

    private let count: Int
    private let work: @Sendable (Int) throws(Failure) -> Void
    private let state = Mutex(State())
    private let idle = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - count: how many pieces there are.
    ///   - work: does the piece of a number.
    init(_ count: Int, _ work: @escaping @Sendable (Int) throws(Failure) -> Void) {
        self.count = count
        self.work = work
    }

    /// Does all pieces; throws the first failure, after which no further piece is begun.
    func run() throws(Failure) {
        for number in 1..<max(1, min(16, count)) {
            // Each serial queue has a thread of its own; a concurrent one has as many as there are cores.
            DispatchQueue(label: "EntityStore.files.\(number)").async { self.help() }
        }
        help()
        while state.withLock({ $0.running > 0 }) { idle.wait() }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Does pieces until none is left.
    private func help() {
        while let index = take() {
            var failure: Failure?
            do throws(Failure) { try work(index) } catch { failure = error }
            end(failure)
        }
    }

    private func take() -> Int? {
        state.withLock { state in
            guard state.failure == nil, state.next < count else { return nil }
            state.running += 1
            state.next += 1
            return state.next - 1
        }
    }

    private func end(_ failure: Failure?) {
        let isIdle = state.withLock { state in
            state.running -= 1
            if state.failure == nil { state.failure = failure }
            return state.running == 0
        }
        if isIdle { idle.signal() }
    }
}
