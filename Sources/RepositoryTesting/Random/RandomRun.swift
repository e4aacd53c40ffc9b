internal import Foundation
internal import RepositoryRuntime
internal import Synchronization

/// A random sequence of operations, done on a store and on the reference store, with every outcome compared.
struct RandomRun {
    private let clock = RandomClock()
    private let model: Conformance
    private let trial: StoreTrial
    private var random = SeededGenerator(seed: RandomOperations.seed)
    private var last: [String] = []

    init(_ trial: StoreTrial) {
        self.trial = trial
        let (moments, ids) = (clock, trial.defaults.uuid)
        model = Conformance(
            context: RepositoryContext(
                store: ReferenceStore(), schema: trial.repositories.context.schema,
                defaults: EntityDefaults.Source(now: { moments.now }, uuid: ids),
                fullScans: .allow))
    }

    /// Does operations on single records of tables.
    mutating func singles(on tables: [RandomTable]) async throws {
        let set = set(of: trial)
        for number in 0..<RandomOperations.count {
            try await compare(random.one(of: tables).single(&random), number, set)
        }
    }

    /// Does operations of every kind on tables, and compares all records now and then, and after a store that lasts was
    /// made anew.
    mutating func anything(on tables: [RandomTable]) async throws {
        let set = set(of: trial)
        for number in 0..<RandomOperations.count {
            try await compare(random.one(of: tables).any(&random), number, set)
            guard number % 50 == 49 else { continue }
            for table in tables { try await compare(table.all, number, set) }
        }
        guard trial.store.capabilities.has(.persistent) else { return }
        let later = self.set(of: try await trial.reopened())
        for table in tables { try await compare(table.all, RandomOperations.count, later) }
    }

    private func set(of trial: StoreTrial) -> Conformance {
        let moments = clock
        return trial.repositories(now: { moments.now })
    }

    private mutating func compare(
        _ operation: RandomOperation, _ number: Int, _ set: Conformance
    ) async throws {
        clock.step()
        last = last.suffix(11) + [operation.description]
        let expected = try await RandomOutcome.of { try await operation.run(model) }
        let actual = try await RandomOutcome.of { try await operation.run(set) }
        guard expected != actual else { return }
        let story = last.joined(separator: "\n    ")
        try expect(
            actual, is: expected,
            "Operation \(number) differs; replay with \(RandomOperations.replay).\n    \(story)")
    }
}

/// A clock that stands still during an operation, so that two stores stamp the same moment.
private final class RandomClock: Sendable {
    private let seconds = Atomic(0)

    var now: Date { TrialClock.start + Double(seconds.load(ordering: .relaxed)) }

    func step() { seconds.add(1, ordering: .relaxed) }
}
