#if PostgreSQL
    internal import Synchronization

    /// Lets transactions that run again after a conflict take turns, so that many tasks that change
    /// the same records do not conflict again and again.
    ///
    /// The wait is bounded: the body of a transaction may wait for another one that waits here.
    final class RetryTurn: Sendable {
        private struct State {
            var isTaken = false
            var next = 0
            var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
            /// The numbers of the waiting tasks, in order; those that left are not in `waiting`.
            var order: [Int] = []

            /// Removes and returns the task that has waited longest.
            mutating func popFirst() -> CheckedContinuation<Bool, Never>? {
                while !order.isEmpty {
                    if let task = waiting.removeValue(forKey: order.removeFirst()) { return task }
                }
                return nil
            }
        }

        private static let limit = Duration.seconds(5)
        private let state = Mutex(State())

        /// Waits for the turn.
        ///
        /// - Returns: whether the caller has it, and must give it back; false if the wait took too
        ///   long.
        func take() async -> Bool {
            let number: Int? = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return nil
                }
                state.next += 1
                return state.next
            }
            guard let number else { return true }
            let timer = Task { [weak self] in
                try await Task.sleep(for: Self.limit)
                self?.leave(number)
            }
            defer { timer.cancel() }
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isFree: Bool? = state.withLock { state in
                        if Task.isCancelled { return false }
                        if !state.isTaken {
                            state.isTaken = true
                            return true
                        }
                        state.waiting[number] = continuation
                        state.order.append(number)
                        return nil
                    }
                    if let isFree { continuation.resume(returning: isFree) }
                }
            } onCancel: {
                leave(number)
            }
        }

        /// Ends the wait of a task without the turn.
        private func leave(_ number: Int) {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: false)
        }

        /// Gives the turn back.
        func give() {
            let next = state.withLock { state in
                let next = state.popFirst()
                if next == nil { state.isTaken = false }
                return next
            }
            next?.resume(returning: true)
        }
    }
#endif
