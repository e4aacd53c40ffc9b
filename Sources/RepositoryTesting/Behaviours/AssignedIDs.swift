internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Ids that the store gives.
    static let assignedIDs: [StoreBehaviour] = [
        assigned("assigned.draft", "A draft comes back with the next id.") { trial, receipts in
            let ids = try await [receipts.create(draft("a")), receipts.create(draft("b"))]
            try expect(ids.map(\.id), is: [1, 2])
            try await expect(receipts.createAll([draft("c"), draft("d")]).map(\.id), is: [3, 4])
            try await expect(receipts.fetch().map(\.text), is: ["a", "b", "c", "d"])
        },
        assigned("assigned.deleted", "The id of a deleted record is not given again.") {
            trial, receipts in
            try await receipts.createAll([draft("a"), draft("b")])
            try await receipts.delete(2)
            try await expect(receipts.create(draft("c")).id, is: 3)
            try await receipts.deleteAll()
            try await expect(receipts.create(draft("d")).id, is: 4)
        },
        assigned(
            "assigned.reopened", "A new store instance at the same place goes on counting.",
            needs: [.persistent]
        ) { trial, receipts in
            try await receipts.createAll([draft("a"), draft("b")])
            try await receipts.delete(2)
            let other = Receipts(try await trial.reopened().store).receipts
            try await expect(other.create(draft("c")).id, is: 3)
            try await expect(receipts.create(draft("d")).id, is: 4)
        },
        assigned(
            "assigned.given",
            "Records stored with ids of their own advance the counter, also if they are deleted."
        ) { trial, receipts in
            try await receipts.create(Receipt(id: 10, text: "a"))
            try await receipts.delete(10)
            try await expect(receipts.create(draft("b")).id, is: 11)
            try await receipts.saveAll([Receipt(id: 30, text: "c"), Receipt(id: 20, text: "d")])
            try await receipts.deleteAll(ids: [30])
            try await expect(receipts.create(draft("e")).id, is: 31)
            try await receipts.save(Receipt(id: 40, text: "f"))
            try await receipts.delete(40)
            try await receipts.createAll([Receipt(id: 35, text: "g")])
            try await expect(receipts.create(draft("h")).id, is: 41)
            try await receipts.save(Receipt(id: 50, text: "i"), conflict: .replace)
            try await receipts.delete(50)
            try await receipts.replace(
                where: { $0.id >= 55 }, with: [Receipt(id: 60, text: "j")])
            try await receipts.delete(60)
            try await expect(receipts.create(draft("k")).id, is: 61)
            try await receipts.create(Receipt(id: -5, text: "l"))
            try await expect(receipts.create(draft("m")).id, is: 62)
        },
        assigned(
            "assigned.transaction",
            "A transaction gives ids, and what it gave can be given again after a rollback."
        ) { trial, receipts in
            struct Stop: Error {}
            let set = Receipts(trial.store)
            do {
                try await set.transaction { set in
                    try await expect(set.receipts.create(draft("a")).id, is: 1)
                    throw Stop()
                }
            } catch is Stop {}
            try await set.transaction { set in
                let first = try await set.receipts.create(draft("a")).id
                let second = try await set.receipts.create(draft("b")).id
                try expect(second > first, "The second id is not greater.")
            }
            try await expect(Set(receipts.fetch().map(\.id)).count, is: 2)
        },
        assigned("assigned.refused", "A draft that is refused stores nothing.") {
            trial, receipts in
            try await receipts.create(draft("a"))
            try await expectError(.invalidItem, table: "receipts", field: "text") {
                try await receipts.createAll([draft("b"), RecordDraft<Receipt>()])
            }
            var named = RecordDraft<Receipt>()
            named.text = "c"
            named.id = 7
            let forbidden = named
            try await expectError(.invalidItem, field: "id") {
                try await receipts.create(forbidden)
            }
            try await expect(receipts.count(), is: 1)
        },
        assigned("assigned.beside", "An id that a program stored beside the counter is not given.")
        {
            trial, receipts in
            try await receipts.create(draft("a"))
            // Without the repository, as a program does that does not know of the counter.
            try await trial.store.create(Receipt(id: 2, text: "b"))
            try await trial.store.create(Receipt(id: 9, text: "c"))
            try await expect(receipts.create(draft("d")).id, is: 10)
            try await expect(receipts.count(), is: 4)
        },
        assigned("assigned.race", "Of ids that tasks are given at once, no two are equal.") {
            trial, receipts in
            let ids = try await concurrently(8) { task in
                let own = Receipts(trial.store).receipts
                var ids: [Receipt.ID] = []
                for number in 0..<4 {
                    let receipt = try await own.create(draft("\(task) \(number)"))
                    ids.append(receipt.id)
                    if number % 2 == 0 { try await own.delete(receipt.id) }
                }
                return ids
            }.flatMap(\.self)
            try expect(Set(ids).count, is: 32)
        },
        assigned("assigned.reset", "A reset removes the records and the counter.", needs: [.reset])
        {
            trial, receipts in
            try await receipts.createAll([draft("a"), draft("b")])
            try await Receipts(trial.store).reset()
            let again = Receipts(trial.store).receipts
            try await expect(again.count(), is: 0)
            try await expect(again.create(draft("c")).id, is: 1)
        },
        assigned(
            "assigned.renamed", "A renamed table goes on counting.", needs: [.persistent]
        ) { trial, receipts in
            try await receipts.createAll([draft("a"), draft("b"), draft("c")])
            try await receipts.delete(3)
            let later = try await trial.reopened()
            let slips = SlipRepository(
                RepositoryContext(
                    store: later.store, schema: StoreSchema("Receipts", [Slip.self])))
            for number in 4...5 {
                var slip = RecordDraft<Slip>()
                slip.set(\.text, to: "\(number)")
                let next = slip
                try await expect(slips.create(next).id.rawValue, is: number)
            }
        },
        assigned("assigned.exhausted", "After the greatest id, no other is given.") {
            trial, receipts in
            try await receipts.create(Receipt(id: .init(.max), text: "a"))
            try await expectError(.numberOverflow, table: "receipts") {
                try await receipts.create(draft("b"))
            }
            try await expect(receipts.count(), is: 1)
        },
    ]

    /// A behaviour of stores with transactions, on a set whose ids are given.
    private static func assigned(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line,
        _ body: @escaping @Sendable (StoreTrial, ReceiptRepository) async throws -> Void
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence,
            needs: [
                .records, .batches, .listing, .queries, .updates, .conflictPolicies, .transactions,
            ] + needs, fileID: fileID, line: line
        ) { trial in try await body(trial, Receipts(trial.store).receipts) }
    }
}

/// A draft of a receipt.
private func draft(_ text: String) -> RecordDraft<Receipt> {
    var draft = RecordDraft<Receipt>()
    draft.text = text
    return draft
}
