internal import Foundation
internal import RepositoryRuntime

extension RepositoryBehaviour {
    /// The table of meanings: four methods, record there or not.
    static let methods: [RepositoryBehaviour] = [
        RepositoryBehaviour("methods.create", "What create stored, read returns.") { trial in
            try await trial.create("a", Parcel.full)
            try await expect(trial.read("a"), is: Parcel.full)
        },
        RepositoryBehaviour(
            "methods.createTaken",
            "A create under an id that is taken throws recordAlreadyExists and changes nothing."
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
            "methods.readMissing", "A read of what is not there throws recordNotFound."
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
            "An update of what is not there throws recordNotFound and stores nothing."
        ) { trial in
            try await expectError(.recordNotFound, id: "a") {
                try await trial.update("a", Parcel())
            }
            try await trial.expectNothing("a")
        },
        RepositoryBehaviour("methods.delete", "What is deleted is gone.") { trial in
            try await trial.create("a", Parcel())
            try await trial.delete("a")
            try await trial.expectNothing("a")
        },
        RepositoryBehaviour(
            "methods.deleteMissing", "A delete of what is not there throws recordNotFound."
        ) { trial in
            try await expectError(.recordNotFound, id: "a") { try await trial.delete("a") }
            try await trial.create("a", Parcel())
            try await trial.delete("a")
            try await expectError(.recordNotFound, id: "a") { try await trial.delete("a") }
        },
        RepositoryBehaviour("methods.again", "An id can be used again after a delete.") { trial in
            for round in 0..<20 {
                try await trial.create("a", round)
                try await expect(trial.read("a"), is: round)
                try await trial.delete("a")
            }
            try await trial.expectNothing("a")
        },
        RepositoryBehaviour("methods.neighbours", "A write to one item leaves the others alone.") {
            trial in
            for id in ["a", "b", "c"] { try await trial.create(id, "item \(id)") }
            try await trial.update("b", "changed")
            try await trial.delete("c")
            try await expect(trial.read("a"), is: "item a")
            try await expect(trial.read("b"), is: "changed")
        },
        RepositoryBehaviour("methods.sentence", "An error's description names the id.") { trial in
            let error = try await expectError(.recordNotFound) {
                try await trial.delete("a-strange-id")
            }
            let sentence = error.localizedDescription
            try expect(sentence.contains("a-strange-id"), "It says: \(sentence)")
            try expect(sentence.hasSuffix("."), "It has no stop: \(sentence)")
            try expect(!error.isRetryable, "Trying again cannot help.")
        },
        RepositoryBehaviour(
            "methods.persistent", "A repository made anew at the same place holds what was stored.",
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
            "Damaged bytes throw invalidRecord with the id, and no other suffers.",
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
