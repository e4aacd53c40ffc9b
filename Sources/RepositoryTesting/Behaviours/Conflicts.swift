internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// The conflict policies of `save`, except merging.
    static let conflicts: [StoreBehaviour] = [
        conflict(
            "conflicts.new", "Every policy creates a record that is not stored yet.",
            needs: [.versions]
        ) {
            trial in
            for policy: ConflictPolicy<Ticket> in [.fail, .keepStored, .replace, .merge(from: [])] {
                let ticket = try await trial.tickets.save(
                    Ticket(title: "new", revision: 5), conflict: policy)
                try expect(ticket.revision, is: 1)
                try await expect(trial.tickets.read(ticket.id), is: ticket)
            }
        },
        conflict("conflicts.fail", "Without a version field, `fail` throws for any stored record.")
        { trial in
            let note = Note(id: "a", text: "one")
            try await trial.notes.save(note, conflict: .fail)
            try await expectError(.recordAlreadyExists, id: "a", table: "notes") {
                try await trial.notes.save(note, conflict: .fail)
            }
            try await expect(trial.notes.read("a"), is: note)
        },
        conflict(
            "conflicts.failVersion",
            "With a version field, `fail` throws for another version and names both.",
            needs: [.versions]
        ) {
            trial in
            let first = try await trial.tickets.create(Ticket(title: "one"))
            let second = try await trial.tickets.save(first, conflict: .fail)
            try expect(second.revision, is: 2)
            let error = try await expectError(.versionConflict, id: first.id.description) {
                try await trial.tickets.save(first, conflict: .fail)
            }
            try expect(error.expectedVersion, is: 1)
            try expect(error.storedVersion, is: 2)
            try await expect(trial.tickets.read(first.id), is: second)
        },
        conflict("conflicts.keepStored", "`keepStored` keeps the stored record and returns it.") {
            trial in
            let stored = Note(id: "a", text: "stored")
            try await trial.notes.create(stored)
            try await expect(
                trial.notes.save(Note(id: "a", text: "mine"), conflict: .keepStored), is: stored)
            try await expect(trial.notes.read("a"), is: stored)
        },
        conflict(
            "conflicts.keepVersion", "`keepStored` does not increment the version.",
            needs: [.versions]
        ) {
            trial in
            let stored = try await trial.tickets.create(Ticket(title: "stored"))
            var mine = stored
            mine.title = "mine"
            try await expect(trial.tickets.save(mine, conflict: .keepStored), is: stored)
            try await expect(trial.tickets.read(stored.id), is: stored)
        },
        conflict(
            "conflicts.keepChecked",
            "`keepStored` validates the given entity although it is not stored."
        ) {
            trial in
            try await trial.stock([1])
            try await expectError(.invalidItem, field: "stock") {
                try await trial.products.save(
                    Product(id: "p000", stock: -1), conflict: .keepStored)
            }
        },
        conflict("conflicts.replace", "`replace` replaces any stored record.") { trial in
            try await trial.notes.create(Note(id: "a", text: "stored"))
            let mine = Note(id: "a", text: "mine")
            try await expect(trial.notes.save(mine, conflict: .replace), is: mine)
            try await expect(trial.notes.read("a"), is: mine)
        },
        conflict(
            "conflicts.replaceVersion", "`replace` increments the stored version.",
            needs: [.versions]
        ) {
            trial in
            let first = try await trial.tickets.create(Ticket(title: "one"))
            let second = try await trial.tickets.update(first)
            var mine = first
            mine.title = "mine"
            let stored = try await trial.tickets.save(mine, conflict: .replace)
            try expect(stored.revision, is: 3)
            try expect(stored.title, is: "mine")
            try expect(stored.touchedAt > second.touchedAt, "The timestamp was not set.")
            try await expect(trial.tickets.read(first.id), is: stored)
        },
        conflict(
            "conflicts.batch",
            "A batch with a policy returns the stored records in the given order.",
            needs: [.batches]
        ) {
            trial in
            try await trial.notes.create(Note(id: "b", text: "stored"))
            let mine = ["c", "b", "a"].map { Note(id: .init($0), text: "mine") }
            let kept = try await trial.notes.saveAll(mine, conflict: .keepStored)
            try expect(kept.map(\.id), is: ["c", "b", "a"])
            try expect(kept.map(\.text), is: ["mine", "stored", "mine"])
            try await expect(trial.notes.fetch(), is: kept.reversed())
            try await expect(trial.notes.saveAll(mine, conflict: .replace), is: mine)
            try await expect(trial.notes.fetch(), is: mine.reversed())
        },
        conflict(
            "conflicts.batchFails", "A batch with a policy stores no record if one of them fails.",
            needs: [.batches]
        ) {
            trial in
            let stored = Note(id: "b", text: "stored")
            try await trial.notes.create(stored)
            try await expectError(.recordAlreadyExists, id: "b") {
                try await trial.notes.saveAll(
                    ["a", "b", "c"].map { Note(id: .init($0), text: "mine") }, conflict: .fail)
            }
            try await expect(trial.notes.fetch(), is: [stored])
        },
        conflict(
            "conflicts.twice",
            "If an id occurs twice in a batch, the second entity meets the first.",
            needs: [.batches]
        ) {
            trial in
            let notes = [Note(id: "a", text: "one"), Note(id: "a", text: "two")]
            try await expect(
                trial.notes.saveAll(notes, conflict: .keepStored), is: [notes[0], notes[0]])
            try await expect(trial.notes.saveAll(notes, conflict: .replace), is: notes)
            try await expect(trial.notes.read("a"), is: notes[1])
            try await trial.notes.delete("a")
            try await expectError(.recordAlreadyExists) {
                try await trial.notes.saveAll(notes, conflict: .fail)
            }
            try await expect(trial.notes.exists("a"), is: false)
        },
        conflict("conflicts.race", "One of 32 tasks that save the same id with `fail` succeeds.") {
            trial in
            let notes = trial.notes
            let codes = try await concurrently(32) { number in
                try await code {
                    try await notes.save(Note(id: "a", text: "\(number)"), conflict: .fail)
                }
            }
            try expect(codes.filter { $0 == nil }.count, is: 1)
            try expect(codes.filter { $0 == .recordAlreadyExists }.count, is: 31)
        },
        StoreBehaviour(
            "conflicts.refused", "A store without conflict policies throws `unsupported`.",
            lacks: [.conflictPolicies]
        ) { trial in
            let note = Note(id: "a", text: "one")
            try await trial.notes.create(note)
            for policy: ConflictPolicy<Note> in [.fail, .keepStored, .replace, .merge(from: note)] {
                try await expectError(.unsupported) {
                    try await trial.notes.save(Note(id: "a", text: "two"), conflict: policy)
                }
            }
            try await expect(trial.notes.read("a"), is: note)
        },
    ]

    /// A behaviour of stores with conflict policies.
    static func conflict(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .conflictPolicies] + needs, fileID: fileID, line: line,
            body)
    }
}
