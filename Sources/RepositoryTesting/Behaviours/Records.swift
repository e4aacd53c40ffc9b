internal import RepositoryRuntime

extension StoreBehaviour {
    /// Operations on single records: `create`, `read`, `update`, `save`, `delete` and `exists`.
    static let records: [StoreBehaviour] = [
        StoreBehaviour("records.create", "`read` returns the record that `create` has stored.") {
            trial in
            let note = Note(id: "a", text: "first", rank: -3)
            try await expect(trial.notes.create(note), is: note)
            try await expect(trial.notes.read("a"), is: note)
        },
        StoreBehaviour(
            "records.createTaken",
            "A create with an id in use throws and changes nothing."
        ) { trial in
            let note = Note(id: "a", text: "first")
            try await trial.notes.create(note)
            try await expectError(.recordAlreadyExists, id: "a") {
                try await trial.notes.create(Note(id: "a", text: "second"))
            }
            try await expect(trial.notes.read("a"), is: note)
        },
        StoreBehaviour("records.readMissing", "Reading a missing record throws `recordNotFound`.") {
            trial in
            try await expectError(.recordNotFound, id: "nobody") {
                try await trial.notes.read("nobody")
            }
        },
        StoreBehaviour("records.update", "An update replaces the whole record.") { trial in
            try await trial.notes.create(Note(id: "a", text: "first", rank: 7))
            let second = Note(id: "a", text: "second")
            try await expect(trial.notes.update(second), is: second)
            try await expect(trial.notes.read("a"), is: second)
        },
        StoreBehaviour(
            "records.updateMissing",
            "An update of a missing record throws and stores nothing."
        ) { trial in
            try await expectError(.recordNotFound, id: "a") {
                try await trial.notes.update(Note(id: "a", text: "first"))
            }
            try await expect(trial.notes.exists("a"), is: false)
        },
        StoreBehaviour("records.saveNew", "A save of a new record creates it.") { trial in
            let note = Note(id: "a", text: "first")
            try await expect(trial.notes.save(note), is: note)
            try await expect(trial.notes.read("a"), is: note)
        },
        StoreBehaviour("records.saveExisting", "A save of a stored record replaces it.") { trial in
            try await trial.notes.create(Note(id: "a", text: "first", rank: 7))
            let second = Note(id: "a", text: "second")
            try await expect(trial.notes.save(second), is: second)
            try await expect(trial.notes.read("a"), is: second)
        },
        StoreBehaviour("records.delete", "A deleted record is no longer stored.") { trial in
            try await trial.notes.create(Note(id: "a", text: "first"))
            try await trial.notes.delete("a")
            try await expectError(.recordNotFound, id: "a") { try await trial.notes.read("a") }
            try await expect(trial.notes.exists("a"), is: false)
        },
        StoreBehaviour(
            "records.deleteMissing", "Deleting a missing record throws `recordNotFound`."
        ) { trial in
            try await expectError(.recordNotFound, id: "a") { try await trial.notes.delete("a") }
            try await trial.notes.create(Note(id: "a", text: "first"))
            try await trial.notes.delete("a")
            try await expectError(.recordNotFound, id: "a") { try await trial.notes.delete("a") }
        },
        StoreBehaviour("records.createAgain", "The id of a deleted record can be used again.") {
            trial in
            try await trial.notes.create(Note(id: "a", text: "first"))
            try await trial.notes.delete("a")
            let second = Note(id: "a", text: "second")
            try await trial.notes.create(second)
            try await expect(trial.notes.read("a"), is: second)
        },
        StoreBehaviour("records.exists", "`exists` tells whether a record is stored.") { trial in
            try await expect(trial.notes.exists("a"), is: false)
            try await trial.notes.create(Note(id: "a", text: "first"))
            try await expect(trial.notes.exists("a"), is: true)
            try await expect(trial.notes.exists("b"), is: false)
        },
        StoreBehaviour("records.neighbours", "A write to one record does not affect others.") {
            trial in
            let notes = ["a", "b", "c"].map { Note(id: .init($0), text: "\($0)-text") }
            for note in notes { try await trial.notes.create(note) }
            try await trial.notes.update(Note(id: "b", text: "changed"))
            try await trial.notes.delete("c")
            try await expect(trial.notes.read("a"), is: notes[0])
            try await expect(trial.notes.read("b").text, is: "changed")
        },
        StoreBehaviour(
            "records.tables", "Records of two tables can have the same id.",
            needs: [.records, .listing]
        ) { trial in
            try await trial.notes.create(Note(id: "a", text: "a note"))
            try await expect(trial.sparses.exists("a"), is: false)
            try await trial.sparses.create(Sparse(id: "a", string: "a sparse"))
            try await trial.notes.delete("a")
            try await expect(trial.sparses.read("a").string ?? "nil", is: "a sparse")
        },
        StoreBehaviour(
            "records.twoSets", "Two sets of repositories over a store see each other's writes."
        ) { trial in
            let other = trial.repositories(now: trial.defaults.now)
            try await trial.notes.create(Note(id: "a", text: "first"))
            try await expect(other.notes.read("a").text, is: "first")
            try await other.notes.update(Note(id: "a", text: "second"))
            try await expect(trial.notes.read("a").text, is: "second")
        },
        StoreBehaviour("records.large", "A record of one mebibyte is stored completely.") { trial in
            let text = String(repeating: "0123456789abcde\n", count: 65_536)
            try await trial.notes.create(Note(id: "a", text: text))
            try await expect(trial.notes.read("a").text == text, "The text has changed.")
        },
        StoreBehaviour("records.clear", "An update with nil sets a field to null.") { trial in
            try await trial.sparses.create(Sparse(id: "a", string: "text", int: 3, list: [1]))
            let cleared = Sparse(id: "a")
            try await trial.sparses.update(cleared)
            try await expect(trial.sparses.read("a"), is: cleared)
        },
        StoreBehaviour("records.again", "A record can be created and deleted repeatedly.") {
            trial in
            for round in 0..<50 {
                try await trial.notes.create(Note(id: "a", text: "\(round)", rank: round))
                try await expect(trial.notes.read("a").rank, is: round)
                try await trial.notes.delete("a")
            }
            try await expect(trial.notes.exists("a"), is: false)
        },
        StoreBehaviour(
            "records.persistent", "A store reopened at the same place contains the stored records.",
            needs: [.records, .persistent]
        ) { trial in
            let note = Note(id: "a", text: "first")
            try await trial.notes.create(note)
            try await trial.notes.create(Note(id: "b", text: "deleted"))
            try await trial.notes.delete("b")
            let later = try await trial.reopened()
            try await expect(later.notes.read("a"), is: note)
            try await expect(later.notes.exists("b"), is: false)
        },
    ]
}
