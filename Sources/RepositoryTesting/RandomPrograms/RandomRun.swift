internal import Foundation
internal import RepositoryRuntime
internal import Synchronization

/// A random sequence of operations, done on a store and on the reference store, with every outcome compared.
struct RandomRun {
    let trial: StoreTrial
    let seed: UInt64
    let count: Int

    init(_ trial: StoreTrial, seed: UInt64? = nil, count: Int? = nil) {
        self.trial = trial
        self.seed = seed ?? RandomSettings.seed
        self.count = count ?? RandomSettings.operations
    }

    /// Does operations on single records of tables.
    func singles(on tables: [RandomTable]) async throws {
        var random = SeededGenerator(seed: seed)
        var operations: [RandomOperation] = []
        for _ in 0..<count { operations.append(random.one(of: tables).single(&random)) }
        try await check(operations)
    }

    /// Does operations of every kind on tables, and compares all records now and then, and after a store that lasts was
    /// made anew.
    func anything(on tables: [RandomTable]) async throws {
        let capabilities = trial.store.capabilities
        let abilities = RandomAbilities(capabilities)
        var random = SeededGenerator(seed: seed)
        var operations: [RandomOperation] = []
        for number in 0..<count {
            if abilities.transactions, random.once(in: 12) {
                operations.append(
                    try transaction(of: RandomTable.plain, abilities, &random, depth: 2))
            } else {
                operations.append(try random.one(of: tables).any(&random, abilities))
            }
            if number % 50 == 49 { operations += tables.map(\.all) }
        }
        if capabilities.has(.persistent) { operations.append(.reopening) }
        try await check(operations + tables.map(\.all))
    }

    private func transaction(
        of tables: [RandomTable], _ abilities: RandomAbilities,
        _ random: inout SeededGenerator, depth: Int
    ) throws -> RandomOperation {
        var operations: [RandomOperation] = []
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            if depth > 1, random.once(in: 5) {
                operations.append(
                    try transaction(of: tables, abilities, &random, depth: depth - 1))
            } else {
                operations.append(try random.one(of: tables).any(&random, abilities))
            }
        }
        return .transaction(operations, random.once(in: 3) ? .throwing : .commits)
    }

    /// Does operations; what differs is thrown as the smallest run found that does.
    private func check(_ operations: [RandomOperation]) async throws {
        guard let first = try await difference(operations, trial) else { return }
        let start = Array(operations[...first.number])
        let shrinker = Shrinker<[RandomOperation]>(smaller: Self.smaller) { operations in
            try await trial.fresh { try await difference(operations, $0) } != nil
        }
        let isRepeatable = try await shrinker.fails(start)
        let smallest = isRepeatable ? try await shrinker.shrink(start) : start
        let last = try await trial.fresh { try await difference(smallest, $0) } ?? first
        let program = try smallest.suffix(40).map { try $0.describe() }.joined(separator: "\n")
        throw ExpectationFailure(
            message: """
                Operation \(first.number) differs, as the last of these \(smallest.count) does; replay with \
                REPOSITORY_SEED=\(seed) REPOSITORY_OPERATIONS=\(count).
                    \(program.replacing("\n", with: "\n    "))
                """,
            expected: "\(last.expected)", actual: "\(last.actual)", fileID: #fileID, line: #line)
    }

    private static func smaller(_ operations: [RandomOperation]) -> [[RandomOperation]] {
        // One at a time is worth trying only where few are left.
        operations.withoutParts
            + (operations.count > 20 ? 0..<0 : operations.indices).flatMap { index in
                operations[index].simpler().map { simpler in
                    var copy = operations
                    copy[index] = simpler
                    return copy
                }
            }
    }

    private struct Difference {
        let number: Int
        let expected: RandomOutcome
        let actual: RandomOutcome
    }

    /// Does operations on a fresh store and on a fresh reference store until an outcome differs.
    private func difference(
        _ operations: [RandomOperation], _ trial: StoreTrial
    ) async throws -> Difference? {
        let clock = RandomClock()
        let model = Conformance(
            context: RepositoryContext(
                store: ReferenceStore(), schema: trial.repositories.context.schema,
                defaults: EntityDefaults.Source(now: { clock.now }, uuid: trial.defaults.uuid),
                fullScans: .allow))
        var set = trial.repositories(now: { clock.now })
        for (number, operation) in operations.enumerated() {
            clock.step()
            if operation.reopens {
                set = try await trial.reopened().repositories(now: { clock.now })
            }
            let expected = try await RandomOutcome.of { try await operation.run(model) }
            let actual = try await RandomOutcome.of { try await operation.run(set) }
            guard expected == actual else {
                return Difference(number: number, expected: expected, actual: actual)
            }
        }
        return nil
    }
}

/// A clock that stands still during an operation, so that two stores stamp the same moment.
private final class RandomClock: Sendable {
    private let seconds = Atomic(0)

    var now: Date { TrialClock.start + Double(seconds.load(ordering: .relaxed)) }

    func step() { seconds.add(1, ordering: .relaxed) }
}
