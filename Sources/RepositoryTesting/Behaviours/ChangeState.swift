internal import RepositoryRuntime

extension StoreBehaviour {
    /// The state of a store's changes, which caches ask for.
    static let changeStates: [StoreBehaviour] = [
        changeState("same", "Reads leave the state of the changes as it is.") { trial in
            try await trial.fillNotes()
            let state = try await trial.settledState()
            _ = try await trial.notes.fetch()
            _ = try await trial.notes.read("a")
            try await expect(trial.store.changeState(), is: state)
        },
        changeState("commits", "Every commit gives another state.") { trial in
            try await trial.fillNotes()
            var seen = [try await trial.settledState()]
            func expectAnother(_ what: String) async throws {
                let state = try await trial.settledState()
                try expect(!seen.contains(state), "\(what) gave an earlier state.")
                seen.append(state)
            }
            try await trial.notes.create(Note(id: "d", text: "new"))
            try await expectAnother("A creation")
            try await trial.notes.update(Note(id: "d", text: "old"))
            try await expectAnother("An update")
            try await trial.notes.update(Note(id: "d", text: "new"))
            try await expectAnother("An update to an earlier value")
            try await trial.notes.delete("d")
            try await expectAnother("A deletion")
            try await trial.notes.saveAll([Note(id: "a", text: "x"), Note(id: "e", text: "y")])
            try await expectAnother("A batch")
        },
        changeState(
            "others", "A commit through another instance of the store gives another state.",
            needs: [.records, .listing, .changeState, .persistent]
        ) { trial in
            try await trial.fillNotes()
            let other = try await trial.reopened()
            for text in ["x", "y", "x"] {
                let state = try await trial.settledState()
                try await other.notes.update(Note(id: "a", text: text))
                try expect(try await trial.settledState() != state, "The state is the same.")
            }
        },
    ]

    private static func changeState(
        _ name: String, _ sentence: String,
        needs: [StoreCapability] = [.records, .listing, .changeState],
        fileID: String = #fileID, line: Int = #line,
        _ run: @escaping @Sendable (StoreTrial) async throws -> Void
    ) -> StoreBehaviour {
        StoreBehaviour(
            "changeState.\(name)", sentence, needs: needs, fileID: fileID, line: line, run)
    }
}

extension StoreTrial {
    /// The state of the changes. A store may have none for a moment after a write.
    fileprivate func settledState() async throws -> UInt64 {
        for _ in 0..<1_000 {
            if let state = try await store.changeState() { return state }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw ExpectationFailure(
            message: "The store has no state of its changes.", fileID: #fileID, line: #line)
    }
}
