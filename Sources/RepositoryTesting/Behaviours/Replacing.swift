internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// The operations `deleteAll(where:)` and `replace`.
    static let replacing: [StoreBehaviour] = [
        update(
            "deletes.where",
            "`deleteAll(where:)` deletes the matching records and returns their number."
        ) {
            trial in
            try await trial.stock([3, 0, 5])
            try await expect(trial.products.deleteAll { $0.stock > 0 }, is: 2)
            try await expect(trial.products.fetch().map(\.stock), is: [0])
            try await expect(trial.products.deleteAll { $0.stock > 0 }, is: 0)
        },
        update(
            "deletes.query",
            "`deleteAll` of a query with a limit deletes only the selected records."
        ) {
            trial in
            try await trial.stock([5, 1, 4, 2, 3])
            try await expect(
                trial.products.deleteAll(.sorted(by: \.stock, .descending).limit(2)), is: 2)
            try await expect(trial.products.fetch().map(\.stock), is: [1, 2, 3])
            try await expect(trial.products.deleteAll(.all), is: 3)
            try await expect(trial.products.count(), is: 0)
        },
        update(
            "deletes.restricted", "`deleteAll(where:)` deletes nothing if a record is restricted.",
            needs: [.references]
        ) {
            trial in
            for id in ["a", "b", "c"] { try await trial.halls.create(Hall(id: .init(id))) }
            try await trial.links.create(Link(id: "l", anchorID: "b"))
            try await expectError(.constraintViolated) { try await trial.halls.deleteAll(.all) }
            try await expect(trial.halls.ids(), is: ["a", "b", "c"])
        },
        update(
            "deletes.cascade",
            "`deleteAll(where:)` applies delete rules and does not count the effects.",
            needs: [.references]
        ) {
            trial in
            for id in ["a", "b"] {
                try await trial.halls.create(Hall(id: .init(id), title: id))
                try await trial.links.create(Link(id: .init(id), keeperID: .init(id)))
            }
            try await expect(trial.halls.deleteAll { $0.title == "a" }, is: 1)
            try await expect(trial.links.ids(), is: ["b"])
        },
        update("deletes.many", "A thousand entities can be deleted in one call.", needs: [.batches])
        {
            trial in
            let notes = (0..<1_500).map { Note(id: .init("n\($0)"), text: "", rank: $0 % 3) }
            try await trial.notes.createAll(notes)
            try await expect(trial.notes.deleteAll { $0.rank != 1 }, is: 1_000)
            try await expect(trial.notes.count(), is: 500)
        },
        update("replace.set", "`replace` leaves only the given entities among the matching ones.") {
            trial in
            for (id, rank) in [("a", 1), ("b", 1), ("c", 2)] {
                try await trial.notes.create(Note(id: .init(id), text: "old", rank: rank))
            }
            let set = [Note(id: "d", text: "new", rank: 1), Note(id: "b", text: "new", rank: 1)]
            try await expect(trial.notes.replace(where: { $0.rank == 1 }, with: set), is: set)
            try await expect(
                trial.notes.fetch(),
                is: [
                    Note(id: "b", text: "new", rank: 1), Note(id: "c", text: "old", rank: 2),
                    Note(id: "d", text: "new", rank: 1),
                ])
        },
        update("replace.nothing", "`replace` with no entities deletes the matching ones.") {
            trial in
            try await trial.stock([1, 2])
            try await expect(trial.products.replace(where: { $0.stock == 1 }, with: []), is: [])
            try await expect(trial.products.ids(), is: ["p001"])
        },
        update("replace.again", "Repeating a `replace` changes nothing.") {
            trial in
            let set = [Note(id: "a", text: "x", rank: 1), Note(id: "b", text: "x", rank: 1)]
            for _ in 0..<2 { try await trial.notes.replace(where: { $0.rank == 1 }, with: set) }
            try await expect(trial.notes.fetch(), is: set)
        },
        update("replace.outside", "`replace` with an entity that does not match changes nothing.") {
            trial in
            let before = Note(id: "a", text: "old", rank: 1)
            try await trial.notes.create(before)
            try await expectError(.invalidQuery, id: "c", table: "notes") {
                try await trial.notes.replace(
                    where: { $0.rank == 1 },
                    with: [Note(id: "b", text: "", rank: 1), Note(id: "c", text: "", rank: 2)])
            }
            try await expect(trial.notes.fetch(), is: [before])
        },
        update("replace.moved", "`replace` can move an entity that did not match before.") {
            trial in
            try await trial.notes.create(Note(id: "a", text: "old", rank: 2))
            let note = Note(id: "a", text: "new", rank: 1)
            try await trial.notes.replace(where: { $0.rank == 1 }, with: [note])
            try await expect(trial.notes.fetch(), is: [note])
        },
        update("replace.invalid", "`replace` with an invalid entity changes nothing.") { trial in
            let before = try await trial.stock([1, 2])
            try await expectError(.invalidItem, id: "new", field: "stock") {
                try await trial.products.replace(
                    where: { $0.stock < 9 },
                    with: [Product(id: "p000", stock: 5), Product(id: "new", stock: -1)])
            }
            try await expect(trial.products.fetch(), is: before)
        },
        update(
            "replace.references", "`replace` preserves references to entities that remain.",
            needs: [.references]
        ) {
            trial in
            for id in ["a", "b", "c"] { try await trial.halls.create(Hall(id: .init(id))) }
            try await trial.links.create(Link(id: "held", anchorID: "a"))
            try await trial.links.create(Link(id: "kept", keeperID: "a"))
            try await trial.links.create(Link(id: "free", friendID: "b"))
            try await trial.halls.replace(where: { $0.title == "" }, with: [Hall(id: "a")])
            try await expect(trial.links.read("held").anchorID, is: "a")
            try await expect(trial.links.exists("kept"), is: true)
            try await expect(trial.links.read("free").friendID, is: nil)
            try await expect(trial.halls.ids(), is: ["a"])
        },
        update(
            "replace.held", "`replace` changes nothing if it would delete a restricted record.",
            needs: [.references]
        ) {
            trial in
            for id in ["a", "b"] { try await trial.halls.create(Hall(id: .init(id))) }
            try await trial.links.create(Link(id: "l", anchorID: "b"))
            try await expectError(.constraintViolated) {
                try await trial.halls.replace(
                    where: { $0.title == "" }, with: [Hall(id: "a"), Hall(id: "c")])
            }
            try await expect(trial.halls.ids(), is: ["a", "b"])
        },
        update(
            "replace.versions",
            "`replace` increments the version of stored entities; new ones get 1.",
            needs: [.versions]
        ) {
            trial in
            let stays = try await trial.tickets.create(Ticket(title: "a"))
            let goes = try await trial.tickets.create(Ticket(title: "a"))
            let new = Ticket(title: "a", revision: 7)
            let stored = try await trial.tickets.replace(
                where: { $0.title == "a" }, with: [stays, new])
            try expect(stored.map(\.revision), is: [2, 1])
            try expect(stored.map(\.openedAt), is: [stays.openedAt, new.openedAt])
            try await expect(trial.tickets.read(stays.id), is: stored[0])
            try await expect(trial.tickets.exists(goes.id), is: false)
        },
        update(
            "replace.stale", "`replace` with an outdated version changes nothing.",
            needs: [.versions]
        ) {
            trial in
            let stale = try await trial.tickets.create(Ticket(title: "a"))
            let goes = try await trial.tickets.create(Ticket(title: "a"))
            let stored = try await trial.tickets.update(stale)
            let error = try await expectError(.versionConflict, id: stale.id.description) {
                try await trial.tickets.replace(where: { $0.title == "a" }, with: [stale])
            }
            try expect(error.expectedVersion, is: 1)
            try expect(error.storedVersion, is: 2)
            try await expect(trial.tickets.read(stale.id), is: stored)
            try await expect(trial.tickets.exists(goes.id), is: true)
        },
        update(
            "replace.unique", "`replace` can reuse the unique value of a deleted entity.",
            needs: [.uniqueIndexes]
        ) {
            trial in
            try await trial.members.create(Member(id: "old", email: "a@example.org", team: "t"))
            let new = Member(id: "new", email: "a@example.org", team: "t")
            try await trial.members.replace(where: { $0.team == "t" }, with: [new])
            try await expect(trial.members.fetch(), is: [new])
        },
        update("replace.large", "`replace` supports thousands of entities.", needs: [.batches]) {
            trial in
            func notes(_ range: Range<Int>, _ text: String) -> [Note] {
                range.map { Note(id: .init(String($0 + 10_000)), text: text, rank: 1) }
            }
            try await trial.notes.createAll(notes(0..<2_500, "old"))
            let set = notes(1_000..<3_500, "new")
            try await expect(
                trial.notes.replace(where: { $0.rank == 1 }, with: set).count, is: 2_500)
            try await expect(trial.notes.fetch(), is: set)
        },
    ]
}
