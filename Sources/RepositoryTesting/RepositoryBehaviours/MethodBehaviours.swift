internal import Foundation
internal import RepositoryRuntime

extension RepositoryBehaviour {
    /// The four methods, with and without a stored item.
    static let methods: [RepositoryBehaviour] = [
        RepositoryBehaviour("methods.create", "`read` returns the item that `create` has stored.") {
            trial in
            try await trial.create("a", Parcel.full)
            try await expect(trial.read("a"), is: Parcel.full)
        },
        RepositoryBehaviour(
            "methods.createTaken",
            "A create with an id in use throws and changes nothing."
        ) { trial in
            try await trial.create("a", "first")
            try await expectError(.recordAlreadyExists, id: "a") {
                try await trial.create("a", "second")
            }
            try await expectError(.recordAlreadyExists, id: "a") {
                try await trial.create("a", Parcel())
            }
            try await expect(trial.read("a"), is: "first")
        },
        RepositoryBehaviour(
            "methods.readMissing", "Reading a missing item throws `recordNotFound`."
        ) { trial in
            try await trial.expectNothing("nobody")
        },
        RepositoryBehaviour("methods.update", "An update replaces the whole item.") { trial in
            try await trial.create("a", Parcel.full)
            try await trial.update("a", Parcel())
            try await expect(trial.read("a"), is: Parcel())
        },
        RepositoryBehaviour(
            "methods.updateMissing",
            "An update of a missing item throws and stores nothing."
        ) { trial in
            try await expectError(.recordNotFound, id: "a") {
                try await trial.update("a", Parcel())
            }
            try await trial.expectNothing("a")
        },
        RepositoryBehaviour("methods.delete", "A deleted item is no longer stored.") { trial in
            try await trial.create("a", Parcel())
            try await trial.delete("a")
            try await trial.expectNothing("a")
        },
        RepositoryBehaviour(
            "methods.deleteMissing", "Deleting a missing item throws `recordNotFound`."
        ) { trial in
            try await expectError(.recordNotFound, id: "a") { try await trial.delete("a") }
            try await trial.create("a", Parcel())
            try await trial.delete("a")
            try await expectError(.recordNotFound, id: "a") { try await trial.delete("a") }
        },
        RepositoryBehaviour("methods.again", "The id of a deleted item can be used again.") {
            trial in
            for round in 0..<20 {
                try await trial.create("a", round)
                try await expect(trial.read("a"), is: round)
                try await trial.delete("a")
            }
            try await trial.expectNothing("a")
        },
        RepositoryBehaviour("methods.neighbours", "A write to one item does not affect others.") {
            trial in
            for id in ["a", "b", "c"] { try await trial.create(id, "item \(id)") }
            try await trial.update("b", "changed")
            try await trial.delete("c")
            try await expect(trial.read("a"), is: "item a")
            try await expect(trial.read("b"), is: "changed")
        },
        RepositoryBehaviour("methods.sentence", "The description of an error contains the id.") {
            trial in
            let error = try await expectError(.recordNotFound) {
                try await trial.delete("a-strange-id")
            }
            let sentence = error.localizedDescription
            try expect(
                sentence.contains("a-strange-id"),
                "The sentence does not contain the id: \(sentence)")
            try expect(sentence.hasSuffix("."), "The sentence has no final period: \(sentence)")
            try expect(!error.isRetryable, "The error must not be retryable.")
        },
        RepositoryBehaviour(
            "methods.persistent",
            "A repository reopened at the same place contains the stored items.",
            needs: [.persistent]
        ) { trial in
            try await trial.create("a", Parcel.full)
            try await trial.create("b", "deleted")
            try await trial.delete("b")
            let later = try await trial.reopened()
            try await expect(later.read("a"), is: Parcel.full)
            try await later.expectNothing("b")
            try await expectError(.recordAlreadyExists) { try await later.create("a", "again") }
        },
        RepositoryBehaviour(
            "methods.shared", "Two repositories at one place see each other's writes.",
            needs: [.persistent]
        ) { trial in
            let other = try await trial.reopened()
            try await trial.create("a", "one")
            try await expect(other.read("a"), is: "one")
            try await other.update("a", "two")
            try await expect(trial.read("a"), is: "two")
            try await trial.delete("a")
            try await other.expectNothing("a")
        },
        RepositoryBehaviour(
            "methods.damage",
            "Reading damaged bytes throws `invalidRecord`; other items are readable.",
            needs: [.persistent], needsDamage: true
        ) { trial in
            for id in ["a", "b", "c"] { try await trial.create(id, Parcel.full) }
            try await trial.harness.damage?(trial.place, "b")
            let later = try await trial.reopened()
            try await expectError(.invalidRecord, id: "b") {
                try await later.read("b", as: Parcel.self)
            }
            try await expect(later.read("a"), is: Parcel.full)
            try await later.update("b", Parcel())
            try await expect(later.read("b"), is: Parcel())
        },
    ]
}
