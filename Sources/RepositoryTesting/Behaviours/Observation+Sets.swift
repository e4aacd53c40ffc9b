internal import RepositoryRuntime
internal import Synchronization

extension StoreBehaviour {
    /// Several queries observed together, on one state of the store.
    static let observedSets: [StoreBehaviour] = [
        together("together", "What a body reads of several tables is given after each change.") {
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
        together("togetherOutside", "Repositories from outside the body read the same state.") {
            trial in
            let notes = trial.notes
            let reader = trial.reader(
                trial.repositories.observe { _ in try await notes.fetch() })
            try await expect(reader.next(), is: [])
            try await trial.fillNotes("a")
            try await expect(reader.next().map(\.id), is: ["a"])
        },
        together("togetherOther", "A body does not run for a table that it does not read.") {
            trial in
            let (counter, repositories) = trial.counted()
            let reader = trial.reader(repositories.observe { try await $0.notes.count() })
            try await expect(reader.next(), is: 0)
            let looks = counter.reads
            async let next = reader.next()
            try await trial.fillCounters(Array(0..<20))
            try await trial.fillNotes("a")
            try await expect(next, is: 1)
            try expect(counter.reads <= looks + 2, "The body ran for another table.")
        },
        together("togetherBranch", "A body that reads other tables wakes for these.") { trial in
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
        together("togetherNoDuplicate", "An equal result of a body is not given again.") { trial in
            let reader = trial.reader(
                trial.repositories.observe { try await $0.notes.count { $0.rank > 0 } })
            try await expect(reader.next(), is: 0)
            try await trial.fillNotes("a", "b")
            try await trial.notes.create(Note(id: "c", text: "", rank: 1))
            try await expect(reader.next(), is: 1)
        },
        together(
            "togetherConsistent", "Tables that one transaction changes are never seen half.",
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
                try expect(note == counter, "Half of a transaction was seen.")
            }
        },
        together("togetherError", "What a body throws ends the observation.") { trial in
            let reader = trial.reader(
                trial.repositories.observe { try await $0.notes.read("a").text })
            try await expectError(.recordNotFound) { try await reader.next() }
            try await expect(reader.nextOrEnd() == nil, is: true)
            try expect(!trial.store.changes.areObserved, "What has ended is registered.")
        },
        together("togetherWrites", "A body that writes is refused.") { trial in
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
            "observation.togetherRefused", "Without snapshots several queries are refused.",
            needs: [.observation], lacks: [.snapshots]
        ) { trial in
            let reader = trial.reader(
                trial.repositories.observe { try await $0.notes.exists("a") })
            try await expectError(.unsupported) { try await reader.next() }
        },
    ]

    private static func together(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        observed(id, sentence, needs: [.snapshots] + needs, fileID: fileID, line: line, body)
    }
}

/// Runs one transaction over two tables, in a task of its own, while somebody else reads.
private final class InterruptingWriter: Sendable {
    private let repositories: Conformance
    private let isBegun = Atomic(false)
    private let isOver = Atomic(false)

    init(_ repositories: Conformance) { self.repositories = repositories }

    /// Begins the transaction, the first time, and gives it time to pass on a store that lets it; on others it waits
    /// for the reader.
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
