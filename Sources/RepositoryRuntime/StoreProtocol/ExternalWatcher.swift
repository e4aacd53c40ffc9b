internal import Synchronization

/// Asks a store, while somebody observes it, whether another process has written, and tells all who observe.
final class ExternalWatcher: Sendable {
    /// What a store answered; a store that cannot be asked is told from one that did not move.
    private enum Answer: Equatable {
        case state(UInt64?)
        case failure
    }

    private struct State {
        var watch = ExternalWatch()
        var observers = 0
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// How the store is asked.
    var watch: ExternalWatch {
        get { state.withLock { $0.watch } }
        set { state.withLock { $0.watch = newValue } }
    }

    /// Adds an observer; the first one starts the questions.
    ///
    /// - Parameter answer: what the store answered before the observer read anything. Where others observe already,
    ///   they have an answer that is no newer than the observer.
    func join(_ store: any EntityStore, since answer: UInt64?) {
        state.withLock { state in
            state.observers += 1
            guard state.task == nil else { return }
            state.task = Task.detached { [self] in await ask(store, since: answer) }
        }
    }

    /// Removes an observer; with the last one the questions end.
    func leave() {
        let task = state.withLock { state -> Task<Void, Never>? in
            state.observers -= 1
            guard state.observers == 0 else { return nil }
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
    }

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
            // Whoever reads then meets what kept the store from answering.
            store.changes.send(.anything)
        }
    }

    private static func answer(of store: any EntityStore) async -> Answer {
        do {
            return .state(try await store.externalState())
        } catch {
            return .failure
        }
    }
}
