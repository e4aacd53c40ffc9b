internal import RepositoryRuntime

extension StoreBehaviour {
    /// Writes of cancelled tasks.
    static let cancellation: [StoreBehaviour] = [
        StoreBehaviour(
            "cancellation.before",
            "A write of a task that was cancelled before it began does not happen."
        ) { trial in
            try await trial.notes.create(Note(id: "a", text: "old"))
            try await expectNoneBegins([
                { try await trial.notes.create(Note(id: "new", text: "")) },
                { try await trial.notes.update(Note(id: "a", text: "changed")) },
                { try await trial.notes.save(Note(id: "new", text: "")) },
                { try await trial.notes.delete("a") },
            ])
            try await expect(trial.notes.read("a"), is: Note(id: "a", text: "old"))
            try await expect(trial.notes.exists("new"), is: false)
        },
        StoreBehaviour(
            "cancellation.batches",
            "A batch of a task that was cancelled before it began does not happen.",
            needs: [.records, .listing, .batches]
        ) { trial in
            try await trial.notes.create(Note(id: "a", text: "old"))
            try await expectNoneBegins([
                { try await trial.notes.createAll([Note(id: "new", text: "")]) },
                { _ = try await trial.notes.saveAll([Note(id: "a", text: "changed")]) },
                { _ = try await trial.notes.deleteAll(ids: ["a"]) },
                { _ = try await trial.notes.deleteAll() },
            ])
            try await expect(trial.notes.fetch(), is: [Note(id: "a", text: "old")])
        },
        StoreBehaviour(
            "cancellation.reset",
            "A reset of a task that was cancelled before it began does not happen.",
            needs: [.records, .listing, .reset]
        ) { trial in
            try await trial.notes.create(Note(id: "a", text: "old"))
            try await expectNoneBegins([{ try await trial.repositories.reset() }])
            try await expect(trial.notes.fetch(), is: [Note(id: "a", text: "old")])
        },
    ]
}

/// Each of the writes throws `CancellationError` in a task that is cancelled already.
private func expectNoneBegins(
    _ writes: [@Sendable () async throws -> Void]
) async throws {
    for (number, write) in writes.enumerated() {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await write()
        }
        let error = try await thrown { try await task.value }
        try expect(error is CancellationError, "Write \(number) throws another error: \(error)")
    }
}
