internal import Synchronization

/// The changes of a store that one observation has not processed yet.
///
/// Committing tasks add to it with ``put(_:)``; the observation waits with ``wait()`` and empties
/// it with ``take()``. Its size is bounded by ``GatheredChanges``. A mailbox has one consumer, but
/// any number of tasks may wait.
final class ChangeMailbox: Sendable {
    /// The state behind the lock. `waiting` has one continuation per suspended ``wait()``, by its
    /// number.
    private struct State {
        var interest: ChangeInterest
        var gathered = GatheredChanges()
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastNumber = 0
        var isFinished = false
    }

    private let state: Mutex<State>

    init(_ interest: ChangeInterest) {
        state = Mutex(State(interest: interest))
    }

    /// Adds a change and resumes the waiting tasks if the change is of interest.
    func put(_ change: StoreChange) {
        let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard state.gathered.add(change, for: state.interest) else { return [] }
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in woken { continuation.resume() }
    }

    /// Returns the keys of the changed records of a table without removing them; nil if they are
    /// unknown.
    func ids(of table: String) -> [TextKey]? { state.withLock { $0.gathered.ids(of: table) } }

    /// Returns the gathered changes and empties the mailbox.
    func take() -> GatheredChanges {
        state.withLock { state in
            defer { state.gathered = GatheredChanges() }
            return state.gathered
        }
    }

    /// Replaces the interest, and drops the gathered changes that the new interest does not cover.
    func setInterest(_ interest: ChangeInterest) {
        state.withLock { state in
            state.interest = interest
            state.gathered.narrow(to: interest)
        }
    }

    /// Whether the store was closed, so that no further change arrives.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Records that the store was closed, and resumes the waiting tasks.
    func finish() {
        let woken = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in woken { continuation.resume() }
    }

    /// Suspends until a change has been gathered, the store is closed, or the task is cancelled.
    func wait() async {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    // The task may have been cancelled before the continuation was registered.
                    if !state.gathered.isEmpty || state.isFinished || Task.isCancelled {
                        return true
                    }
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
