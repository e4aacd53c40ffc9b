internal import RepositoryRuntime
internal import Synchronization

extension StoreBehaviour {
    /// The observation of several queries, which read the same snapshot.
    static let observedSets: [StoreBehaviour] = [
        together(
            "together", "The value of a closure that reads several tables follows each change."
        ) {
            trial in
            let reader = trial.reader(
                trial.repositories.observe { library in
                    (try await library.notes.count(), try await library.counters.fetch())
                })
            try await expect(reader.next() == (0, []), is: true)
            try await trial.fillNotes("a")
            try await expect(reader.next() == (1, []), is: true)
            try await trial.fillCounters([7])
            let counter = try await trial.counters.read(7)
            try await expect(reader.next() == (1, [counter]), is: true)
        },
        together(
            "togetherOutside", "Repositories created outside the closure read the same snapshot."
        ) {
            trial in
            let notes = trial.notes
            let reader = trial.reader(
                trial.repositories.observe { _ in try await notes.fetch() })
            try await expect(reader.next(), is: [])
            try await trial.fillNotes("a")
            try await expect(reader.next().map(\.id), is: ["a"])
        },
        together(
            "togetherOther", "A closure does not run after a change of a table it does not read."
        ) {
            trial in
            let (counter, repositories) = trial.counted()
            let reader = trial.reader(repositories.observe { try await $0.notes.count() })
            try await expect(reader.next(), is: 0)
            let reads = counter.reads
            async let next = reader.next()
            try await trial.fillCounters(Array(0..<20))
            try await trial.fillNotes("a")
            try await expect(next, is: 1)
            try expect(counter.reads <= reads + 2, "The closure ran for another table.")
        },
        together(
            "togetherBranch", "A closure that reads other tables is run after changes of them."
        ) { trial in
            let reader = trial.reader(
                trial.repositories.observe { library in
                    if try await library.notes.exists("switch") {
                        return try await library.counters.count()
                    }
                    return -1
                })
            try await expect(reader.next(), is: -1)
            try await trial.fillCounters([1])
            try await trial.fillNotes("switch")
            try await expect(reader.next(), is: 1)
            try await trial.fillCounters([2])
            try await expect(reader.next(), is: 2)
        },
        together("togetherNoDuplicate", "A value that equals the previous one is not produced.") {
            trial in
            let reader = trial.reader(
                trial.repositories.observe { try await $0.notes.count { $0.rank > 0 } })
            try await expect(reader.next(), is: 0)
            try await trial.fillNotes("a", "b")
            try await trial.notes.create(Note(id: "c", text: "", rank: 1))
            try await expect(reader.next(), is: 1)
        },
        together(
            "togetherConsistent", "A closure never sees a part of a transaction's changes.",
            needs: [.transactions]
        ) { trial in
            let repositories = trial.repositories
            let writer = InterruptingWriter(repositories)
            let reader = trial.reader(
                repositories.observe { library in
                    let note = try await library.notes.fetch().first?.text
                    try await writer.interrupt()
                    return (note, try await library.counters.fetch().first?.label)
                })
            for (note, counter) in try await reader.next(until: { $0.0 == "new" }) {
                try expect(note == counter, "A part of a transaction was seen.")
            }
        },
        together("togetherError", "An error thrown by the closure ends the observation.") { trial in
            let reader = trial.reader(
                trial.repositories.observe { try await $0.notes.read("a").text })
            try await expectError(.recordNotFound) { try await reader.next() }
            try await expect(reader.nextOrEnd() == nil, is: true)
            try expect(!trial.store.changes.hasObservers, "An ended observation is registered.")
        },
        together("togetherWrites", "A closure that writes throws `unsupported`.") { trial in
            let reader = trial.reader(
                trial.repositories.observe { library in
                    try await library.notes.create(Note(id: "a", text: "")).id
                })
            try await expectError(.unsupported) { try await reader.next() }
            let nested = trial.reader(
                trial.repositories.observe { library in
                    try await library.transaction { try await $0.notes.count() }
                })
            try await expectError(.unsupported) { try await nested.next() }
            try await expect(trial.notes.count(), is: 0)
        },
        StoreBehaviour(
            "observation.togetherRefused",
            "Without snapshots, observing several queries is not supported.",
            needs: [.observation], lacks: [.snapshots]
        ) { trial in
            let reader = trial.reader(
                trial.repositories.observe { try await $0.notes.exists("a") })
            try await expectError(.unsupported) { try await reader.next() }
        },
    ]

    /// A behaviour of observing several queries.
    private static func together(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        observed(id, sentence, needs: [.snapshots] + needs, fileID: fileID, line: line, body)
    }
}

/// Runs one transaction over two tables in a separate task while an observer reads.
private final class InterruptingWriter: Sendable {
    private let repositories: Conformance
    private let isBegun = Atomic(false)
    private let isOver = Atomic(false)

    init(_ repositories: Conformance) { self.repositories = repositories }

    /// Starts the transaction in the first call, and waits up to 100 milliseconds for its commit.
    /// On a store whose snapshots block writers, the transaction commits later, after the observer
    /// has read.
    func interrupt() async throws {
        guard !isBegun.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Task.detached { [self] in
            try await repositories.transaction { library in
                try await library.notes.save(Note(id: "a", text: "new"))
                try await library.counters.save(Counter(number: 1, label: "new"))
            }
            isOver.store(true, ordering: .releasing)
        }
        for _ in 0..<50 where !isOver.load(ordering: .acquiring) {
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
