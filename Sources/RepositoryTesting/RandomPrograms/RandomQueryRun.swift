internal import RepositoryRuntime

/// Random queries asked of one store.
struct RandomQueryRun {
    let trial: StoreTrial
    let seed: UInt64
    let count: Int

    /// Asks all queries of a fresh store.
    func check() async throws {
        var random = SeededGenerator(seed: seed)
        var asked = 0
        while asked < count {
            let size = min(40, count - asked)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: try await round(.articles, size, &random)
            case 1: try await round(.products, size, &random)
            default: try await round(.sparses, size, &random)
            }
            asked += size
        }
    }

    /// Changes the records of a table and asks some queries.
    private func round<R: EntityRepository>(
        _ table: QueryTable<R>, _ size: Int, _ random: inout SeededGenerator
    ) async throws {
        let repository = table.repository(trial.repositories)
        let keepsFractions = trial.store.capabilities.has(.fractionalSeconds)
        for id in try await repository.ids() where random.once(in: 2) {
            try await repository.delete(id)
        }
        var made: [R.Model] = []
        for _ in 0..<Int.random(in: 0...24, using: &random) {
            made.append(table.make(.random(in: 0..<40, using: &random), &random, keepsFractions))
        }
        for record in made { try await repository.save(record) }
        // What is stored may have been rounded; that it is what was given is shown elsewhere.
        let records = try await repository.fetch()
        let rows = try records.map { try StoredValueEncoder.values(of: $0, R.Model.Mapper.self) }
        let places = RandomPlace.places(rows, R.Model.Mapper.layout)
        for _ in 0..<size {
            var program = QueryProgram(table: table, records: records)
            if !places.isEmpty { program.fill(places, &random) }
            guard try await differs(program, trial) != nil else { continue }
            try await report(program)
        }
    }

    /// What the evaluator and a store say where they differ.
    private func differs<R: EntityRepository>(
        _ program: QueryProgram<R>, _ trial: StoreTrial
    ) async throws -> (expected: RandomOutcome, actual: RandomOutcome)? {
        let expected = try program.expected()
        let actual = try await RandomOutcome.of { try await program.answer(trial.repositories) }
        return expected == actual ? nil : (expected, actual)
    }

    /// Throws the smallest program that differs on a store of its own.
    private func report<R: EntityRepository>(
        _ program: QueryProgram<R>
    ) async throws {
        func alone(
            _ program: QueryProgram<R>
        ) async throws -> (expected: RandomOutcome, actual: RandomOutcome)? {
            try await trial.fresh { trial in
                let repository = program.table.repository(trial.repositories)
                for record in program.records { try await repository.save(record) }
                return try await differs(program, trial)
            }
        }
        let shrinker = Shrinker<QueryProgram<R>>(smaller: { $0.smaller() }) {
            try await alone($0) != nil
        }
        var smallest = program
        var outcome = try await alone(program)
        var note = ""
        if outcome != nil {
            smallest = try await shrinker.shrink(program)
            outcome = try await alone(smallest)
        } else {
            outcome = try await differs(program, trial)
            note = " It differs only after what the run did before it."
        }
        throw ExpectationFailure(
            message: "A query differs; replay with "
                + "REPOSITORY_SEED=\(seed) REPOSITORY_QUERIES=\(count).\(note)\n    "
                + (try smallest.text()),
            expected: outcome.map { "\($0.expected)" }, actual: outcome.map { "\($0.actual)" },
            fileID: #fileID, line: #line)
    }
}

extension QueryProgram {
    /// Makes a random question.
    fileprivate mutating func fill(_ places: [RandomPlace], _ random: inout SeededGenerator) {
        condition = RandomCondition(places: places).make(&random, depth: 4)
        let ordered = places.filter(\.isOrdered)
        for _ in 0..<Int.random(in: 0...3, using: &random) where !ordered.isEmpty {
            sortKeys.append(
                SortKey(
                    path: random.one(of: ordered).path,
                    direction: random.once(in: 2) ? .ascending : .descending))
        }
        if random.once(in: 3) { maximum = .random(in: 0...12, using: &random) }
        if random.once(in: 4) { skipped = .random(in: 0...8, using: &random) }
        if random.once(in: 4), !records.isEmpty { start = random.one(of: records) }
        question =
            switch Int.random(in: 0..<12, using: &random) {
            case 0: .first
            case 1: .ids
            case 2: .count
            case 3: .exists
            case 4: .stream
            case 5, 6: .pages(size: .random(in: 1...9, using: &random))
            case 7, 8: .number(.random(in: 0..<table.numbers.count, using: &random))
            default: .fetch
            }
    }
}
