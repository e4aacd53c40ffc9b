internal import RepositoryRuntime

extension StoreBehaviour {
    /// References in batches, which are checked after all records are written.
    static let batchReferences: [StoreBehaviour] = [
        batchReference(
            "anyOrder", "A record of a batch may refer to a later one."
        ) { trial in
            try await trial.folders.createAll([
                Folder(id: "c", parentID: "b"), Folder(id: "b", parentID: "a"), Folder(id: "a"),
            ])
            try await trial.replies.saveAll([
                Reply(id: "x", parentID: "y"), Reply(id: "y", parentID: "x"),
            ])
            try await expect(trial.folders.read("c").parentID, is: "b")
            try await expect(trial.replies.read("x").parentID, is: "y")
            try await trial.folders.delete("a")
            try await expect(trial.folders.count(), is: 0)
        },
        batchReference(
            "dangling", "A batch with a dangling reference stores nothing and names the record."
        ) { trial in
            let old = Reply(id: "old")
            try await trial.replies.create(old)
            try await expectError(
                .constraintViolated, id: "b", table: "replies", field: "parentID"
            ) {
                try await trial.replies.createAll([
                    Reply(id: "a", parentID: "c"), Reply(id: "b", parentID: "nowhere"),
                    Reply(id: "c", parentID: "old"),
                ])
            }
            try await expectError(
                .constraintViolated, id: "old", table: "replies", field: "parentID"
            ) {
                try await trial.replies.saveAll([
                    Reply(id: "a"), Reply(id: "old", parentID: "nowhere"),
                ])
            }
            try await expect(trial.replies.fetch(), is: [old])
            // The failed batches have left nothing that affects later calls.
            try await expectError(.constraintViolated, field: "parentID") {
                try await trial.replies.create(Reply(id: "a", parentID: "nowhere"))
            }
            try await trial.replies.create(Reply(id: "a", parentID: "old"))
        },
        batchReference(
            "twins", "If an id occurs twice in a batch, the references of the last are checked."
        ) { trial in
            try await trial.replies.saveAll([
                Reply(id: "a", parentID: "nowhere"), Reply(id: "a", parentID: "a"),
            ])
            try await expect(trial.replies.read("a").parentID, is: "a")
            try await expectError(.constraintViolated, id: "b", field: "parentID") {
                try await trial.replies.saveAll([
                    Reply(id: "b", parentID: "a"), Reply(id: "b", parentID: "nowhere"),
                ])
            }
            try await expect(trial.replies.ids(), is: ["a"])
        },
        batchReference(
            "together", "Concurrent batches succeed or fail independently."
        ) { trial in
            let codes = try await concurrently(32) { number in
                let (first, second) = (Reply.ID("\(number)a"), Reply.ID("\(number)b"))
                let batch = [
                    Reply(id: first, parentID: second),
                    Reply(id: second, parentID: number.isMultiple(of: 4) ? "nowhere" : first),
                ]
                return try await code { try await trial.replies.createAll(batch) }
            }
            try expect(codes.map { $0 == nil }, is: (0..<32).map { !$0.isMultiple(of: 4) })
            try expect(codes.compactMap(\.self).allSatisfy { $0 == .constraintViolated }, is: true)
            try await expect(trial.replies.count(), is: 48)
        },
        batchReference(
            "deletion", "A batch can delete records that refer to each other, in any order."
        ) { trial in
            for ids: [Reply.ID] in [["a", "b", "c"], ["c", "b", "a"], ["b", "a", "c"]] {
                try await trial.replies.createAll([
                    Reply(id: "a"), Reply(id: "b", parentID: "a"), Reply(id: "c", parentID: "b"),
                ])
                try await expect(trial.replies.deleteAll(ids: ids), is: 3)
                try await expect(trial.replies.count(), is: 0)
            }
        },
        batchReference(
            "deletionHeld", "A batch deletes no record if other records refer to one of them."
        ) { trial in
            let replies = [
                Reply(id: "a"), Reply(id: "b", parentID: "a"), Reply(id: "c", parentID: "b"),
            ]
            try await trial.replies.createAll(replies)
            for ids: [Reply.ID] in [["a", "b"], ["b", "a"]] {
                try await expectError(.constraintViolated, id: "b", table: "replies") {
                    try await trial.replies.deleteAll(ids: ids)
                }
            }
            try await expect(trial.replies.fetch(), is: replies)
            try await trial.halls.create(Hall(id: "north"))
            try await trial.halls.create(Hall(id: "south"))
            try await trial.seats.create(Seat(hallID: "north", row: 1, letter: "a"))
            try await trial.bookings.create(
                Booking(id: "k", seatID: Seat.ID(hallID: "north", row: 1, letter: "a")))
            try await expectError(.constraintViolated) {
                try await trial.halls.deleteAll(ids: ["south", "north"])
            }
            try await expect(trial.halls.count(), is: 2)
            try await expect(trial.seats.count(), is: 1)
        },
        batchReference(
            "updateAll", "`updateAll` changes nothing if a reference would dangle.",
            needs: [.updates]
        ) { trial in
            try await trial.replies.createAll([Reply(id: "a"), Reply(id: "b")])
            try await expectError(.constraintViolated) {
                try await trial.replies.updateAll(where: { $0.id == "b" }) {
                    $0.parentID = "nowhere"
                }
            }
            try await expect(trial.replies.read("b").parentID, is: nil)
        },
    ]

    /// A behaviour of references in batches.
    private static func batchReference(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            "references.batch.\(id)", sentence,
            needs: [.records, .listing, .batches, .atomicBatches, .references] + needs,
            fileID: fileID, line: line, body)
    }
}
