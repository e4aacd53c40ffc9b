internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Drafts.
    static let drafts: [StoreBehaviour] = [
        StoreBehaviour(
            "drafts.create", "A draft becomes an entity with an id, timestamps and a version.",
            needs: [.records, .versions]
        ) { trial in
            let draft = try decoded(RecordDraft<Ticket>.self, #"{"title": "a"}"#)
            let ticket = try await trial.tickets.create(draft)
            try expect(ticket.title, is: "a")
            try expect(ticket.revision, is: 1)
            try expect(ticket.openedAt > TrialClock.start, "The clock of the set was not used.")
            try expect(ticket.touchedAt, is: ticket.openedAt)
            try await expect(trial.tickets.read(ticket.id), is: ticket)
            let other = try await trial.tickets.create(draft)
            try expect(other.id != ticket.id, "Two drafts got one id.")
        },
        StoreBehaviour(
            "drafts.defaults", "A draft has the defaults of what it leaves out."
        ) { trial in
            var draft = RecordDraft<Product>()
            draft.id = "p1"
            draft.stock = 7
            try expect(draft.fieldNames, is: ["id", "stock"])
            try await expect(trial.products.create(draft), is: Product(id: "p1", stock: 7))
            try await expect(trial.products.read("p1"), is: Product(id: "p1", stock: 7))
        },
        StoreBehaviour(
            "drafts.refused", "A draft throws the errors of a create, and all that is missing."
        ) { trial in
            let empty = RecordDraft<Product>()
            let missing = try await expectError(.invalidItem, table: "products", field: "id") {
                try await trial.products.create(empty)
            }
            try expect(missing.violations.map(\.rule), is: [.required])
            var draft = RecordDraft<Product>()
            draft.id = "p1"
            draft.name = ""
            draft.stock = -1
            let broken = draft
            let error = try await expectError(.invalidItem, id: "p1", field: "name") {
                try await trial.products.create(broken)
            }
            try expect(error.violations.map(\.field), is: ["name", "stock"])
            draft.name = "x"
            draft.stock = 1
            let valid = draft
            try await trial.products.create(valid)
            try await expectError(.recordAlreadyExists, id: "p1") {
                try await trial.products.create(valid)
            }
        },
        StoreBehaviour(
            "drafts.batch", "Drafts are created together, and their errors have positions.",
            needs: [.records, .batches, .listing]
        ) { trial in
            let valid = try decoded(RecordDraft<Product>.self, #"{"id": "p1"}"#)
            let missing = RecordDraft<Product>()
            let error = try await expectError(.invalidItem, field: "id") {
                try await trial.products.createAll([valid, missing, missing])
            }
            try expect(error.violations.map(\.index), is: [1, 2])
            let other = try decoded(RecordDraft<Product>.self, #"{"id": "p2", "stock": 2}"#)
            try await expect(
                trial.products.createAll([valid, other]),
                is: [Product(id: "p1"), Product(id: "p2", stock: 2)])
            try await expect(trial.products.count(), is: 2)
        },
    ]
}
