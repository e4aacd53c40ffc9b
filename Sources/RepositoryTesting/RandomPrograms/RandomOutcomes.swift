internal import Synchronization

/// The outcomes of the operations of a transaction, which may be tried more than once.
final class RandomOutcomes: Sendable {
    private let outcomes = Mutex<[RandomOutcome]>([])

    /// The outcomes of the last try.
    var all: [RandomOutcome] { outcomes.withLock { $0 } }

    /// Forgets those of an earlier try.
    func begin() { outcomes.withLock { $0 = [] } }

    /// Adds the outcome of the next operation.
    func add(_ outcome: RandomOutcome) { outcomes.withLock { $0.append(outcome) } }
}
