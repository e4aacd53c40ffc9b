internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// The contents of errors.
    static let errors: [StoreBehaviour] = [
        StoreBehaviour("errors.sentence", "The `localizedDescription` of an error is a sentence.") {
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
                try expect(sentence.hasSuffix("."), "The sentence has no final period: \(sentence)")
                try expect(
                    sentence.contains("a-strange-id"),
                    "The sentence does not contain the id: \(sentence)")
                try expect(!error.isRetryable, "The error must not be retryable: \(sentence)")
            }
        },
        StoreBehaviour(
            "errors.table", "An error about a record contains the name of its table.",
            needs: [.records, .listing]
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
            "errors.conflict", "A version conflict contains the table, the id and both versions.",
            needs: [.records, .versions]
        ) { trial in
            let ticket = try await trial.tickets.create(Ticket(title: "one"))
            try await trial.tickets.update(ticket)
            let id = ticket.id.description
            let error = try await expectError(.versionConflict, id: id, table: "tickets") {
                try await trial.tickets.update(ticket)
            }
            let sentence = error.localizedDescription
            try expect(
                sentence.contains("1") && sentence.contains("2"),
                "The sentence lacks a version: \(sentence)")
        },
        StoreBehaviour(
            "errors.constraint", "A constraint violation contains the table, the id and the field.",
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
            "errors.order", "An id in use is reported before a constraint violation.",
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
        StoreBehaviour("errors.secret", "Descriptions of entities do not contain sensitive fields.")
        {
            trial in
            let product = Product(id: "id", pin: "secret-pin")
            let stored = try await trial.products.create(product)
            try expect(stored.pin ?? "nil", is: "secret-pin")
            for text in ["\(stored)", String(reflecting: stored), "\([stored])"] {
                try expect(
                    !text.contains("secret-pin"), "The description contains the value: \(text)")
            }
            var dumped = ""
            dump(stored, to: &dumped)
            try expect(!dumped.contains("secret-pin"), "The dump contains the value.")
        },
        StoreBehaviour("errors.harmless", "A store can be used after every kind of error.") {
            trial in
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
