internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// What errors say.
    static let errors: [StoreBehaviour] = [
        StoreBehaviour("errors.sentence", "An error's localizedDescription is a sentence.") {
            trial in
            let note = Note(id: "a-strange-id", text: "")
            let missing = try await expectError(.recordNotFound) {
                try await trial.notes.read(note.id)
            }
            try await trial.notes.create(note)
            let taken = try await expectError(.recordAlreadyExists) {
                try await trial.notes.create(note)
            }
            for error in [missing, taken] {
                let sentence = error.localizedDescription
                try expect(sentence.hasSuffix("."), "It has no stop: \(sentence)")
                try expect(sentence.contains("a-strange-id"), "It names no id: \(sentence)")
                try expect(!error.isRetryable, "Trying again cannot help: \(sentence)")
            }
        },
        StoreBehaviour(
            "errors.table", "Errors about a record name its table.", needs: [.records, .listing]
        ) { trial in
            try await expectError(.recordNotFound, id: "a", table: "notes") {
                try await trial.notes.read("a")
            }
            try await expectError(.recordNotFound, table: "notes") {
                try await trial.notes.update(Note(id: "a", text: ""))
            }
            try await expectError(.recordNotFound, table: "notes") {
                try await trial.notes.delete("a")
            }
            try await trial.notes.create(Note(id: "a", text: ""))
            try await expectError(.recordAlreadyExists, id: "a", table: "notes") {
                try await trial.notes.create(Note(id: "a", text: ""))
            }
        },
        StoreBehaviour(
            "errors.conflict", "A version conflict names table, id and both versions.",
            needs: [.records, .versions]
        ) { trial in
            let ticket = try await trial.tickets.create(Ticket(title: "one"))
            try await trial.tickets.update(ticket)
            let id = ticket.id.description
            let error = try await expectError(.versionConflict, id: id, table: "tickets") {
                try await trial.tickets.update(ticket)
            }
            let sentence = error.localizedDescription
            try expect(sentence.contains("1") && sentence.contains("2"), "It says: \(sentence)")
        },
        StoreBehaviour(
            "errors.constraint", "A broken constraint names table, id and field.",
            needs: [.records, .uniqueIndexes, .references]
        ) { trial in
            try await trial.members.create(Member(id: "a", email: "x"))
            try await expectError(
                .constraintViolated, id: "b", table: "members", field: "email"
            ) {
                try await trial.members.create(Member(id: "b", email: "x"))
            }
            try await expectError(.constraintViolated, id: "l", table: "links", field: "friendID") {
                try await trial.links.create(Link(id: "l", friendID: "nowhere"))
            }
        },
        StoreBehaviour(
            "errors.order", "A taken id is reported before a broken constraint.",
            needs: [.records, .uniqueIndexes]
        ) { trial in
            try await trial.members.create(Member(id: "a", email: "x"))
            try await trial.members.create(Member(id: "b", email: "y"))
            try await expectError(.recordAlreadyExists, id: "b") {
                try await trial.members.create(Member(id: "b", email: "x"))
            }
            try await expectError(.recordNotFound, id: "c") {
                try await trial.members.update(Member(id: "c", email: "x"))
            }
        },
        StoreBehaviour("errors.secret", "Descriptions of entities hide their sensitive fields.") {
            trial in
            let product = Product(id: "id", pin: "secret-pin")
            let stored = try await trial.products.create(product)
            try expect(stored.pin ?? "nil", is: "secret-pin")
            for text in ["\(stored)", String(reflecting: stored), "\([stored])"] {
                try expect(!text.contains("secret-pin"), "It says: \(text)")
            }
            var dumped = ""
            dump(stored, to: &dumped)
            try expect(!dumped.contains("secret-pin"), "A dump shows it.")
        },
        StoreBehaviour("errors.harmless", "A store works on after every kind of error.") { trial in
            try await expectError(.recordNotFound) { try await trial.notes.read("missing") }
            try await expectError(.invalidIdentifier) {
                try await trial.notes.create(Note(id: "", text: ""))
            }
            try await expectError(.invalidItem) {
                try await trial.products.create(Product(id: "id", stock: -1))
            }
            let note = Note(id: "a", text: "still here")
            try await trial.notes.create(note)
            try await expectError(.recordAlreadyExists) { try await trial.notes.create(note) }
            try await expectError(.recordNotFound) { try await trial.notes.delete("missing") }
            try await expect(trial.notes.read("a"), is: note)
        },
    ]
}
