internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Several sets in one store, and programs that have it open while another one changes its schema.
    static let sets: [StoreBehaviour] = [
        sets("sets.shared", "Two sets that describe a table alike share its records.") { trial in
            let one = trial.shaped(Shapes.First.self, set: "One")
            let two = trial.shaped(Shapes.First.self, set: "Two")
            try await one.create(Shaped("a", .text("one"), .integer(1)))
            try await two.create(Shaped("b", .text("two"), .integer(2)))
            try await expect(one.ids(), is: ["a", "b"])
            try await expect(two.read("a"), is: Shaped("a", .text("one"), .integer(1)))
        },
        sets(
            "sets.otherwise",
            "A set that describes a table of another set otherwise is a schemaMismatch that names it."
        ) { trial in
            let one = trial.shaped(Shapes.First.self, set: "One")
            try await one.create(Shaped("a", .text("one"), .integer(1)))
            let retyped = trial.shaped(Shapes.Retyped.self, set: "Two")
            let error = try await expectError(.schemaMismatch) { try await retyped.context.open() }
            try expect(error.message.contains("One"), "It says: \(error.message)")
            let optional = trial.shaped(Shapes.Optional.self, set: "Three")
            try await expectError(.schemaMismatch) { try await optional.context.open() }
            try await expect(one.fetch(), is: [Shaped("a", .text("one"), .integer(1))])
        },
        lasting(
            "sets.otherwiseLater",
            "A set never takes over a table of other types, however it is called."
        ) { trial in
            let one = trial.shaped(Shapes.First.self, set: "One")
            try await one.create(Shaped("a", .text("one"), .integer(1)))
            let later = try await trial.reopened()
            let two = later.shaped(Shapes.Retyped.self, set: "Two")
            try await expectError(.schemaMismatch) { try await two.context.open() }
            let last = try await trial.reopened().shaped(Shapes.First.self, set: "One")
            try await expect(last.fetch(), is: [Shaped("a", .text("one"), .integer(1))])
        },
        lasting("sets.renamed", "A set under another name finds its records, and is compared.") {
            trial in
            let one = trial.shaped(Shapes.First.self, set: "One")
            try await one.create(Shaped("a", .text("one"), .integer(1)))
            let required = try await trial.reopened().shaped(Shapes.Required.self, set: "Two")
            try await expectError(.schemaMismatch) { try await required.context.open() }
            let renamed = try await trial.reopened().shaped(Shapes.Moved.self, set: "Three")
            try await expect(renamed.read("a"), is: Shaped("a", .text("one"), .integer(1)))
        },
        lasting("sets.upgradeShared", "One set alone does not upgrade a table that it shares.") {
            trial in
            var other = EntityTable("others", entity: "Other")
            other.field("id", .text, key: true)
            let one = trial.shaped(Shapes.First.self, with: [other], set: "One")
            let two = trial.shaped(Shapes.First.self, set: "Two")
            try await one.create(Shaped("a", .text("one"), .integer(1)))
            try await expect(two.count(), is: 1)
            let later = try await trial.reopened().shaped(Shapes.Optional.self, set: "Two")
            let error = try await expectError(.schemaMismatch) { try await later.context.open() }
            try expect(error.message.contains("One"), "It says: \(error.message)")
            let last = try await trial.reopened().shaped(
                Shapes.First.self, with: [other], set: "One")
            try await expect(last.count(), is: 1)
        },
        sets("sets.reset", "The reset of a set leaves the tables of other sets.", needs: [.reset]) {
            trial in
            try await trial.notes.create(Note(id: "n", text: "a note"))
            let one = trial.shaped(Shapes.First.self, set: "One")
            try await one.create(Shaped("a", .text("one"), .integer(1)))
            try await one.context.reset()
            try await expect(trial.notes.ids(), is: ["n"])
            try await expect(one.count(), is: 0)
            try await one.create(Shaped("b", .text("two"), .integer(2)))
            try await trial.repositories.reset()
            try await expect(one.ids(), is: ["b"])
        },
        sets(
            "sets.resetShared", "The reset of a set leaves the records of a table that it shares.",
            needs: [.reset]
        ) { trial in
            let one = trial.shaped(Shapes.First.self, set: "One")
            let two = trial.shaped(Shapes.First.self, set: "Two")
            try await one.create(Shaped("a", .text("one"), .integer(1)))
            try await expect(two.count(), is: 1)
            try await two.context.reset()
            try await expect(one.ids(), is: ["a"])
            try await one.context.reset()
            try await expect(one.count(), is: 0)
        },
        lasting(
            "sets.resetElsewhere",
            "After another store has reset a set, its records are gone for all.",
            needs: [.reset, .multipleProcesses]
        ) { trial in
            let one = trial.shaped(Shapes.First.self, set: "One")
            try await one.create(Shaped("a", .text("one"), .integer(1)))
            let other = try await trial.reopened().shaped(Shapes.First.self, set: "One")
            try await other.context.reset()
            try await other.create(Shaped("b", .text("two"), .integer(2)))
            try await one.create(Shaped("c", .text("three"), .integer(3)))
            try await expect(other.ids(), is: ["b", "c"])
        },
        lasting(
            "sets.olderProgram",
            "A running older program writes no record after a newer one has renamed a field.",
            needs: [.multipleProcesses]
        ) { trial in
            let older = trial.shaped(Shapes.First.self)
            try await older.create(Shaped("a", .text("one"), .integer(1)))
            let newer = try await trial.reopened().shaped(Shapes.Renamed.self)
            try await newer.create(Shaped("b", .text("two"), .integer(2)))
            try await expectError(.schemaMismatch) {
                try await older.update(Shaped("b", .text("lost"), .integer(9)))
            }
            try await expectError(.schemaMismatch) {
                try await older.create(Shaped("c", .text("lost"), .integer(9)))
            }
            try await expectError(.schemaMismatch) { try await older.delete("b") }
            try await expect(
                newer.fetch(),
                is: [
                    Shaped("a", .text("one"), .integer(1)), Shaped("b", .text("two"), .integer(2)),
                ])
        },
        lasting(
            "sets.olderProgramLater",
            "A running older program that opens another set later still writes no record after a newer one has renamed a field.",
            needs: [.multipleProcesses]
        ) { trial in
            let older = trial.shaped(Shapes.First.self)
            try await older.create(Shaped("a", .text("one"), .integer(1)))
            let newer = try await trial.reopened().shaped(Shapes.Renamed.self)
            try await newer.create(Shaped("b", .text("two"), .integer(2)))
            _ = try await trial.notes.ids()
            try await expectError(.schemaMismatch) {
                try await older.update(Shaped("b", .text("lost"), .integer(9)))
            }
            try await expect(newer.read("b"), is: Shaped("b", .text("two"), .integer(2)))
        },
        lasting(
            "sets.olderFields",
            "A running older program takes no field from a record of a newer one.",
            needs: [.multipleProcesses]
        ) { trial in
            let older = trial.shaped(Shapes.First.self)
            try await older.create(Shaped("a", .text("one"), .integer(1)))
            let newer = try await trial.reopened().shaped(Shapes.Optional.self)
            let record = Shaped<Shapes.Optional>("a", .text("two"), .integer(2), .text("new"))
            try await newer.update(record)
            do {
                try await older.update(Shaped("a", .text("three"), .integer(3)))
            } catch let error as CRUDRepositoryError where error.code == .schemaMismatch {
                // A store that writes whole records must refuse.
            }
            try await expect(newer.read("a").values[2], is: .text("new"))
        },
        lasting(
            "sets.elsewhere", "A running program goes on after another one has opened another set.",
            needs: [.multipleProcesses]
        ) { trial in
            let one = trial.shaped(Shapes.First.self, set: "One")
            try await one.create(Shaped("a", .text("one"), .integer(1)))
            try await trial.reopened().notes.create(Note(id: "n", text: "a note"))
            try await one.create(Shaped("b", .text("two"), .integer(2)))
            try await expect(one.count(), is: 2)
        },
    ]

    private static func sets(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .listing, .finders] + needs, fileID: fileID,
            line: line, body)
    }

    private static func lasting(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        sets(
            id, sentence, needs: [.persistent] + needs, fileID: fileID, line: line, body)
    }
}
