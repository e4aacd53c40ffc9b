internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// References and delete rules.
    static let references: [StoreBehaviour] = [
        reference(
            "references.missing", "A dangling reference throws an error that names the field."
        ) {
            trial in
            try await expectError(.constraintViolated, table: "links", field: "anchorID") {
                try await trial.links.create(Link(id: "l", anchorID: "nowhere"))
            }
            try await expectError(.constraintViolated, field: "friendID") {
                try await trial.links.save(Link(id: "l", friendID: "nowhere"))
            }
            try await expect(trial.links.exists("l"), is: false)
        },
        reference(
            "references.missingOnUpdate", "An update to a dangling reference changes nothing."
        ) { trial in
            try await trial.halls.create(Hall(id: "north"))
            let link = Link(id: "l", anchorID: "north")
            try await trial.links.create(link)
            try await expectError(.constraintViolated, field: "keeperID") {
                try await trial.links.update(Link(id: "l", keeperID: "nowhere"))
            }
            try await expect(trial.links.read("l"), is: link)
        },
        reference("references.null", "A null reference is allowed.") { trial in
            try await trial.links.create(Link(id: "l"))
            try await expect(trial.links.read("l"), is: Link(id: "l"))
        },
        reference("references.restrict", "A restricted record cannot be deleted.") { trial in
            try await trial.halls.create(Hall(id: "north"))
            try await trial.links.create(Link(id: "l", anchorID: "north"))
            try await expectError(.constraintViolated, id: "north") {
                try await trial.halls.delete("north")
            }
            try await expect(trial.halls.exists("north"), is: true)
            try await expect(trial.links.read("l").anchorID, is: "north")
        },
        reference(
            "references.released", "A record can be deleted after the references to it are removed."
        ) {
            trial in
            for id in ["a", "b"] { try await trial.halls.create(Hall(id: .init(id))) }
            try await trial.links.create(Link(id: "one", anchorID: "a"))
            try await trial.links.create(Link(id: "two", anchorID: "b"))
            try await trial.links.update(Link(id: "one"))
            try await trial.links.delete("two")
            try await trial.halls.delete("a")
            try await trial.halls.delete("b")
        },
        reference("references.cascade", "A cascade deletes the referring records and no others.") {
            trial in
            for id in ["a", "b"] { try await trial.halls.create(Hall(id: .init(id))) }
            try await trial.links.create(Link(id: "one", keeperID: "a"))
            try await trial.links.create(Link(id: "two", keeperID: "b"))
            try await trial.links.create(Link(id: "three"))
            try await trial.halls.delete("a")
            try await expect(trial.links.exists("one"), is: false)
            try await expect(trial.links.exists("two"), is: true)
            try await expect(trial.links.exists("three"), is: true)
        },
        reference(
            "references.setNull", "`setNull` sets the reference to null and changes nothing else."
        ) {
            trial in
            for id in ["a", "b"] { try await trial.halls.create(Hall(id: .init(id))) }
            try await trial.links.create(Link(id: "l", anchorID: "b", friendID: "a"))
            try await trial.halls.delete("a")
            try await expect(trial.links.read("l"), is: Link(id: "l", anchorID: "b"))
        },
        reference("references.none", "A reference without a delete rule may dangle.") { trial in
            try await trial.links.create(Link(id: "one", rumourID: "nowhere"))
            try await trial.halls.create(Hall(id: "a"))
            try await trial.links.create(Link(id: "two", rumourID: "a"))
            try await trial.halls.delete("a")
            try await expect(trial.links.read("one").rumourID, is: "nowhere")
            try await expect(trial.links.read("two").rumourID, is: "a")
        },
        reference("references.chain", "A cascade follows chains of references.") { trial in
            var parent: Folder.ID?
            for id in ["a", "b", "c", "d"] {
                parent = try await trial.folders.create(Folder(id: .init(id), parentID: parent)).id
            }
            try await trial.folders.create(Folder(id: "beside"))
            try await trial.folders.delete("b")
            try await expect(trial.folders.exists("a"), is: true)
            try await expect(trial.folders.exists("c"), is: false)
            try await expect(trial.folders.exists("d"), is: false)
            try await expect(trial.folders.exists("beside"), is: true)
        },
        reference("references.itself", "A record that refers to itself can be deleted.") {
            trial in
            try await trial.folders.create(Folder(id: "a", parentID: "a"))
            try await expect(trial.folders.read("a").parentID, is: "a")
            try await trial.folders.delete("a")
            try await expect(trial.folders.exists("a"), is: false)
        },
        reference("references.circle", "A cascade through a cycle of references ends.") { trial in
            try await trial.folders.create(Folder(id: "a"))
            try await trial.folders.create(Folder(id: "b", parentID: "a"))
            try await trial.folders.update(Folder(id: "a", parentID: "b"))
            try await trial.folders.delete("a")
            try await expect(trial.folders.exists("b"), is: false)
        },
        reference(
            "references.cascadeRestricted", "A cascade to a restricted record changes nothing."
        ) { trial in
            let seat = try await trial.fillSeat()
            try await trial.seats.create(Seat(hallID: "north", row: 2, letter: "b"))
            try await trial.bookings.create(Booking(id: "k", seatID: seat.id))
            try await expectError(.constraintViolated) { try await trial.halls.delete("north") }
            try await expect(trial.halls.exists("north"), is: true)
            try await expect(trial.seats.read(seat.id), is: seat)
            try await expect(
                trial.seats.exists(.init(hallID: "north", row: 2, letter: "b")), is: true)
        },
        reference("references.key", "A reference that is part of an id is enforced.") {
            trial in
            try await expectError(.constraintViolated, field: "hallID") {
                try await trial.seats.create(Seat(hallID: "north", row: 1, letter: "a"))
            }
            let seat = try await trial.fillSeat()
            try await trial.halls.delete("north")
            try await expect(trial.seats.exists(seat.id), is: false)
        },
        reference("references.composite", "A reference to a composite id is stored and enforced.") {
            trial in
            let seat = try await trial.fillSeat()
            let booking = Booking(id: "k", seatID: seat.id)
            try await trial.bookings.create(booking)
            try await expect(trial.bookings.read("k"), is: booking)
            try await expectError(.constraintViolated, field: "seatID") {
                try await trial.bookings.create(
                    Booking(id: "l", seatID: .init(hallID: "north", row: 1, letter: "b")))
            }
            try await expectError(.constraintViolated) { try await trial.seats.delete(seat.id) }
            try await trial.bookings.delete("k")
            try await trial.seats.delete(seat.id)
        },
        reference(
            "references.compositeSetNull", "`setNull` sets a whole composite reference to null."
        ) {
            trial in
            let seat = try await trial.fillSeat()
            try await trial.claims.create(Claim(id: "c", seatID: seat.id))
            try await trial.claims.create(Claim(id: "none"))
            try await expect(trial.claims.read("c").seatID, is: seat.id)
            try await trial.seats.delete(seat.id)
            try await expect(trial.claims.read("c").seatID, is: nil)
            try await expect(trial.claims.read("none").seatID, is: nil)
        },
        reference(
            "references.updateTarget",
            "Updates and saves of a record do not affect the references to it."
        ) { trial in
            try await trial.halls.create(Hall(id: "a"))
            try await trial.links.create(Link(id: "one", keeperID: "a"))
            try await trial.links.create(Link(id: "two", friendID: "a"))
            try await trial.halls.update(Hall(id: "a", title: "new"))
            try await trial.halls.save(Hall(id: "a", title: "newer"))
            try await expect(trial.links.exists("one"), is: true)
            try await expect(trial.links.read("two").friendID, is: "a")
        },
        reference("references.sameBytes", "References compare ids by their bytes.") { trial in
            try await trial.halls.create(Hall(id: "caf\u{E9}"))
            try await expectError(.constraintViolated) {
                try await trial.links.create(Link(id: "l", anchorID: "cafe\u{301}"))
            }
            try await expectError(.constraintViolated) {
                try await trial.links.create(Link(id: "l", anchorID: "CAF\u{E9}"))
            }
        },
        reference(
            "references.counted", "Records deleted by a cascade count as deleted by the batch.",
            needs: [.batches]
        ) { trial in
            for all in [false, true] {
                try await trial.folders.create(Folder(id: "a"))
                try await trial.folders.create(Folder(id: "b", parentID: "a"))
                try await trial.folders.create(Folder(id: "c", parentID: "b"))
                let count =
                    all
                    ? try await trial.folders.deleteAll()
                    : try await trial.folders.deleteAll(ids: ["a", "b", "c", "x", "a"])
                try expect(count, is: 3)
            }
        },
        reference(
            "references.inBatch", "A record of a batch may refer to an earlier one.",
            needs: [.batches]
        ) { trial in
            try await trial.folders.createAll([
                Folder(id: "b"), Folder(id: "a", parentID: "b"), Folder(id: "c", parentID: "a"),
            ])
            try await trial.folders.delete("b")
            try await expect(trial.folders.count(), is: 0)
        },
        reference(
            "references.persistent", "A reopened store enforces references.",
            needs: [.persistent]
        ) { trial in
            try await trial.halls.create(Hall(id: "a"))
            try await trial.links.create(Link(id: "l", anchorID: "a"))
            let later = try await trial.reopened()
            try await expectError(.constraintViolated) { try await later.halls.delete("a") }
            try await expectError(.constraintViolated) {
                try await later.links.create(Link(id: "m", anchorID: "b"))
            }
        },
    ]

    /// A behaviour of stores with references.
    private static func reference(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .references] + needs, fileID: fileID, line: line, body)
    }
}

extension StoreTrial {
    /// Stores seat 1a of the hall `north`.
    fileprivate func fillSeat() async throws -> Seat {
        try await repositories.halls.create(Hall(id: "north"))
        return try await repositories.seats.create(
            Seat(hallID: "north", row: 1, letter: "a", price: 3))
    }
}
