internal import RepositoryRuntime

extension StoreBehaviour {
    /// Records whose stored bytes cannot be decoded.
    static let damage: [StoreBehaviour] = [
        StoreBehaviour(
            "damage.read", "Reading a damaged record throws `invalidRecord` with its id.",
            needs: [.records, .persistent], needsDamage: true
        ) { trial in
            let later = try await trial.damaged()
            try await expectError(.invalidRecord, id: "b", table: "notes") {
                try await later.notes.read("b")
            }
        },
        StoreBehaviour(
            "damage.others", "The other records remain readable and writable.",
            needs: [.records, .persistent],
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
            "damage.list", "Listing a damaged record throws an error that names it.",
            needs: [.records, .listing, .persistent], needsDamage: true
        ) { trial in
            let later = try await trial.damaged()
            try await expectError(.invalidRecord, id: "b") { try await later.notes.fetch() }
            try await expect(later.notes.ids(), is: ["a", "b", "c"])
            try await expect(later.notes.count(), is: 3)
        },
        StoreBehaviour(
            "damage.delete", "A damaged record can be deleted and created again.",
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
            "damage.replace", "A save replaces a damaged record.",
            needs: [.records, .persistent], needsDamage: true
        ) { trial in
            let later = try await trial.damaged()
            try await later.notes.save(Note(id: "b", text: "whole"))
            try await expect(later.notes.read("b").text, is: "whole")
        },
    ]
}

extension StoreTrial {
    /// The reopened store, after the second of three notes was damaged.
    fileprivate func damaged() async throws -> StoreTrial {
        for id in ["a", "b", "c"] {
            try await repositories.notes.create(Note(id: .init(id), text: "text of \(id)"))
        }
        try await damage(Note.self, "b")
        return try await reopened()
    }
}
