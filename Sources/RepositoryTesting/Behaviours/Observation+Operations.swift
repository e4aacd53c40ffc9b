internal import RepositoryRuntime

extension StoreBehaviour {
    /// Observers see every operation.
    static let observedOperations: [StoreBehaviour] = [
        observed("create", "An observer sees a create.") { trial in
            try await trial.seesNotes(["a"]) { try await $0.create(Note(id: "a", text: "")) }
        },
        observed("update", "An observer sees an update.") { trial in
            try await trial.fillNotes("a")
            let reader = trial.reader(trial.notes.observe())
            _ = try await reader.next()
            try await trial.notes.update(Note(id: "a", text: "new"))
            try await expect(reader.next(), is: [Note(id: "a", text: "new")])
        },
        observed("save", "An observer sees a save of a new and of a stored record.") { trial in
            let reader = trial.reader(trial.notes.observe())
            _ = try await reader.next()
            try await trial.notes.save(Note(id: "a", text: "one"))
            try await expect(reader.next(), is: [Note(id: "a", text: "one")])
            try await trial.notes.save(Note(id: "a", text: "two"))
            try await expect(reader.next(), is: [Note(id: "a", text: "two")])
        },
        observed("delete", "An observer sees a delete.") { trial in
            try await trial.fillNotes("a", "b")
            try await trial.seesNotes(["b"]) { try await $0.delete("a") }
        },
        observed(
            "createAll", "An observer sees a batch of creates as one change.",
            needs: [.atomicBatches]
        ) { trial in
            try await trial.seesNotes(["a", "b", "c"]) {
                try await $0.createAll(["c", "a", "b"].map { Note(id: .init($0), text: "") })
            }
        },
        observed(
            "saveAll", "An observer sees a batch of saves as one change.", needs: [.atomicBatches]
        ) {
            trial in
            try await trial.fillNotes("a", "c")
            let reader = trial.reader(trial.notes.observe())
            _ = try await reader.next()
            try await trial.notes.saveAll(["b", "c"].map { Note(id: .init($0), text: "new") })
            try await expect(reader.next().map(\.text), is: ["a", "new", "new"])
        },
        observed(
            "deleteAll", "An observer sees a batch of deletes as one change.",
            needs: [.atomicBatches]
        ) { trial in
            try await trial.fillNotes("a", "b", "c", "d")
            try await trial.seesNotes(["b"]) {
                try await $0.deleteAll(ids: ["a", "c", "x", "d"])
            }
            try await trial.seesNotes([]) { try await $0.deleteAll() }
        },
        observed(
            "updateAll", "An observer sees an `updateAll` as one change.", needs: [.transactions]
        ) { trial in
            try await trial.fillNotes("a", "b", "c")
            let reader = trial.reader(trial.notes.observe { $0.rank > 0 })
            try await expect(reader.next(), is: [])
            let query = Query<Note>.where { $0.text != "b" }
            let count = try await trial.store.updateAll(query) { note in
                var note = note
                note.rank += 7
                return note
            }
            try expect(count, is: 2)
            try await expect(reader.next().map(\.id), is: ["a", "c"])
        },
        observed("written", "A change is sent when the written record is readable, not before.") {
            trial in
            let reader = trial.reader(trial.notes.observe())
            _ = try await reader.next()
            for number in 1...20 {
                async let result = reader.next()
                try await trial.notes.create(Note(id: .init("\(number)"), text: ""))
                try await expect(result.count, is: number)
            }
        },
        observed(
            "versions", "An observer sees the version that the store has incremented.",
            needs: [.versions]
        ) {
            trial in
            let ticket = try await trial.tickets.create(Ticket(title: "one"))
            let reader = trial.reader(trial.tickets.observe())
            try await expect(reader.next(), is: [ticket])
            let later = try await trial.tickets.update(ticket)
            try await expect(reader.next(), is: [later])
        },
        observed("cascade", "An observer sees the deletions of a cascade.", needs: [.references]) {
            trial in
            for id in ["a", "b"] { try await trial.halls.create(Hall(id: .init(id))) }
            try await trial.links.create(Link(id: "one", keeperID: "a"))
            try await trial.links.create(Link(id: "two", keeperID: "b"))
            let reader = trial.reader(trial.links.observe())
            let one = trial.reader(trial.links.observeOne(id: "one"))
            let count = trial.reader(trial.links.observeCount())
            try await expect(reader.next().map(\.id), is: ["one", "two"])
            try await expect(one.next()?.id, is: "one")
            try await expect(count.next(), is: 2)
            try await trial.halls.delete("a")
            // This change is always sent, so that a missing change of the cascade differs from a
            // late one.
            try await trial.links.create(Link(id: "last"))
            let results = try await reader.next { $0.contains { $0.id == "last" } }
            try expect(results[results.count - 1].map(\.id), is: ["last", "two"])
            try await expect(one.next(), is: nil)
        },
        observed(
            "cascadeChain", "An observer sees the deletions of a cascade in the same table.",
            needs: [.references]
        ) { trial in
            try await trial.folders.create(Folder(id: "a"))
            try await trial.folders.create(Folder(id: "b", parentID: "a"))
            try await trial.folders.create(Folder(id: "c", parentID: "b"))
            let reader = trial.reader(trial.folders.observe())
            try await expect(reader.next().count, is: 3)
            try await trial.folders.delete("a")
            try await expect(reader.next(), is: [])
        },
        observed(
            "setNull", "An observer sees a reference that is set to null.", needs: [.references]
        ) { trial in
            try await trial.halls.create(Hall(id: "a"))
            try await trial.links.create(Link(id: "one", friendID: "a"))
            let reader = trial.reader(trial.links.observe())
            try await expect(reader.next().map(\.friendID), is: ["a"])
            try await trial.halls.delete("a")
            try await trial.links.create(Link(id: "two"))
            let results = try await reader.next { $0.count == 2 }
            try expect(results[results.count - 1].map(\.friendID), is: [nil, nil])
        },
        observed("reset", "An observer sees a reset and the writes after it.", needs: [.reset]) {
            trial in
            try await trial.fillNotes("a", "b")
            let reader = trial.reader(trial.notes.observe())
            let count = trial.reader(trial.notes.observeCount())
            try await expect(reader.next().count, is: 2)
            try await expect(count.next(), is: 2)
            try await trial.repositories.reset()
            try await expect(reader.next(), is: [])
            try await trial.fillNotes("c")
            try await expect(reader.next().map(\.id), is: ["c"])
            try await expect(count.next { $0 == 1 }.isEmpty, is: false)
        },
        observed("failed", "An observer does not see a write that throws.") { trial in
            try await trial.fillNotes("a")
            let recorder = ChangeRecorder(trial.store.changes)
            let reader = trial.reader(trial.notes.observe())
            _ = try await reader.next()
            try await expectError(.recordAlreadyExists) {
                try await trial.notes.create(Note(id: "a", text: "other"))
            }
            try await expectError(.recordNotFound) {
                try await trial.notes.update(Note(id: "b", text: ""))
            }
            try await expectError(.recordNotFound) { try await trial.notes.delete("b") }
            try await trial.notes.create(Note(id: "c", text: "c"))
            try await expect(reader.next().map(\.text), is: ["a", "c"])
            try await trial.notes.create(Note(id: "d", text: "d"))
            try await expect(reader.next().count, is: 3)
            try expect(recorder.count <= 2, "A change was sent for a write that threw.")
        },
    ]
}

extension StoreTrial {
    /// Throws unless an observer of the notes sees the changes of a closure in one step.
    fileprivate func seesNotes(
        _ ids: [Note.ID], fileID: String = #fileID, line: Int = #line,
        _ body: (NoteRepository) async throws -> Void
    ) async throws {
        let reader = reader(repositories.notes.observe())
        _ = try await reader.next(fileID: fileID, line: line)
        try await body(repositories.notes)
        let seen = try await reader.next(fileID: fileID, line: line).map(\.id)
        try expect(seen, is: ids, fileID: fileID, line: line)
    }
}
