internal import RepositoryRuntime

extension StoreBehaviour {
    /// Reset: deleting all data of a schema.
    static let reset: [StoreBehaviour] = [
        reset("reset.empties", "After a reset all tables are empty.") { trial in
            try await trial.notes.create(Note(id: "a", text: "", rank: 3))
            try await trial.counters.create(Counter(number: 1, label: ""))
            try await trial.repositories.reset()
            try await expect(trial.notes.count(), is: 0)
            try await expect(trial.counters.ids(), is: [])
            try await expect(trial.notes.exists("a"), is: false)
        },
        reset("reset.usable", "A store can be used after a reset.") { trial in
            let note = Note(id: "a", text: "first")
            try await trial.notes.create(note)
            try await trial.repositories.reset()
            try await trial.notes.create(note)
            try await expect(trial.notes.fetch(), is: [note])
        },
        reset("reset.new", "A new store can be reset, also twice.") { trial in
            try await trial.repositories.reset()
            try await trial.repositories.reset()
            try await expect(trial.notes.count(), is: 0)
        },
        reset("reset.indexes", "After a reset the indexes are empty.", needs: [.uniqueIndexes]) {
            trial in
            try await trial.members.create(Member(id: "a", email: "x"))
            try await trial.repositories.reset()
            try await expect(trial.members.find(email: "x"), is: nil)
            try await trial.members.create(Member(id: "b", email: "x"))
        },
        reset(
            "reset.referred", "A reset deletes records regardless of references.",
            needs: [.references]
        ) {
            trial in
            try await trial.halls.create(Hall(id: "a"))
            try await trial.links.create(Link(id: "l", anchorID: "a"))
            try await trial.repositories.reset()
            try await expect(trial.links.count(), is: 0)
            try await expect(trial.halls.count(), is: 0)
        },
        reset(
            "reset.persistent", "A store that is reopened after a reset is empty.",
            needs: [.persistent]
        ) { trial in
            try await trial.notes.create(Note(id: "a", text: ""))
            try await trial.repositories.reset()
            try await expect(trial.reopened().notes.count(), is: 0)
        },
        StoreBehaviour(
            "reset.refused", "A store without `reset` throws `unsupported`.", lacks: [.reset]
        ) {
            trial in
            try await trial.notes.create(Note(id: "a", text: ""))
            try await expectError(.unsupported) { try await trial.repositories.reset() }
            try await expect(trial.notes.exists("a"), is: true)
        },
    ]

    /// A behaviour of stores with `reset`.
    private static func reset(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .listing, .finders, .reset] + needs, fileID: fileID,
            line: line, body)
    }
}
