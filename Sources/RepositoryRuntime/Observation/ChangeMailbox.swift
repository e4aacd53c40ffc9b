internal import Synchronization

/// Where a store leaves word of its changes until an observation asks for it.
final class ChangeMailbox: Sendable {
    private struct State {
        var interest: ChangeInterest
        var gathered = GatheredChanges()
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastNumber = 0
    }

    private let state: Mutex<State>

    init(_ interest: ChangeInterest) {
        state = Mutex(State(interest: interest))
    }

    /// Adds a change and wakes who waits for it.
    func put(_ change: StoreChange) {
        let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard state.gathered.add(change, for: state.interest) else { return [] }
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in woken { continuation.resume() }
    }

    /// The ids of what was gathered of a table, in their text form; nil where they are not known. They stay gathered.
    func ids(of table: String) -> [TextKey]? { state.withLock { $0.gathered.ids(of: table) } }

    /// Takes what was gathered.
    func take() -> GatheredChanges {
        state.withLock { state in
            defer { state.gathered = GatheredChanges() }
            return state.gathered
        }
    }

    /// Looks at other changes from now on; of those gathered only they stay.
    func look(at interest: ChangeInterest) {
        state.withLock { state in
            state.interest = interest
            state.gathered.narrow(to: interest)
        }
    }

    /// Returns when something was gathered or the task is cancelled.
    func wait() async {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    // The task may have been cancelled before there was anybody to wake.
                    if !state.gathered.isEmpty || Task.isCancelled { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }
}
