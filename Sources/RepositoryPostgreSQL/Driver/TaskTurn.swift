#if PostgreSQL
    internal import Synchronization

    /// Lets one task at a time do something, in the order of arrival.
    final class TaskTurn: Sendable {
        private struct State {
            var isTaken = false
            var waiting: [CheckedContinuation<Void, Never>] = []
        }
        private let state = Mutex(State())

        /// Runs `body` when all bodies before it have ended.
        func take<R>(_ body: () async throws -> R) async throws -> R {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    if state.isTaken { state.waiting.append(continuation) }
                    defer { state.isTaken = true }
                    return !state.isTaken
                }
                if isFree { continuation.resume() }
            }
            defer {
                let next: CheckedContinuation<Void, Never>? = state.withLock { state in
                    if state.waiting.isEmpty {
                        state.isTaken = false
                        return nil
                    }
                    return state.waiting.removeFirst()
                }
                next?.resume()
            }
            return try await body()
        }
    }
#endif
