#if PostgreSQL
    internal import Synchronization

    /// The pages that a stream has read ahead, and the two tasks that wait for each other: the one
    /// that reads, and the one that uses the records.
    final class FollowingPages: Sendable {
        /// How the reading has ended.
        enum End { case over, stopped }

        /// What the user of the records gets.
        enum Taken: Sendable {
            case page(PostgreSQLResult)
            case end(End)
            case cancelled
        }

        private struct State {
            var pages: [PostgreSQLResult] = []
            var end: End?
            /// The task that waits for a page.
            var taker: CheckedContinuation<Taken, Never>?
            /// The task that waits for room, which gets `false` if it shall stop.
            var giver: CheckedContinuation<Bool, Never>?
            /// The number of waits for room that have begun or ended, by which a timer knows its
            /// own.
            var wait = 0
            /// Whether the reading shall stop.
            var isStopping = false
            /// The task that reads; `nil` before it is known, and after its end.
            var task: Task<Void, Never>?
        }

        private let state = Mutex(State())
        /// The number of pages that are read ahead, apart from the one that is being read.
        private static let most = 2

        // MARK: Reading

        /// Adds a page, and waits until there is room for another one.
        ///
        /// - Parameter patience: the time that the user of the records may take for it.
        /// - Returns: whether to go on.
        func give(_ page: PostgreSQLResult, patience: Duration) async -> Bool {
            let (taker, goesOn, wait) = state.withLock { state in
                let taker = state.taker
                state.taker = nil
                if taker == nil { state.pages.append(page) }
                state.wait += 1
                let hasRoom = state.pages.count < Self.most
                return (taker, state.isStopping ? false : hasRoom ? true : nil, state.wait)
            }
            taker?.resume(returning: .page(page))
            if let goesOn { return goesOn }
            let timer = Task {
                try await Task.sleep(for: patience)
                stop { $0.wait == wait }
            }
            defer { timer.cancel() }
            return await withCheckedContinuation { continuation in
                let goesOn: Bool? = state.withLock { state in
                    if state.isStopping { return false }
                    if state.wait != wait { return true }
                    state.giver = continuation
                    return nil
                }
                if let goesOn { continuation.resume(returning: goesOn) }
            }
        }

        /// Begins to read with a task.
        func begin(_ task: Task<Void, Never>) {
            let isStopping = state.withLock { state in
                if state.end == nil { state.task = task }
                return state.isStopping
            }
            if isStopping { task.cancel() }
        }

        /// Ends the pages.
        func finish(_ end: End) {
            let taker = state.withLock { state in
                state.end = end
                state.task = nil
                defer { state.taker = nil }
                return state.taker
            }
            taker?.resume(returning: .end(end))
        }

        /// Lets the reading stop: its statement is cancelled, and the pages that were read can be
        /// taken still.
        func stop() { stop { _ in true } }

        private func stop(if condition: (State) -> Bool) {
            let (giver, task) = state.withLock { state in
                guard condition(state) else {
                    return (nil, nil) as (CheckedContinuation<Bool, Never>?, Task<Void, Never>?)
                }
                state.isStopping = true
                defer { state.giver = nil }
                return (state.giver, state.task)
            }
            task?.cancel()
            giver?.resume(returning: false)
        }

        // MARK: Using

        /// Takes the next page, and waits for it.
        func take() async -> Taken {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let (taken, giver): (Taken?, CheckedContinuation<Bool, Never>?) =
                        state.withLock { state in
                            if Task.isCancelled { return (.cancelled, nil) }
                            guard !state.pages.isEmpty else {
                                if let end = state.end { return (.end(end), nil) }
                                state.taker = continuation
                                return (nil, nil)
                            }
                            state.wait += 1
                            defer { state.giver = nil }
                            return (.page(state.pages.removeFirst()), state.giver)
                        }
                    giver?.resume(returning: true)
                    if let taken { continuation.resume(returning: taken) }
                }
            } onCancel: {
                let taker = state.withLock { state in
                    defer { state.taker = nil }
                    return state.taker
                }
                taker?.resume(returning: .cancelled)
            }
        }
    }
#endif
