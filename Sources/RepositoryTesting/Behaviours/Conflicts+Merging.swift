internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Merging field by field: `save(_:conflict: .merge(from:))`.
    static let merging: [StoreBehaviour] = [
        conflict("merge.both", "Changes of different fields on both sides are merged.") { trial in
            let merged = try await trial.merge(
                Product(id: "pear", name: "old", stock: 1, rating: 1),
                stored: { $0.name = "theirs" }, ours: { $0.stock = 9 })
            try expect(
                merged, is: Product(id: "pear", name: "theirs", stock: 9, rating: 1))
        },
        conflict("merge.same", "Equal changes on both sides are merged.") { trial in
            let merged = try await trial.merge(
                Product(id: "pear", name: "old"),
                stored: { $0.name = "new" },
                ours: {
                    $0.name = "new"; $0.stock = 2
                })
            try expect(merged, is: Product(id: "pear", name: "new", stock: 2))
        },
        conflict(
            "merge.conflict", "Different changes of one field throw an error that names the field."
        ) {
            trial in
            let error = try await expectError(
                .versionConflict, id: "pear", table: "products", field: "name"
            ) {
                try await trial.merge(
                    Product(id: "pear", name: "old"),
                    stored: {
                        $0.name = "theirs"; $0.stock = 2
                    },
                    ours: {
                        $0.name = "mine"; $0.rating = 3
                    })
            }
            try expect(
                error.message.contains("name") && !error.message.contains("mine"), "\(error)")
            try await expect(
                trial.products.read("pear"), is: Product(id: "pear", name: "theirs", stock: 2))
        },
        conflict("merge.null", "Setting a field to null is a change like any other.") { trial in
            let start = Product(id: "pear", weight: 1, rating: 1)
            let merged = try await trial.merge(
                start, stored: { $0.weight = nil }, ours: { $0.rating = nil })
            try expect(merged, is: Product(id: "pear"))
            try await trial.products.delete("pear")
            try await expectError(.versionConflict, field: "weight") {
                try await trial.merge(start, stored: { $0.weight = nil }, ours: { $0.weight = 2 })
            }
        },
        conflict("merge.embedded", "Fields of embedded values are merged individually.") { trial in
            let merged = try await trial.merge(
                Product(id: "pear", size: Size(width: 1)),
                stored: { $0.size?.width = 5 }, ours: { $0.size?.unit = "cm" })
            try expect(merged, is: Product(id: "pear", size: Size(width: 5, unit: "cm")))
            try await trial.products.delete("pear")
            try await expectError(.versionConflict, field: "size.width") {
                try await trial.merge(
                    Product(id: "pear", size: Size(width: 1)),
                    stored: { $0.size?.width = 5 }, ours: { $0.size?.width = 6 })
            }
        },
        conflict(
            "merge.embeddedGone", "Removing an embedded value and changing it is a conflict."
        ) {
            trial in
            try await expectError(.versionConflict, field: "size") {
                try await trial.merge(
                    Product(id: "pear", size: Size(width: 1)),
                    stored: { $0.size = nil }, ours: { $0.size?.width = 6 })
            }
            try await trial.products.delete("pear")
            try await expectError(.versionConflict, field: "size") {
                try await trial.merge(
                    Product(id: "pear"), stored: { $0.size = Size(width: 1) },
                    ours: { $0.size = Size(width: 2) })
            }
        },
        conflict("merge.lists", "A list is merged as a whole.") { trial in
            let start = Product(id: "pear", codes: ["a"])
            let merged = try await trial.merge(
                start, stored: { $0.codes = ["a", "b"] }, ours: { $0.stock = 5 })
            try expect(merged, is: Product(id: "pear", stock: 5, codes: ["a", "b"]))
            try await trial.products.delete("pear")
            try await expectError(.versionConflict, field: "codes") {
                try await trial.merge(
                    start, stored: { $0.codes = ["a", "b"] }, ours: { $0.codes = ["a", "c"] })
            }
        },
        conflict(
            "merge.versions", "A merge increments the stored version and sets the timestamps.",
            needs: [.versions]
        ) {
            trial in
            let original = try await trial.tickets.create(Ticket(title: "one"))
            var theirs = original
            theirs.openedAt += 60
            theirs = try await trial.tickets.update(theirs)
            var ours = original
            ours.title = "mine"
            let merged = try await trial.tickets.save(ours, conflict: .merge(from: original))
            try expect(merged.revision, is: 3)
            try expect(merged.title, is: "mine")
            try expect(merged.openedAt, is: theirs.openedAt)
            try expect(merged.touchedAt > theirs.touchedAt, "The timestamp was not set.")
            try await expect(trial.tickets.read(original.id), is: merged)
        },
        conflict(
            "merge.versionConflict", "The error of a conflict contains both versions.",
            needs: [.versions]
        ) {
            trial in
            let original = try await trial.tickets.create(Ticket(title: "one"))
            var theirs = original
            theirs.title = "theirs"
            theirs = try await trial.tickets.update(theirs)
            var ours = original
            ours.title = "mine"
            let error = try await expectError(.versionConflict, field: "title") {
                try await trial.tickets.save(ours, conflict: .merge(from: original))
            }
            try expect(error.expectedVersion, is: 1)
            try expect(error.storedVersion, is: 2)
            try await expect(trial.tickets.read(original.id), is: theirs)
        },
        conflict(
            "merge.unchanged", "A merge that changes nothing writes nothing.", needs: [.versions]
        ) {
            trial in
            let original = try await trial.tickets.create(Ticket(title: "one"))
            var theirs = original
            theirs.title = "two"
            theirs = try await trial.tickets.update(theirs)
            try await expect(
                trial.tickets.save(original, conflict: .merge(from: original)), is: theirs)
            try await expect(
                trial.tickets.save(theirs, conflict: .merge(from: original)), is: theirs)
            try await expect(trial.tickets.read(original.id), is: theirs)
        },
        conflict("merge.invalid", "A merged entity is validated.") { trial in
            try await expectError(.invalidItem, field: "stock") {
                try await trial.merge(
                    Product(id: "pear"), stored: { $0.name = "theirs" }, ours: { $0.stock = -1 })
            }
            try await expect(
                trial.products.read("pear"), is: Product(id: "pear", name: "theirs"))
        },
        conflict(
            "merge.gone",
            "Merging into a deleted record throws `recordNotFound` and stores nothing."
        ) { trial in
            let original = try await trial.notes.create(Note(id: "a", text: "one"))
            try await trial.notes.delete("a")
            try await expectError(.recordNotFound, id: "a") {
                try await trial.notes.save(
                    Note(id: "a", text: "two"), conflict: .merge(from: original))
            }
            try await expect(trial.notes.exists("a"), is: false)
        },
        conflict(
            "merge.batch", "A batch merges each entity with its own original, either all or none.",
            needs: [.batches]
        ) {
            trial in
            let originals = try await trial.notes.createAll(
                ["a", "b"].map { Note(id: .init($0), text: "old") })
            try await trial.notes.update(Note(id: "b", text: "old", rank: 5))
            var ours = originals.map { Note(id: $0.id, text: "new") }
            ours.append(Note(id: "c", text: "new"))
            let merged = try await trial.notes.saveAll(ours, conflict: .merge(from: originals))
            try expect(merged.map(\.rank), is: [0, 5, 0])
            try expect(merged.map(\.text), is: ["new", "new", "new"])
            try await expect(trial.notes.fetch(), is: merged)
            // Neither stored text is "old" any more, and "c" has no original.
            try await expectError(.recordAlreadyExists, id: "c") {
                try await trial.notes.saveAll(
                    [Note(id: "a", text: "new", rank: 7), ours[2]],
                    conflict: .merge(from: originals))
            }
            try await expect(trial.notes.fetch(), is: merged)
        },
        conflict(
            "merge.concurrent", "No increment is lost if concurrent tasks change different fields.",
            needs: [.versions]
        ) {
            trial in
            let tickets = trial.tickets
            let original = try await tickets.create(Ticket(title: "one"))
            _ = try await concurrently(8) { number in
                var ours = original
                if number == 0 { ours.title = "changed" } else { ours.openedAt += 5 }
                return try await tickets.save(ours, conflict: .merge(from: original))
            }
            let stored = try await tickets.read(original.id)
            try expect(stored.title, is: "changed")
            try expect(stored.openedAt, is: original.openedAt + 5)
            try expect(stored.revision, is: 3)
        },
    ]
}

extension StoreTrial {
    /// Stores a product, changes the stored record, and merges changes that are based on the
    /// original.
    @discardableResult
    fileprivate func merge(
        _ start: Product, stored: (inout Product) -> Void, ours: (inout Product) -> Void
    ) async throws -> Product {
        let original = try await repositories.products.create(start)
        var theirs = original
        stored(&theirs)
        try await repositories.products.update(theirs)
        var mine = original
        ours(&mine)
        let merged = try await repositories.products.save(mine, conflict: .merge(from: original))
        try await expect(repositories.products.read(start.id), is: merged)
        return merged
    }
}
