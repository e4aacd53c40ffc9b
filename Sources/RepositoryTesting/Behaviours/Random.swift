internal import RepositoryRuntime

extension StoreBehaviour {
    /// Random operations, compared with the plainest store that keeps the contract, and random queries.
    static let random: [StoreBehaviour] = [
        StoreBehaviour(
            "random.records", "Random operations on single records give what the contract says."
        ) { trial in
            try await RandomRun(trial).singles(on: [.notes])
        },
        randomOperations(seed: RandomSettings.seed, count: RandomSettings.operations),
        randomQueries(seed: RandomSettings.seed, count: RandomSettings.queries),
    ]

    /// Random operations of every kind.
    static func randomOperations(seed: UInt64, count: Int) -> StoreBehaviour {
        StoreBehaviour(
            "random.everything", "Random operations on every table give what the contract says.",
            needs: [
                .records, .listing, .batches, .atomicBatches, .finders, .versions, .uniqueIndexes,
                .references,
            ]
        ) { trial in
            try await RandomRun(trial, seed: seed, count: count).anything(on: RandomTable.all)
        }
    }

    /// Random queries of every kind.
    static func randomQueries(seed: UInt64, count: Int) -> StoreBehaviour {
        StoreBehaviour(
            "random.queries", "Random queries give what the evaluator says.",
            needs: [.records, .listing, .queries]
        ) { trial in
            try await RandomQueryRun(trial: trial, seed: seed, count: count).check()
        }
    }
}
