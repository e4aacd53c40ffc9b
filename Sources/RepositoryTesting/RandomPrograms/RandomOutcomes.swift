internal import Synchronization

/// The outcomes of the operations in a transaction, whose body may run more than once.
final class RandomOutcomes: Sendable {
    private let outcomes = Mutex<[RandomOutcome]>([])

    /// The outcomes of the latest run of the body.
    var all: [RandomOutcome] { outcomes.withLock { $0 } }

    /// Discards the outcomes of a previous run.
    func begin() { outcomes.withLock { $0 = [] } }

    /// Appends the outcome of the next operation.
    func add(_ outcome: RandomOutcome) { outcomes.withLock { $0.append(outcome) } }
}
