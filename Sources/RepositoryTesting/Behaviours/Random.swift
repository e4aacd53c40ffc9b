internal import RepositoryRuntime

extension StoreBehaviour {
    /// Random operations, compared with ``ReferenceStore``, and random queries.
    static let random: [StoreBehaviour] = [
        StoreBehaviour(
            "random.records", "Random operations on single records have the expected outcomes."
        ) { trial in
            try await RandomRun(trial).singles(on: [.notes])
        },
        randomOperations(seed: RandomSettings.seed, count: RandomSettings.operations),
        randomQueries(seed: RandomSettings.seed, count: RandomSettings.queries),
    ]

    /// Random operations of all kinds.
    static func randomOperations(seed: UInt64, count: Int) -> StoreBehaviour {
        StoreBehaviour(
            "random.everything", "Random operations on all tables have the expected outcomes.",
            needs: [
                .records, .listing, .batches, .atomicBatches, .finders, .versions, .uniqueIndexes,
                .references,
            ]
        ) { trial in
            try await RandomRun(trial, seed: seed, count: count).anything(on: RandomTable.all)
        }
    }

    /// Random queries of all kinds.
    static func randomQueries(seed: UInt64, count: Int) -> StoreBehaviour {
        StoreBehaviour(
            "random.queries", "Random queries have the results of the evaluator.",
            needs: [.records, .listing, .queries]
        ) { trial in
            try await RandomQueryRun(trial: trial, seed: seed, count: count).check()
        }
    }
}
