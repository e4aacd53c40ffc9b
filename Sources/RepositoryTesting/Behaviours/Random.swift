internal import RepositoryRuntime

extension StoreBehaviour {
    /// Random operations, compared with the plainest store that keeps the contract.
    static let random: [StoreBehaviour] = [
        StoreBehaviour(
            "random.records", "Random operations on single records give what the contract says."
        ) { trial in
            var run = RandomRun(trial)
            try await run.singles(on: [.notes])
        },
        StoreBehaviour(
            "random.everything", "Random operations on every table give what the contract says.",
            needs: [
                .records, .listing, .batches, .atomicBatches, .finders, .versions, .uniqueIndexes,
                .references,
            ]
        ) { trial in
            var run = RandomRun(trial)
            try await run.anything(on: RandomTable.all)
        },
    ]
}
