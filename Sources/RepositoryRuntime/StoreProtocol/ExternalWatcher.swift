internal import Synchronization

/// Polls a store for writes by other processes while the store has observers, and notifies the
/// observers.
///
/// One watcher belongs to each ``StoreChanges``. It runs one detached task, whatever the number of
/// observers. The task compares the store's `externalState()` with the previous one and sends
/// ``StoreChange/anything`` when they differ.
final class ExternalWatcher: Sendable {
    /// The result of one poll. A store that throws differs from a store whose state is unchanged.
    private enum Answer: Equatable {
        case state(UInt64?)
        case failure
    }

    /// The configuration, the number of observers and the polling task, which exists while there
    /// are observers.
    private struct State {
        var watch = ExternalWatch()
        var observers = 0
        var task: Task<Void, Never>?
        /// Whether the store was closed.
        var isFinished = false
    }

    /// The state. The mutex is not held while the store is polled.
    private let state = Mutex(State())

    /// The polling interval and its clock. A new value takes effect with the next pause.
    var watch: ExternalWatch {
        get { state.withLock { $0.watch } }
        set { state.withLock { $0.watch = newValue } }
    }

    /// Adds an observer. The first observer starts the polling task.
    ///
    /// - Parameter answer: the store's state before the observer read anything. It is used only by
    ///   the first observer: the task of an earlier one compares with a state that is at least as
    ///   old.
    func join(_ store: any EntityStore, since answer: UInt64?) {
        state.withLock { state in
            state.observers += 1
            guard state.task == nil, !state.isFinished else { return }
            state.task = Task.detached { [self] in await ask(store, since: answer) }
        }
    }

    /// Removes an observer. Removing the last observer cancels the polling task.
    func leave() {
        let task = state.withLock { state -> Task<Void, Never>? in
            state.observers -= 1
            guard state.observers == 0 else { return nil }
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
    }

    /// Ends the polling, because the store is closed.
    func finish() {
        let task = state.withLock { state -> Task<Void, Never>? in
            state.isFinished = true
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
    }

    /// The body of the polling task.
    private func ask(_ store: any EntityStore, since first: UInt64?) async {
        var last = Answer.state(first)
        while !Task.isCancelled {
            do {
                try await watch.pause()
            } catch {
                // Only a cancelled pause throws.
                return
            }
            let answer = await Self.answer(of: store)
            guard answer != last, !Task.isCancelled else { continue }
            last = answer
            // A failed poll notifies too: the observer's next read then throws the store's error.
            store.changes.send(.anything)
        }
    }

    /// Polls the store once.
    private static func answer(of store: any EntityStore) async -> Answer {
        do {
            return .state(try await store.externalState())
        } catch {
            return .failure
        }
    }
}
