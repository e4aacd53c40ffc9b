internal import RepositoryRuntime

extension StoreBehaviour {
    /// Records whose stored bytes are no record.
    static let damage: [StoreBehaviour] = [
        StoreBehaviour(
            "damage.read", "A damaged record throws invalidRecord with its id.",
            needs: [.records, .persistent], needsDamage: true
        ) { trial in
            let later = try await trial.damaged()
            try await expectError(.invalidRecord, id: "b", table: "notes") {
                try await later.notes.read("b")
            }
        },
        StoreBehaviour(
            "damage.others", "The others stay readable.", needs: [.records, .persistent],
            needsDamage: true
        ) { trial in
            let later = try await trial.damaged()
            try await expect(later.notes.read("a").text, is: "text of a")
            try await expect(later.notes.read("c").text, is: "text of c")
            try await later.notes.create(Note(id: "d", text: "new"))
            try await later.notes.update(Note(id: "a", text: "changed"))
            try await expect(later.notes.read("a").text, is: "changed")
        },
        StoreBehaviour(
            "damage.list", "A list that meets a damaged record names it, and skips nothing.",
            needs: [.records, .listing, .persistent], needsDamage: true
        ) { trial in
            let later = try await trial.damaged()
            try await expectError(.invalidRecord, id: "b") { try await later.notes.fetch() }
            try await expect(later.notes.ids(), is: ["a", "b", "c"])
            try await expect(later.notes.count(), is: 3)
        },
        StoreBehaviour(
            "damage.delete", "A damaged record can be deleted, and made anew.",
            needs: [.records, .persistent], needsDamage: true
        ) { trial in
            let later = try await trial.damaged()
            try await expect(later.notes.exists("b"), is: true)
            try await later.notes.delete("b")
            try await expect(later.notes.exists("b"), is: false)
            try await later.notes.create(Note(id: "b", text: "new"))
            try await expect(later.notes.read("b").text, is: "new")
        },
        StoreBehaviour(
            "damage.replace", "A save over a damaged record makes it whole.",
            needs: [.records, .persistent], needsDamage: true
        ) { trial in
            let later = try await trial.damaged()
            try await later.notes.save(Note(id: "b", text: "whole"))
            try await expect(later.notes.read("b").text, is: "whole")
        },
    ]
}

extension StoreTrial {
    /// The store made anew after the second of three notes was damaged.
    fileprivate func damaged() async throws -> StoreTrial {
        for id in ["a", "b", "c"] {
            try await repositories.notes.create(Note(id: .init(id), text: "text of \(id)"))
        }
        try await damage(Note.self, "b")
        return try await reopened()
    }
}
