internal import Foundation
internal import RepositoryRuntime

/// A time that no clock of a trial shows. The checks of `Deed` refuse it.
private let foreign = Date(timeIntervalSince1970: 86_400)

extension StoreBehaviour {
    /// Dates of creation: `onCreate: now`.
    static let creationDates: [StoreBehaviour] = createdRecords + keptDates + keptByQueries

    private static let createdRecords: [StoreBehaviour] = [
        creation("create", "A create sets the fields declared `onCreate: now`, whatever is given.")
        { trial in
            let set = trial.set(at: 10)
            let given = Deed(
                id: "a", createdAt: foreign, filedAt: foreign, changedAt: foreign + 1)
            let stored = try await set.deeds.create(given)
            try expect([stored.createdAt, stored.changedAt], is: [day(10), day(10)])
            try expect(stored.filedAt, is: day(10))
            try await expect(trial.deeds.read("a"), is: stored)
        },
        creation(
            "createAll", "All records of a batch are created at the same time.", needs: [.batches]
        ) { trial in
            let set = trial.set(at: 10)
            let stored = try await set.deeds.createAll([
                Deed(id: "a", createdAt: foreign), Deed(id: "b"),
            ])
            try expect(stored.map(\.createdAt), is: [day(10), day(10)])
            try await expect(trial.deeds.read("a"), is: stored[0])
        },
        creation(
            "draft", "A draft must not have stamps, and gets all of them.", needs: [.versions]
        ) { trial in
            let draft = try decoded(RecordDraft<Contract>.self, #"{"text": "a"}"#)
            let stored = try await trial.set(at: 10).contracts.create(draft)
            try expect([stored.signedAt, stored.seenAt], is: [day(10), day(10)])
            try await expect(trial.contracts.read(stored.id), is: stored)
            let body = #"{"text": "a", "signedAt": "2024-01-01T00:00:00Z"}"#
            try await expectError(.invalidItem, field: "signedAt") {
                try decoded(RecordDraft<Contract>.self, body)
            }
        },
        creation("saveNew", "A save of a new record sets the date of its creation.") { trial in
            let stored = try await trial.set(at: 10).deeds.save(Deed(id: "a", createdAt: foreign))
            try expect([stored.createdAt, stored.changedAt], is: [day(10), day(10)])
            try expect(stored.filedAt, is: day(10))
            try await expect(trial.deeds.read("a"), is: stored)
        },
        creation("again", "A record that was deleted and created again has a new date.") { trial in
            try await trial.set(at: 10).deeds.create(Deed(id: "a"))
            try await trial.deeds.delete("a")
            try await trial.set(at: 20).deeds.save(Deed(id: "a", createdAt: day(10)))
            try await expect(trial.deeds.read("a").createdAt, is: day(20))
        },
    ]

    private static let keptDates: [StoreBehaviour] = [
        creation("update", "An update keeps the date of the creation.") { trial in
            try await trial.set(at: 10).deeds.create(Deed(id: "a"))
            let stored = try await trial.set(at: 20).deeds.update(
                Deed(id: "a", text: "b", createdAt: foreign))
            try expect(stored, is: Deed(id: "a", text: "b", created: 10, changed: 20))
            try await expect(trial.deeds.read("a"), is: stored)
            try await expectError(.recordNotFound, id: "b") {
                try await trial.deeds.update(Deed(id: "b"))
            }
            try await expectError(.invalidItem, id: "a", field: "text") {
                try await trial.deeds.update(Deed(id: "a", text: "more than twelve"))
            }
            try await expect(trial.deeds.read("a"), is: stored)
        },
        creation("save", "A save of a stored record keeps the date of the creation.") { trial in
            try await trial.set(at: 10).deeds.create(Deed(id: "a"))
            let stored = try await trial.set(at: 20).deeds.save(
                Deed(id: "a", text: "b", createdAt: foreign, filedAt: foreign))
            try expect(stored, is: Deed(id: "a", text: "b", created: 10, changed: 20))
            try await expect(trial.deeds.read("a"), is: stored)
        },
        creation(
            "saveAll", "A batch of saves keeps old dates of creation, and sets new ones.",
            needs: [.batches]
        ) { trial in
            try await trial.set(at: 10).deeds.createAll([Deed(id: "a"), Deed(id: "b")])
            let stored = try await trial.set(at: 20).deeds.saveAll([
                Deed(id: "a", text: "x", createdAt: foreign), Deed(id: "c"), Deed(id: "b"),
                Deed(id: "c", page: 2),
            ])
            try expect(stored[0], is: Deed(id: "a", text: "x", created: 10, changed: 20))
            try expect(stored.map(\.createdAt), is: [day(10), day(20), day(10), day(20)])
            try await expect(trial.deeds.read("b"), is: stored[2])
            try await expect(trial.deeds.read("c"), is: stored[3])
            try await expect(trial.deeds.saveAll([]), is: [])
        },
        creation(
            "version", "Versions are compared and counted where a date of creation is kept.",
            needs: [.versions]
        ) { trial in
            let first = try await trial.set(at: 10).contracts.create(
                Contract(text: "a", seenAt: foreign))
            try expect(first.seenAt, is: foreign)
            var changed = first
            changed.text = "b"
            changed.signedAt = foreign
            let second = try await trial.set(at: 20).contracts.update(changed)
            try expect(second.revision, is: 2)
            try expect([second.signedAt, second.seenAt], is: [day(10), day(20)])
            let error = try await expectError(
                .versionConflict, id: first.id.description, table: "contracts"
            ) { try await trial.contracts.update(changed) }
            try expect([error.expectedVersion, error.storedVersion], is: [1, 2])
            try await expectError(.versionConflict, id: first.id.description) {
                try await trial.contracts.save(changed)
            }
            try await expect(trial.contracts.read(first.id), is: second)
        },
        creation(
            "transaction", "Inside a transaction, saves see what it has stored.",
            needs: [.transactions]
        ) { trial in
            try await trial.set(at: 10).deeds.create(Deed(id: "a"))
            try await trial.set(at: 20).transaction { library in
                try await library.deeds.save(Deed(id: "a", text: "x", createdAt: foreign))
                try await library.deeds.save(Deed(id: "b"))
                try await library.deeds.update(Deed(id: "b", text: "y", createdAt: foreign))
                try await library.deeds.delete("a")
                try await library.deeds.save(Deed(id: "a", createdAt: foreign))
            }
            try await expect(trial.deeds.read("a").createdAt, is: day(20))
            try await expect(
                trial.deeds.read("b"), is: Deed(id: "b", text: "y", created: 20, changed: 20))
        },
    ]

    private static let keptByQueries: [StoreBehaviour] = [
        creation(
            "closure", "A change by a closure keeps the date of the creation.",
            needs: [.transactions, .versions]
        ) { trial in
            try await trial.set(at: 10).deeds.create(Deed(id: "a"))
            let stored = try await trial.set(at: 20).deeds.update("a") {
                $0.text = "b"
                $0.createdAt = foreign
            }
            try expect(stored, is: Deed(id: "a", text: "b", created: 10, changed: 20))
            try await expect(trial.deeds.read("a"), is: stored)
            let contract = try await trial.set(at: 10).contracts.create(
                Contract(text: "a", seenAt: foreign))
            let changed = try await trial.set(at: 20).contracts.update(contract.id) {
                $0.signedAt = foreign
            }
            try expect(changed.signedAt, is: day(10))
            try expect(changed.revision, is: 2)
            try await expect(trial.contracts.read(contract.id), is: changed)
        },
        creation(
            "patch", "A patch keeps the date of the creation, and must not name it.",
            needs: [.updates]
        ) { trial in
            try await trial.set(at: 10).deeds.create(Deed(id: "a"))
            var patch = RecordPatch<Deed>()
            patch.text = "b"
            let stored = try await trial.set(at: 20).deeds.update("a", patch)
            try expect(stored, is: Deed(id: "a", text: "b", created: 10, changed: 20))
            try await expect(trial.deeds.read("a"), is: stored)
            patch.createdAt = foreign
            let forbidden = patch
            let error = try await expectError(.invalidItem, id: "a", field: "createdAt") {
                try await trial.deeds.update("a", forbidden)
            }
            try expect(error.violations.map(\.rule), is: [.forbidden])
            try await expectError(.invalidItem, field: "filedAt") {
                try decoded(RecordPatch<Deed>.self, #"{"filedAt": null}"#)
            }
            try await expect(trial.deeds.read("a"), is: stored)
        },
        creation(
            "updateAll", "`updateAll` keeps the dates of creation.", needs: [.updates, .batches]
        ) { trial in
            try await trial.set(at: 10).deeds.createAll([Deed(id: "a"), Deed(id: "b", page: 1)])
            let count = try await trial.set(at: 20).deeds.updateAll(where: { $0.page >= 0 }) {
                $0.page += 1
                $0.createdAt = foreign
            }
            try expect(count, is: 2)
            try await expect(
                trial.deeds.read("b"), is: Deed(id: "b", page: 2, created: 10, changed: 20))
        },
        creation(
            "replace", "`replace` keeps the dates of creation of what is stored.",
            needs: [.updates, .batches, .transactions]
        ) { trial in
            try await trial.set(at: 10).deeds.createAll([Deed(id: "a"), Deed(id: "b")])
            let stored = try await trial.set(at: 20).deeds.replace(
                where: { $0.page == 0 },
                with: [Deed(id: "b", text: "x", createdAt: foreign), Deed(id: "c")])
            try expect(stored.map(\.createdAt), is: [day(10), day(20)])
            try await expect(
                trial.deeds.read("b"), is: Deed(id: "b", text: "x", created: 10, changed: 20))
            try await expectError(.recordNotFound, id: "a") { try await trial.deeds.read("a") }
        },
        creation(
            "conflict", "Conflict policies keep the dates of creation.",
            needs: [.conflictPolicies, .versions]
        ) { trial in
            let first = try await trial.set(at: 10).contracts.create(
                Contract(text: "a", seenAt: foreign))
            var other = first
            other.text = "b"
            other.signedAt = foreign
            let set = trial.set(at: 20)
            let replaced = try await set.contracts.save(other, conflict: .replace)
            try expect([replaced.signedAt, replaced.seenAt], is: [day(10), day(20)])
            other.text = "c"
            var original = first
            original.text = "b"
            let merged = try await set.contracts.save(other, conflict: .merge(from: original))
            try expect(merged.text, is: "c")
            try expect(merged.signedAt, is: day(10))
            let new = try await set.contracts.save(
                Contract(text: "n", signedAt: foreign, seenAt: foreign), conflict: .fail)
            try expect(new.signedAt, is: day(20))
            try await expect(trial.contracts.read(first.id), is: merged)
        },
        creation(
            "copy", "Records that pass a store directly keep all of their dates."
        ) { trial in
            try await trial.repositories.open()
            let deed = Deed(id: "a", createdAt: day(5), filedAt: nil, changedAt: day(6))
            try await trial.store.create(deed)
            try await expect(trial.deeds.read("a"), is: deed)
            var later = deed
            later.createdAt = day(7)
            try await expect(trial.store.update(later), is: later)
        },
        creation("deferred", "A date of creation that is missing stays so.") { trial in
            try await trial.repositories.open()
            try await trial.store.create(
                Deed(id: "a", createdAt: day(5), filedAt: nil, changedAt: day(5)))
            let stored = try await trial.set(at: 20).deeds.update(Deed(id: "a", filedAt: foreign))
            try expect(stored.filedAt, is: nil)
            try expect(stored.createdAt, is: day(5))
        },
    ]

    /// A behaviour of dates of creation.
    private static func creation(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            "creation.\(id)", sentence, needs: [.records] + needs, fileID: fileID, line: line, body)
    }
}

extension Deed {
    /// A deed as it is stored.
    fileprivate init(
        id: String, text: String = "", page: Int = 0, created: Double, changed: Double
    ) {
        self.init(
            id: ID(id), text: text, page: page, createdAt: day(created), filedAt: day(created),
            changedAt: day(changed))
    }
}
