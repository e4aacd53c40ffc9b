internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Operations on several records in one call, which store either all or none.
    static let batches: [StoreBehaviour] = [
        batch(
            "batches.createAll", "`createAll` stores every record and returns the stored records."
        ) {
            trial in
            let notes = trial.someNotes(["c", "a", "b"])
            try await expect(trial.notes.createAll(notes), is: notes)
            try await expect(trial.notes.count(), is: 3)
            try await expect(trial.notes.read("b"), is: notes[2])
        },
        batch("batches.createAllTaken", "`createAll` stores no record if one of the ids is in use.")
        { trial in
            let old = Note(id: "b", text: "old")
            try await trial.notes.create(old)
            try await expectError(.recordAlreadyExists, id: "b") {
                try await trial.notes.createAll(trial.someNotes(["a", "b", "c"]))
            }
            try await expect(trial.notes.fetch(), is: [old])
        },
        batch("batches.createAllTwins", "`createAll` stores no record if an id occurs twice.") {
            trial in
            try await expectError(.recordAlreadyExists, id: "a") {
                try await trial.notes.createAll(trial.someNotes(["a", "b", "a"]))
            }
            try await expect(trial.notes.count(), is: 0)
        },
        batch("batches.createAllInvalid", "`createAll` stores no record if one of them is invalid.")
        { trial in
            try await expectError(.invalidItem, id: "bad", field: "stock") {
                try await trial.products.createAll([
                    Product(id: "good"), Product(id: "bad", stock: -1),
                ])
            }
            try await expect(trial.products.count(), is: 0)
        },
        batch(
            "batches.createAllConflict",
            "`createAll` stores no record if it violates a unique index.",
            needs: [.uniqueIndexes]
        ) { trial in
            try await expectError(.constraintViolated) {
                try await trial.members.createAll([
                    Member(id: "a", email: "x"), Member(id: "b", email: "y"),
                    Member(id: "c", email: "x"),
                ])
            }
            try await expect(trial.members.count(), is: 0)
        },
        batch(
            "batches.createAllReference",
            "`createAll` stores no record if one of the references dangles.",
            needs: [.references]
        ) { trial in
            try await trial.halls.create(Hall(id: "north"))
            try await expectError(.constraintViolated) {
                try await trial.links.createAll([
                    Link(id: "a", anchorID: "north"), Link(id: "b", anchorID: "nowhere"),
                ])
            }
            try await expect(trial.links.count(), is: 0)
        },
        batch("batches.empty", "An empty batch changes nothing.") { trial in
            try await trial.notes.create(Note(id: "a", text: ""))
            try await expect(trial.notes.createAll([]), is: [])
            try await expect(trial.notes.saveAll([]), is: [])
            try await expect(trial.notes.deleteAll(ids: []), is: 0)
            try await expect(trial.notes.count(), is: 1)
        },
        batch("batches.saveAll", "`saveAll` creates new records and replaces stored ones.") {
            trial in
            try await trial.notes.create(Note(id: "b", text: "old", rank: 4))
            let notes = trial.someNotes(["c", "b", "a"])
            try await expect(trial.notes.saveAll(notes), is: notes)
            try await expect(trial.notes.fetch(), is: notes.reversed())
        },
        batch(
            "batches.saveAllTwins", "If an id occurs twice in `saveAll`, the last record is stored."
        ) { trial in
            try await trial.notes.saveAll([Note(id: "a", text: "1"), Note(id: "a", text: "2")])
            try await expect(trial.notes.fetch(), is: [Note(id: "a", text: "2")])
        },
        batch(
            "batches.saveAllConflict", "`saveAll` changes no record if it violates a unique index.",
            needs: [.uniqueIndexes]
        ) { trial in
            let old = Member(id: "a", email: "x")
            try await trial.members.create(old)
            try await expectError(.constraintViolated) {
                try await trial.members.saveAll([
                    Member(id: "a", email: "changed"), Member(id: "b", email: "y"),
                    Member(id: "c", email: "y"),
                ])
            }
            try await expect(trial.members.fetch(), is: [old])
        },
        batch(
            "batches.deleteIDs", "`deleteAll(ids:)` returns the number of records that were stored."
        ) { trial in
            try await trial.notes.createAll(trial.someNotes(["a", "b", "c"]))
            try await expect(trial.notes.deleteAll(ids: ["c", "x", "a", "c"]), is: 2)
            try await expect(trial.notes.ids(), is: ["b"])
            try await expect(trial.notes.deleteAll(ids: ["c"]), is: 0)
        },
        batch(
            "batches.deleteIDsRestricted",
            "`deleteAll(ids:)` deletes no record if one of them is restricted.",
            needs: [.references]
        ) { trial in
            for id in ["a", "b", "c"] { try await trial.halls.create(Hall(id: .init(id))) }
            try await trial.links.create(Link(id: "l", anchorID: "b"))
            try await expectError(.constraintViolated) {
                try await trial.halls.deleteAll(ids: ["a", "b", "c"])
            }
            try await expect(trial.halls.count(), is: 3)
        },
        batch(
            "batches.deleteAll",
            "`deleteAll()` empties one table and returns the number of records."
        ) {
            trial in
            try await trial.notes.createAll(trial.someNotes(["a", "b", "c"]))
            try await trial.counters.create(Counter(number: 1, label: ""))
            try await expect(trial.notes.deleteAll(), is: 3)
            try await expect(trial.notes.deleteAll(), is: 0)
            try await expect(trial.notes.fetch(), is: [])
            try await expect(trial.counters.count(), is: 1)
        },
        batch(
            "batches.deleteAllRestricted",
            "`deleteAll()` deletes no record if another one refers to it.",
            needs: [.references]
        ) { trial in
            for id in ["a", "b"] { try await trial.halls.create(Hall(id: .init(id))) }
            try await trial.links.create(Link(id: "l", anchorID: "b"))
            try await expectError(.constraintViolated) { try await trial.halls.deleteAll() }
            try await expect(trial.halls.ids(), is: ["a", "b"])
        },
        batch(
            "batches.finders", "Finders return the records that batches have stored.",
            needs: [.finders]
        ) { trial in
            try await trial.notes.createAll(trial.someNotes(["a", "b", "c"]))
            try await expect(trial.notes.findAll(rank: 1).map(\.id), is: ["a", "b", "c"])
            try await trial.notes.saveAll([Note(id: "b", text: "", rank: 2)])
            try await trial.notes.deleteAll(ids: ["c"])
            try await expect(trial.notes.findAll(rank: 1).map(\.id), is: ["a"])
            try await trial.notes.deleteAll()
            try await expect(trial.notes.findAll(rank: 2), is: [])
        },
        batch("batches.large", "A batch of two thousand records is stored completely.") { trial in
            let counters = (0..<2_000).map { Counter(number: .init($0), label: "n\($0)") }
            try await trial.counters.createAll(counters)
            try await expect(trial.counters.fetch(), is: counters)
            try await expect(trial.counters.deleteAll(ids: counters.map(\.id)), is: 2_000)
            try await expect(trial.counters.count(), is: 0)
        },
        batch(
            "batches.persistent", "A reopened store contains the records of a batch.",
            needs: [.persistent]
        ) { trial in
            try await trial.notes.createAll(trial.someNotes(["a", "b", "c"]))
            try await trial.notes.deleteAll(ids: ["b"])
            try await expect(trial.reopened().notes.ids(), is: ["a", "c"])
        },
        StoreBehaviour(
            "batches.refused", "A store without batches throws `unsupported`.", lacks: [.batches]
        ) { trial in
            let note = Note(id: "a", text: "")
            try await expectError(.unsupported) { try await trial.notes.createAll([note]) }
            try await expectError(.unsupported) { try await trial.notes.saveAll([note]) }
            try await expectError(.unsupported) { try await trial.notes.deleteAll(ids: ["a"]) }
            try await expectError(.unsupported) { try await trial.notes.deleteAll() }
        },
    ]

    /// A behaviour of stores with batches and listing.
    private static func batch(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .listing, .batches] + needs, fileID: fileID,
            line: line, body)
    }
}

extension StoreTrial {
    /// Notes with these ids and rank 1.
    fileprivate func someNotes(_ ids: [String]) -> [Note] {
        ids.map { Note(id: .init($0), text: "text of \($0)", rank: 1) }
    }
}
