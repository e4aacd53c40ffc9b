internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Records that stay stored when they are deleted: `softDelete`.
    static let softDeletion: [StoreBehaviour] =
        deletedRecords + restoredRecords + deletedBatches + deletedInQueries + deletedRelatives

    private static let deletedRecords: [StoreBehaviour] = [
        softDelete("delete", "A deleted record is absent, and stays stored with the time.") {
            trial in
            let slip = try await trial.counterfoils.create(Counterfoil(page: 1, name: "a"))
            try await trial.set(at: 10).counterfoils.delete(slip.id)
            try await expectError(.recordNotFound, id: slip.id.description, table: "counterfoils") {
                try await trial.counterfoils.read(slip.id)
            }
            try await expect(trial.counterfoils.exists(slip.id), is: false)
            let deleted = try await trial.counterfoils.includingDeleted.read(slip.id)
            try expect(deleted, is: Counterfoil(page: 1, name: "a", deletedAt: day(10)))
            try await expect(trial.counterfoils.includingDeleted.exists(slip.id), is: true)
        },
        softDelete(
            "tolerant", "A tolerant fetch leaves deleted records out.", needs: [.listing]
        ) { trial in
            let kept = try await trial.counterfoils.create(Counterfoil(page: 1, name: "a"))
            let slip = try await trial.counterfoils.create(Counterfoil(page: 2, name: "b"))
            try await trial.counterfoils.delete(slip.id)
            let found = try await trial.counterfoils.fetch(tolerant: true)
            try expect(found.rows, is: [kept])
            let all = try await trial.counterfoils.includingDeleted.fetch(tolerant: true)
            try expect(all.rows.map(\.id), is: [kept.id, slip.id])
        },
        softDelete("writes", "A deleted record can be neither created, updated nor deleted again.")
        {
            trial in
            var slip = try await trial.counterfoils.create(Counterfoil(page: 1, name: "a"))
            try await trial.set(at: 10).counterfoils.delete(slip.id)
            try await expectError(.recordAlreadyExists, id: slip.id.description) {
                try await trial.counterfoils.create(slip)
            }
            slip.text = "b"
            try await expectError(.recordNotFound, id: slip.id.description) {
                try await trial.counterfoils.update(slip)
            }
            try await expectError(.recordNotFound, id: slip.id.description) {
                try await trial.set(at: 20).counterfoils.delete(slip.id)
            }
            try await expectError(.recordNotFound) {
                try await trial.counterfoils.delete(.init(page: 2, name: "a"))
            }
            try await expectError(.recordNotFound) {
                try await trial.counterfoils.update(Counterfoil(page: 2, name: "a"))
            }
            let stored = try await trial.counterfoils.includingDeleted.read(slip.id)
            try expect(stored, is: Counterfoil(page: 1, name: "a", deletedAt: day(10)))
        },
        softDelete("save", "A save stores the date of the deletion that it is given.") { trial in
            let slip = Counterfoil(page: 1, name: "a")
            try await trial.counterfoils.create(slip)
            try await trial.counterfoils.delete(slip.id)
            try await expect(trial.counterfoils.save(slip), is: slip)
            try await expect(trial.counterfoils.read(slip.id), is: slip)
            let gone = Counterfoil(page: 1, name: "a", deletedAt: day(3))
            try await expect(trial.counterfoils.save(gone), is: gone)
            try await expect(trial.counterfoils.exists(slip.id), is: false)
            try await expect(trial.counterfoils.includingDeleted.read(slip.id), is: gone)
        },
        softDelete("updateDeleted", "A repository that includes deleted records updates them.") {
            trial in
            let slip = Counterfoil(page: 1, name: "a")
            try await trial.counterfoils.create(slip)
            try await trial.set(at: 10).counterfoils.delete(slip.id)
            let changed = Counterfoil(page: 1, name: "a", text: "b", deletedAt: day(10))
            try await expect(trial.counterfoils.includingDeleted.update(changed), is: changed)
            try await expect(trial.counterfoils.exists(slip.id), is: false)
            try await expectError(.recordNotFound) {
                try await trial.counterfoils.includingDeleted.delete(slip.id)
            }
        },
        softDelete("purge", "A purge removes a record, deleted or not, so that it can be created.")
        {
            trial in
            let slip = Counterfoil(page: 1, name: "a")
            try await trial.counterfoils.create(slip)
            try await trial.counterfoils.delete(slip.id)
            try await trial.counterfoils.purge(slip.id)
            try await expect(trial.counterfoils.includingDeleted.exists(slip.id), is: false)
            try await expectError(.recordNotFound, id: slip.id.description) {
                try await trial.counterfoils.purge(slip.id)
            }
            try await expect(trial.counterfoils.create(slip), is: slip)
            try await trial.counterfoils.purge(slip.id)
            try await expect(trial.counterfoils.exists(slip.id), is: false)
        },
        softDelete(
            "stamps", "Deleting and restoring are updates: with versions and stamps.",
            needs: letterNeeds
        ) { trial in
            try await trial.set(at: 10).letters.create(Letter(id: "a", changedAt: day(1)))
            try await trial.set(at: 20).letters.delete("a")
            let gone = try await trial.letters.includingDeleted.read("a")
            try expect(gone.revision, is: 2)
            try expect(
                [gone.madeAt, gone.changedAt, gone.erasedAt], is: [day(10), day(20), day(20)])
            let back = try await trial.set(at: 30).letters.restore("a")
            try expect(back.revision, is: 3)
            try expect([back.madeAt, back.changedAt, back.erasedAt], is: [day(10), day(30), nil])
            try await expect(trial.letters.read("a"), is: back)
        },
        softDelete(
            "version", "A stale update does not bring a deleted record back.", needs: letterNeeds
        ) { trial in
            let letter = try await trial.letters.create(Letter(id: "a", changedAt: day(1)))
            try await trial.letters.delete("a")
            try await expectError(.recordNotFound) { try await trial.letters.update(letter) }
            try await expectError(.versionConflict) { try await trial.letters.save(letter) }
            let gone = try await trial.letters.includingDeleted.read("a")
            try expect(gone.revision, is: 2)
            let saved = try await trial.letters.save(gone)
            try expect(saved.madeAt, is: letter.madeAt)
            try expect(saved.revision, is: 3)
        },
    ]

    private static let restoredRecords: [StoreBehaviour] = [
        softDelete(
            "restore", "A restored record is present again; only a deleted one can be restored.",
            needs: [.updates]
        ) { trial in
            let slip = Counterfoil(page: 1, name: "a", text: "b")
            try await trial.counterfoils.create(slip)
            try await expectError(.recordNotFound, id: slip.id.description) {
                try await trial.counterfoils.restore(slip.id)
            }
            try await trial.counterfoils.delete(slip.id)
            try await expect(trial.counterfoils.restore(slip.id), is: slip)
            try await expect(trial.counterfoils.read(slip.id), is: slip)
            try await expectError(.recordNotFound) {
                try await trial.counterfoils.restore(.init(page: 2, name: "a"))
            }
        },
        softDelete(
            "unique", "A unique value of a deleted record stays taken, unless its index says not.",
            needs: letterNeeds
        ) { trial in
            let now = day(1)
            try await trial.letters.create(Letter(id: "a", code: "x", place: 1, changedAt: now))
            try await trial.letters.delete("a")
            try await expectError(.constraintViolated) {
                try await trial.letters.create(Letter(id: "b", code: "x", changedAt: now))
            }
            try await trial.letters.create(Letter(id: "b", place: 1, changedAt: now))
            try await expectError(.constraintViolated) { try await trial.letters.restore("a") }
            try await expect(trial.letters.includingDeleted.read("a").revision, is: 2)
            try await trial.letters.delete("b")
            try await expect(trial.letters.restore("a").place, is: 1)
        },
        softDelete(
            "patches", "A patch and a draft refuse the date; a patch finds no deleted record.",
            needs: letterNeeds
        ) { trial in
            try await trial.letters.create(Letter(id: "a", changedAt: day(1)))
            let patch = try decoded(RecordPatch<Letter>.self, #"{"text": "b"}"#)
            let changed = try await trial.letters.update("a", patch)
            try expect(changed.text, is: "b")
            for text in [#"{"erasedAt": null}"#, #"{"erasedAt": "2024-01-01T00:00:00Z"}"#] {
                try await expectError(.invalidItem, field: "erasedAt") {
                    try decoded(RecordPatch<Letter>.self, text)
                }
            }
            try await expectError(.invalidItem, field: "erasedAt") {
                try decoded(RecordDraft<Letter>.self, #"{"id": "b", "erasedAt": null}"#)
            }
            var own = RecordPatch<Letter>()
            own.set(\.erasedAt, to: nil)
            let set = own
            try await expectError(.invalidItem, field: "erasedAt") {
                try await trial.letters.update("a", set)
            }
            try await trial.letters.delete("a")
            try await expectError(.recordNotFound) { try await trial.letters.update("a", patch) }
            try await expectError(.recordNotFound) {
                try await trial.letters.update("a") { $0.text = "c" }
            }
            try await expect(trial.letters.includingDeleted.read("a").text, is: "b")
        },
        softDelete(
            "race", "Of many deletions of one record, exactly one succeeds.", needs: [.updates]
        ) { trial in
            let slip = try await trial.counterfoils.create(Counterfoil(page: 1, name: "a"))
            let deleted = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        do {
                            try await trial.counterfoils.delete(slip.id)
                            return true
                        } catch let error as CRUDRepositoryError
                            where error.code == .recordNotFound
                        {
                            return false
                        }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try expect(deleted, is: 1)
        },
        softDelete(
            "transaction", "A deletion belongs to its transaction.",
            needs: [.transactions, .updates]
        ) { trial in
            let slip = try await trial.counterfoils.create(Counterfoil(page: 1, name: "a"))
            _ = try await thrown {
                try await trial.repositories.transaction { set in
                    try await set.counterfoils.delete(slip.id)
                    try await expect(set.counterfoils.exists(slip.id), is: false)
                    try await expect(set.counterfoils.includingDeleted.exists(slip.id), is: true)
                    throw CancellationError()
                }
            }
            try await expect(trial.counterfoils.exists(slip.id), is: true)
            try await trial.repositories.transaction { set in
                try await set.counterfoils.delete(slip.id)
                try await set.counterfoils.restore(slip.id)
                try await set.counterfoils.delete(slip.id)
            }
            try await expect(trial.counterfoils.exists(slip.id), is: false)
        },
        softDelete(
            "reset", "A repository that includes deleted records works after a reset.",
            needs: [.reset]
        ) { trial in
            let all = trial.counterfoils.includingDeleted
            let slip = try await all.create(Counterfoil(page: 1, name: "a"))
            try await trial.repositories.context.reset()
            try await expect(all.exists(slip.id), is: false)
            try await expect(all.create(slip), is: slip)
        },
    ]

    /// What letters need.
    static let letterNeeds: [StoreCapability] = [
        .listing, .batches, .queries, .updates, .references, .versions, .uniqueIndexes,
        .transactions,
    ]

    /// A behaviour of records that stay stored when they are deleted.
    static func softDelete(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            "softDelete.\(id)", sentence, needs: [.records] + needs, fileID: fileID, line: line,
            body)
    }
}

/// A time by its number.
func day(_ number: Double) -> Date { TrialClock.start + 86_400 * number }

extension StoreTrial {
    /// The repositories whose clock shows a time.
    func set(at number: Double) -> Conformance { repositories(now: { day(number) }) }
}
