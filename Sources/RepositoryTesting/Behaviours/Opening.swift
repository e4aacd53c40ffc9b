internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Opening a store that was written with an earlier, later or different schema.
    static let opening: [StoreBehaviour] = [
        StoreBehaviour(
            "opening.again", "Opening a store again with the same schema changes nothing."
        ) {
            trial in
            try await trial.notes.create(Note(id: "a", text: "kept"))
            try await trial.store.open(trial.repositories.context.schema)
            try await trial.repositories.open()
            try await expect(trial.notes.read("a").text, is: "kept")
        },
        opening("opening.same", "A store can be reopened with the same schema.") { trial in
            try await trial.fill()
            try await expect(
                trial.reopened().shaped(Shapes.First.self).read("a"),
                is: Shaped("a", .text("one"), .integer(1)))
        },
        opening("opening.newTable", "A new table is added without affecting others.") { trial in
            try await trial.fill()
            var other = EntityTable("others", entity: "Other")
            other.field("id", .text, key: true)
            let later = try await trial.reopened().shaped(Shapes.First.self, with: [other])
            try await expect(later.count(), is: 2)
        },
        opening(
            "opening.optional", "A new optional field is null in stored records and can be written."
        ) {
            trial in
            try await trial.fill()
            let later = try await trial.reopened().shaped(Shapes.Optional.self)
            try await expect(
                later.read("a"), is: Shaped("a", .text("one"), .integer(1), .null))
            let changed = Shaped<Shapes.Optional>("a", .text("one"), .integer(1), .text("new"))
            try await later.update(changed)
            try await expect(later.fetch().first, is: changed)
        },
        opening("opening.default", "A new field with a constant default has it in stored records.")
        { trial in
            try await trial.fill()
            let later = try await trial.reopened().shaped(Shapes.Defaulted.self)
            try await expect(
                later.read("b"),
                is: Shaped("b", .text("two"), .integer(2), .text("new"), .integer(7)))
            try await expect(later.fetch().map { $0.values[3] }, is: [.integer(7), .integer(7)])
        },
        opening("opening.index", "A new index contains the stored records.") { trial in
            try await trial.fill()
            try await trial.shaped(Shapes.First.self).create(
                Shaped("c", .text("one"), .integer(9)))
            let later = try await trial.reopened().shaped(Shapes.Indexed.self)
            try await expect(
                later.find(index: 0, [.text("one")]).map(\.id.rawValue), is: ["c", "a"])
            try await later.create(Shaped("d", .text("one"), .integer(5)))
            try await expect(
                later.find(index: 0, [.text("one")]).map(\.id.rawValue), is: ["c", "d", "a"])
        },
        opening(
            "opening.unique", "A new unique index is enforced after the opening.",
            needs: [.uniqueIndexes]
        ) { trial in
            try await trial.fill()
            let later = try await trial.reopened().shaped(Shapes.Unique.self)
            try await expectError(.constraintViolated) {
                try await later.create(Shaped("c", .text("one"), .integer(3)))
            }
        },
        opening(
            "opening.uniqueBroken", "A new unique index that stored records violate throws.",
            needs: [.uniqueIndexes]
        ) { trial in
            try await trial.fill()
            try await trial.shaped(Shapes.First.self).create(
                Shaped("c", .text("one"), .integer(3)))
            try await trial.refuses(Shapes.Unique.self)
            try await expect(trial.reopened().shaped(Shapes.First.self).count(), is: 3)
        },
        opening("opening.renamedField", "A renamed field keeps its values.") { trial in
            try await trial.fill()
            let later = try await trial.reopened().shaped(Shapes.Renamed.self)
            try await expect(later.read("a"), is: Shaped("a", .text("one"), .integer(1)))
            let changed = Shaped<Shapes.Renamed>("a", .text("changed"), .integer(1))
            try await later.update(changed)
            let last = try await trial.reopened().shaped(Shapes.Renamed.self)
            try await expect(
                last.fetch(), is: [changed, Shaped("b", .text("two"), .integer(2))])
        },
        opening("opening.renamedTable", "A renamed table keeps its records.") { trial in
            try await trial.fill()
            let later = try await trial.reopened().shaped(Shapes.Moved.self)
            try await expect(later.read("b"), is: Shaped("b", .text("two"), .integer(2)))
            try await later.delete("a")
            try await expect(trial.reopened().shaped(Shapes.Moved.self).ids(), is: ["b"])
        },
        opening("opening.required", "A new required field throws `schemaMismatch` with its name.") {
            trial in
            try await trial.fill()
            let error = try await trial.refuses(Shapes.Required.self)
            try expect(
                error.message.contains("state"), "The message lacks the field: \(error.message)")
        },
        opening("opening.types", "A `schemaMismatch` lists all differences.") { trial in
            try await trial.fill()
            let error = try await trial.refuses(Shapes.Retyped.self)
            try expect(
                error.message.contains("title"), "The message lacks the field: \(error.message)")
            try expect(
                error.message.contains("size"), "The message lacks the field: \(error.message)")
        },
        opening("opening.untouched", "An opening that fails writes nothing.") { trial in
            try await trial.fill()
            try await trial.refuses(Shapes.Required.self)
            try await trial.refuses(Shapes.Retyped.self)
            let later = try await trial.reopened().shaped(Shapes.First.self)
            try await expect(
                later.fetch(),
                is: [
                    Shaped("a", .text("one"), .integer(1)), Shaped("b", .text("two"), .integer(2)),
                ])
            try await later.create(Shaped("c", .text("three"), .integer(3)))
        },
        opening("opening.newer", "An older program cannot open data of a newer one.") { trial in
            try await trial.fill()
            try await trial.reopened().shaped(Shapes.Defaulted.self).create(
                Shaped("c", .text("three"), .integer(3), .text("old"), .integer(1)))
            try await trial.refuses(Shapes.First.self)
            try await expect(trial.reopened().shaped(Shapes.Defaulted.self).count(), is: 3)
        },
        opening("opening.twoSets", "Two schemas with different names can share a store.") { trial in
            try await trial.fill()
            try await trial.notes.create(Note(id: "a", text: "a note"))
            let later = try await trial.reopened()
            try await expect(later.shaped(Shapes.First.self).count(), is: 2)
            try await expect(later.notes.count(), is: 1)
        },
    ]

    /// A behaviour of persistent stores, which are reopened with another schema.
    private static func opening(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .listing, .finders, .persistent] + needs,
            fileID: fileID, line: line, body)
    }
}

extension StoreTrial {
    /// Two records of the first version.
    fileprivate func fill() async throws {
        let things = shaped(Shapes.First.self)
        try await things.create(Shaped("a", .text("one"), .integer(1)))
        try await things.create(Shaped("b", .text("two"), .integer(2)))
    }

    /// Throws unless opening the reopened store with a shape fails.
    @discardableResult
    fileprivate func refuses<S: Shape>(_ shape: S.Type) async throws -> CRUDRepositoryError {
        let later = try await reopened().shaped(shape)
        return try await expectError(
            .schemaMismatch, saying: "The store can be opened with \(shape)."
        ) {
            try await later.context.open()
        }
    }
}
