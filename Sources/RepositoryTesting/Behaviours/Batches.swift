internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Several records in one call: all or none.
    static let batches: [StoreBehaviour] = [
        batch("batches.createAll", "CreateAll stores every record and returns what is stored.") {
            trial in
            let notes = trial.someNotes(["c", "a", "b"])
            try await expect(trial.notes.createAll(notes), is: notes)
            try await expect(trial.notes.count(), is: 3)
            try await expect(trial.notes.read("b"), is: notes[2])
        },
        batch("batches.createAllTaken", "CreateAll with one id taken stores none.") { trial in
            let old = Note(id: "b", text: "old")
            try await trial.notes.create(old)
            try await expectError(.recordAlreadyExists, id: "b") {
                try await trial.notes.createAll(trial.someNotes(["a", "b", "c"]))
            }
            try await expect(trial.notes.fetch(), is: [old])
        },
        batch("batches.createAllTwins", "CreateAll with one id twice stores none.") { trial in
            try await expectError(.recordAlreadyExists, id: "a") {
                try await trial.notes.createAll(trial.someNotes(["a", "b", "a"]))
            }
            try await expect(trial.notes.count(), is: 0)
        },
        batch("batches.createAllInvalid", "CreateAll with one item against the rules stores none.")
        { trial in
            try await expectError(.invalidItem, id: "bad", field: "stock") {
                try await trial.products.createAll([
                    Product(id: "good"), Product(id: "bad", stock: -1),
                ])
            }
            try await expect(trial.products.count(), is: 0)
        },
        batch(
            "batches.createAllConflict", "CreateAll that breaks a unique index stores none.",
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
            "batches.createAllReference", "CreateAll with one missing reference stores none.",
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
        batch("batches.empty", "A batch of nothing does nothing.") { trial in
            try await trial.notes.create(Note(id: "a", text: ""))
            try await expect(trial.notes.createAll([]), is: [])
            try await expect(trial.notes.saveAll([]), is: [])
            try await expect(trial.notes.deleteAll(ids: []), is: 0)
            try await expect(trial.notes.count(), is: 1)
        },
        batch("batches.saveAll", "SaveAll creates what is new and replaces what is there.") {
            trial in
            try await trial.notes.create(Note(id: "b", text: "old", rank: 4))
            let notes = trial.someNotes(["c", "b", "a"])
            try await expect(trial.notes.saveAll(notes), is: notes)
            try await expect(trial.notes.fetch(), is: notes.reversed())
        },
        batch("batches.saveAllTwins", "Of one id twice in saveAll the last stays.") { trial in
            try await trial.notes.saveAll([Note(id: "a", text: "1"), Note(id: "a", text: "2")])
            try await expect(trial.notes.fetch(), is: [Note(id: "a", text: "2")])
        },
        batch(
            "batches.saveAllConflict", "SaveAll that breaks a unique index changes none.",
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
        batch("batches.deleteIDs", "DeleteAll of ids counts what was there.") { trial in
            try await trial.notes.createAll(trial.someNotes(["a", "b", "c"]))
            try await expect(trial.notes.deleteAll(ids: ["c", "x", "a", "c"]), is: 2)
            try await expect(trial.notes.ids(), is: ["b"])
            try await expect(trial.notes.deleteAll(ids: ["c"]), is: 0)
        },
        batch(
            "batches.deleteIDsRestricted",
            "DeleteAll of ids, one of them restricted, deletes none.",
            needs: [.references]
        ) { trial in
            for id in ["a", "b", "c"] { try await trial.halls.create(Hall(id: .init(id))) }
            try await trial.links.create(Link(id: "l", anchorID: "b"))
            try await expectError(.constraintViolated) {
                try await trial.halls.deleteAll(ids: ["a", "b", "c"])
            }
            try await expect(trial.halls.count(), is: 3)
        },
        batch("batches.deleteAll", "DeleteAll empties one table and says how many there were.") {
            trial in
            try await trial.notes.createAll(trial.someNotes(["a", "b", "c"]))
            try await trial.counters.create(Counter(number: 1, label: ""))
            try await expect(trial.notes.deleteAll(), is: 3)
            try await expect(trial.notes.deleteAll(), is: 0)
            try await expect(trial.notes.fetch(), is: [])
            try await expect(trial.counters.count(), is: 1)
        },
        batch(
            "batches.deleteAllRestricted", "DeleteAll of records that others hold deletes none.",
            needs: [.references]
        ) { trial in
            for id in ["a", "b"] { try await trial.halls.create(Hall(id: .init(id))) }
            try await trial.links.create(Link(id: "l", anchorID: "b"))
            try await expectError(.constraintViolated) { try await trial.halls.deleteAll() }
            try await expect(trial.halls.ids(), is: ["a", "b"])
        },
        batch(
            "batches.finders", "Finders follow batches.", needs: [.finders]
        ) { trial in
            try await trial.notes.createAll(trial.someNotes(["a", "b", "c"]))
            try await expect(trial.notes.findAll(rank: 1).map(\.id), is: ["a", "b", "c"])
            try await trial.notes.saveAll([Note(id: "b", text: "", rank: 2)])
            try await trial.notes.deleteAll(ids: ["c"])
            try await expect(trial.notes.findAll(rank: 1).map(\.id), is: ["a"])
            try await trial.notes.deleteAll()
            try await expect(trial.notes.findAll(rank: 2), is: [])
        },
        batch("batches.large", "A batch of two thousand is stored whole.") { trial in
            let counters = (0..<2_000).map { Counter(number: .init($0), label: "n\($0)") }
            try await trial.counters.createAll(counters)
            try await expect(trial.counters.fetch(), is: counters)
            try await expect(trial.counters.deleteAll(ids: counters.map(\.id)), is: 2_000)
            try await expect(trial.counters.count(), is: 0)
        },
        batch(
            "batches.persistent", "A store made anew holds what batches stored.",
            needs: [.persistent]
        ) { trial in
            try await trial.notes.createAll(trial.someNotes(["a", "b", "c"]))
            try await trial.notes.deleteAll(ids: ["b"])
            try await expect(trial.reopened().notes.ids(), is: ["a", "c"])
        },
        StoreBehaviour(
            "batches.refused", "A store that has no batches refuses them.", lacks: [.batches]
        ) { trial in
            let note = Note(id: "a", text: "")
            try await expectError(.unsupported) { try await trial.notes.createAll([note]) }
            try await expectError(.unsupported) { try await trial.notes.saveAll([note]) }
            try await expectError(.unsupported) { try await trial.notes.deleteAll(ids: ["a"]) }
            try await expectError(.unsupported) { try await trial.notes.deleteAll() }
        },
    ]

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
    /// A note of rank 1 for each id.
    fileprivate func someNotes(_ ids: [String]) -> [Note] {
        ids.map { Note(id: .init($0), text: "text of \($0)", rank: 1) }
    }
}
