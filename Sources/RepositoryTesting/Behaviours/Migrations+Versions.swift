internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema
internal import Synchronization

extension StoreBehaviour {
    /// The version that data has, and what a version asks of all records.
    static let versionedData: [StoreBehaviour] = [
        migration("migrations.unnumbered", "Data without a version number is found by its shape.") {
            trial in
            let plain = StoreSchema("Versions", [BookVersions.First.self])
            try await trial.versioned(BookVersions.One.self, plain).create(
                .init("a", .text("A"), .text("sub"), .integer(150), .integer(9), .text("7")))
            let schema = try BookPrograms.third(BookPrograms.price(CallCounter()))
            try await expect(
                trial.reopened(BookVersions.Three.self, schema).fetch(),
                is: [
                    .init(
                        "a", .text("A"), .decimal(Decimal(150) / 100), .integer(9), .integer(7),
                        .text("en"))
                ])
        },
        migration("migrations.newer", "An older program refuses data of a newer version.") {
            trial in
            try await trial.fillFirst(3)
            let schema = try BookPrograms.third(BookPrograms.price(CallCounter()))
            _ = try await trial.reopened(BookVersions.Three.self, schema).count()
            let error = try await expectError(.schemaMismatch) {
                try await trial.reopened(BookVersions.Two.self, try BookPrograms.second()).fetch()
            }
            try expect(error.message.contains("newer program"), "It says so: \(error)")
        },
        migration(
            "migrations.running",
            "A program that is running during a migration writes nothing of the old form."
        ) { trial in
            let old = trial.versioned(BookVersions.One.self, try BookPrograms.first())
            try await trial.fillFirst(3)
            try await expect(old.count(), is: 3)
            let schema = try BookPrograms.second()
            _ = try await trial.reopened(BookVersions.Two.self, schema).count()
            try await expectError(.schemaMismatch) {
                try await old.create(
                    .init("z", .text("Z"), .null, .integer(1), .null, .text("1")))
            }
            try await expect(
                trial.reopened(BookVersions.Two.self, schema).count(), is: 3)
        },
        migration(
            "migrations.recomputed",
            "A program that is running is refused after a change of values that keeps the shape."
        ) { trial in
            typealias Thing = VersionedRecord<ThingVersions.Noted>
            var chain = VersionChain()
            chain.release([Thing.self])
            let old = trial.versioned(ThingVersions.Noted.self, try chain.schema([Thing.self]))
            try await old.create(Thing("a", .text("x")))
            let table = StoredTable(ThingVersions.Noted.table, in: StoreSchema("", [Thing.self]))
            chain.release(
                [Thing.self], [.records("things", fields: table.fields, function: "double")])
            let schema = try chain.schema(
                [Thing.self],
                functions: [
                    "double": { old, new in
                        let text = try old.value("note", as: String.self)
                        new.set(text + text, "note")
                        return true
                    }
                ])
            let new = try await trial.reopened(ThingVersions.Noted.self, schema)
            try await expect(new.fetch(), is: [Thing("a", .text("xx"))])
            try await expectError(.schemaMismatch) { try await old.create(Thing("b", .text("y"))) }
            let again = try await trial.reopened(ThingVersions.Noted.self, schema)
            try await expect(again.fetch(), is: [Thing("a", .text("xx"))])
        },
        migration("migrations.unreleased", "Data of an unreleased schema is taken if that is safe.")
        { trial in
            typealias Noted = VersionedRecord<ThingVersions.Noted>
            typealias Counted = VersionedRecord<ThingVersions.Counted>
            var chain = VersionChain()
            chain.release([VersionedRecord<ThingVersions.Bare>.self])
            // A developer's machine: the note is not released.
            let noted = try chain.schema([Noted.self], unreleased: [])
            try await trial.versioned(ThingVersions.Noted.self, noted).create(
                Noted("a", .text("x")))
            let again = try await trial.reopened(ThingVersions.Noted.self, noted)
            try await expect(again.count(), is: 1)
            let error = try await expectError(.schemaMismatch) {
                try await trial.reopened(
                    ThingVersions.Counted.self, try chain.schema([Counted.self], unreleased: [])
                ).fetch()
            }
            try expect(error.message.contains("unreleased"), "It says so: \(error)")
            chain.release([Noted.self])
            try await expect(
                trial.reopened(ThingVersions.Noted.self, try chain.schema([Noted.self])).count(),
                is: 1)
        },
        migration(
            "migrations.side", "Data of a version that escaped is migrated without functions."
        ) {
            trial in
            typealias Noted = VersionedRecord<ThingVersions.Noted>
            typealias Unique = VersionedRecord<ThingVersions.Unique>
            typealias Bare = VersionedRecord<ThingVersions.Bare>
            var chain = VersionChain()
            chain.release([Noted.self])
            // It never had a version number.
            let escaped = StoreSchema("Versions", [Unique.self])
            try await trial.versioned(ThingVersions.Unique.self, escaped)
                .create(Unique("a", .text("x")))
            chain.release([Bare.self], [.remove(DataPath("things", ["note"]))])
            try await expectError(.schemaMismatch) {
                try await trial.reopened(
                    ThingVersions.Bare.self, try chain.schema([Bare.self])
                ).fetch()
            }
            chain.escape([Unique.self])
            try await expect(
                trial.reopened(ThingVersions.Bare.self, try chain.schema([Bare.self])).fetch(),
                is: [Bare("a")])
        },
        migration("migrations.shared", "A table that another set shares is not migrated.") {
            trial in
            typealias Noted = VersionedRecord<ThingVersions.Noted>
            typealias Bare = VersionedRecord<ThingVersions.Bare>
            typealias Other = VersionedRecord<ThingVersions.Other>
            var chain = VersionChain()
            chain.release([Noted.self, Other.self])
            let first = try chain.schema([Noted.self, Other.self])
            let things = trial.versioned(ThingVersions.Noted.self, first)
            try await things.create(Noted("a", .text("x")))
            let sharing = StoreSchema("Sharing", [Noted.self])
            try await expect(
                trial.reopened(ThingVersions.Noted.self, sharing).count(), is: 1)
            chain.release(
                [Bare.self, Other.self], [.remove(DataPath("things", ["note"]))])
            let error = try await expectError(.schemaMismatch) {
                try await trial.reopened(
                    ThingVersions.Bare.self, try chain.schema([Bare.self, Other.self])
                ).fetch()
            }
            try expect(error.message.contains("Sharing"), "It names the set: \(error)")
            try await expect(
                trial.reopened(ThingVersions.Noted.self, first).fetch(),
                is: [Noted("a", .text("x"))])
        },
        migration("migrations.unique", "A new unique index must hold for the stored records.") {
            trial in
            typealias Noted = VersionedRecord<ThingVersions.Noted>
            typealias Unique = VersionedRecord<ThingVersions.Unique>
            var chain = VersionChain()
            chain.release([Noted.self])
            let things = trial.versioned(ThingVersions.Noted.self, try chain.schema([Noted.self]))
            try await things.createAll([
                Noted("a", .text("x")), Noted("b", .text("x")), Noted("c", .text("y")),
            ])
            let text = try chain.schema([Noted.self])
            chain.release([Unique.self])
            let schema = try chain.schema([Unique.self])
            try await expectError(.schemaMismatch) {
                try await trial.reopened(ThingVersions.Unique.self, schema).fetch()
            }
            let old = try await trial.reopened(ThingVersions.Noted.self, text)
            try await old.delete(.init("b"))
            try await expect(
                trial.reopened(ThingVersions.Unique.self, schema).count(), is: 2)
        },
        migration("migrations.reference", "A new reference must hold for the stored records.") {
            trial in
            typealias Thing = VersionedRecord<ThingVersions.Bare>
            typealias Other = VersionedRecord<ThingVersions.Other>
            typealias Referring = VersionedRecord<ThingVersions.Referring>
            var chain = VersionChain()
            chain.release([Thing.self, Other.self])
            let first = try chain.schema([Thing.self, Other.self])
            try await trial.versioned(ThingVersions.Bare.self, first).create(Thing("a"))
            try await trial.versioned(ThingVersions.Other.self, first).createAll([
                Other("b", .text("a")), Other("c", .text("nobody")), Other("d", .null),
            ])
            chain.release([Thing.self, Referring.self])
            let second = try chain.schema([Thing.self, Referring.self])
            let error = try await expectError(.schemaMismatch) {
                try await trial.reopened(ThingVersions.Referring.self, second).fetch()
            }
            try expect(error.message.contains("'c'"), "It names the record: \(error)")
            let old = try await trial.reopened(ThingVersions.Other.self, first)
            try await old.delete(.init("c"))
            let new = try await trial.reopened(ThingVersions.Referring.self, second)
            try await expect(new.count(), is: 2)
            try await expectError(.constraintViolated) {
                try await new.create(Referring("e", .text("nobody")))
            }
        },
    ]
}
