internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema
internal import Synchronization

extension StoreTrial {
    /// The records of one version of a table, in the store opened with a schema.
    func versioned<S: VersionShape>(
        _ shape: S.Type, _ schema: StoreSchema
    ) -> VersionedRepository<S> {
        VersionedRepository(
            RepositoryContext(
                store: store, schema: schema, defaults: defaults, fullScans: .allow))
    }

    /// The same with a new store instance.
    func reopened<S: VersionShape>(
        _ shape: S.Type, _ schema: StoreSchema
    ) async throws -> VersionedRepository<S> {
        try await reopened().versioned(shape, schema)
    }
}

/// The released versions of books, and programs of each version.
struct BookPrograms: Sendable {
    typealias First = BookVersions.First
    typealias Second = BookVersions.Second
    typealias Third = BookVersions.Third

    static let toSecond: [DataChange] = [
        .remove(DataPath("books", ["subtitle"])),
        .require(DataPath("books", ["pages"]), value: .integer(0)),
        .add(
            DataPath("books", ["language"]), .single("text"), isOptional: false, value: .text("en")),
    ]

    static let toThird: [DataChange] = [
        .renameTable(from: "books", to: "volumes"),
        .rename(DataPath("volumes", ["title"]), to: "headline"),
        .convert(
            DataPath("volumes", ["rating"]), .single("int64"), isOptional: false,
            otherwise: .integer(0)),
        .convertByCode(
            DataPath("volumes", ["price"]), .single("decimal(2)"), isOptional: false,
            function: "priceTo3"),
    ]

    /// A program of version 1.
    static func first() throws -> StoreSchema {
        var chain = VersionChain()
        chain.release([First.self])
        return try chain.schema([First.self])
    }

    /// A program of version 2.
    static func second() throws -> StoreSchema {
        var chain = VersionChain()
        chain.release([First.self])
        chain.release([Second.self], toSecond)
        return try chain.schema([Second.self])
    }

    /// A program of version 3.
    static func third(_ price: @escaping MigrationFunction) throws -> StoreSchema {
        var chain = VersionChain()
        chain.release([First.self])
        chain.release([Second.self], toSecond)
        chain.release([Third.self], toThird)
        return try chain.schema([Third.self], functions: ["priceTo3": price])
    }

    /// A function that converts a price, and counts its calls for each record.
    static func price(_ calls: CallCounter) -> MigrationFunction {
        { old, new in
            calls.add(try old.value("id", as: String.self))
            new.set(Decimal(try old.value("price", as: Int.self)) / 100, "price")
            return true
        }
    }
}

/// Counts calls by record.
final class CallCounter: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func add(_ id: String) { counts.withLock { $0[id, default: 0] += 1 } }

    var all: [String: Int] { counts.withLock { $0 } }
}

extension StoreBehaviour {
    /// Versions of a schema over the same data, and what a program can ask of a migration.
    package static let migrations =
        recordMigrations + versionedData + migratedIDs + tableMigrations + migrationControl
        + tableMigrationControl + recordsSetAside + softDeleteMigrations + movedTables

    /// Changes of versions to tables, one by one.
    private static let recordMigrations: [StoreBehaviour] = [
        migration(
            "migrations.fill",
            "A version removes a field, fills a required one and adds one with a fill."
        ) { trial in
            try await trial.versioned(BookVersions.One.self, try BookPrograms.first())
                .createAll([
                    .init("a", .text("A"), .text("sub"), .integer(150), .integer(9), .text("7")),
                    .init("b", .text("B"), .null, .integer(2000), .null, .text("good")),
                ])
            let books = try await trial.reopened(BookVersions.Two.self, try BookPrograms.second())
            try await expect(
                books.fetch(),
                is: [
                    .init("a", .text("A"), .integer(150), .integer(9), .text("7"), .text("en")),
                    .init("b", .text("B"), .integer(2000), .integer(0), .text("good"), .text("en")),
                ])
            try await books.create(
                .init("c", .text("C"), .integer(1), .integer(1), .text("1"), .text("de")))
            let again = try await trial.reopened(BookVersions.Two.self, try BookPrograms.second())
            try await expect(again.count(), is: 3)
        },
        migration(
            "migrations.convert",
            "Values are converted by value and by a function, which is called once for each record."
        ) { trial in
            let calls = CallCounter()
            try await trial.fillFirst(60)
            let schema = try BookPrograms.third(BookPrograms.price(calls))
            let books = try await trial.reopened(BookVersions.Three.self, schema)
            let expected = (0..<60).map { number in
                BookVersions.Third(
                    name(number), .text("title \(number % 7)"), .decimal(Decimal(number) / 100),
                    .integer(number % 3 == 0 ? 0 : Int64(number)),
                    .integer(number % 5 == 0 ? 0 : Int64(number)), .text("en"))
            }
            try await expect(books.fetch(), is: expected)
            try expect(calls.all, is: Dictionary((0..<60).map { (name($0), 1) }) { $1 })
            let again = try await trial.reopened(BookVersions.Three.self, schema)
            try await expect(again.count(), is: 60)
            try expect(calls.all.values.allSatisfy { $0 == 1 }, "No function is called again.")
        },
        migration(
            "migrations.unicodeForms", "Records whose ids differ in Unicode form stay distinct."
        ) { trial in
            let ids = ["Zo\u{EB}", "Zoe\u{308}"]
            try await trial.versioned(BookVersions.One.self, try BookPrograms.first())
                .createAll(
                    ids.map { .init($0, .text($0), .null, .integer(1), .null, .text("1")) })
            let schema = try BookPrograms.third(BookPrograms.price(CallCounter()))
            let books = try await trial.reopened(BookVersions.Three.self, schema)
            for id in ids {
                let book = try await books.read(.init(id))
                try expect(
                    book.id.rawValue.unicodeScalars.elementsEqual(id.unicodeScalars), "\(id)")
            }
            try await expect(books.count(), is: 2)
        },
        migration(
            "migrations.twoSteps", "Data migrated version by version equals data migrated at once."
        ) { trial in
            try await trial.fillFirst(20)
            _ = try await trial.reopened(BookVersions.Two.self, try BookPrograms.second()).count()
            let schema = try BookPrograms.third(BookPrograms.price(CallCounter()))
            let books = try await trial.reopened(BookVersions.Three.self, schema).fetch()
            try await trial.fresh { other in
                try await other.fillFirst(20)
                try await expect(
                    other.reopened(BookVersions.Three.self, schema).fetch(), is: books)
            }
        },
        migration("migrations.dropped", "A function drops records.") { trial in
            try await trial.fillFirst(10)
            let schema = try BookPrograms.third { old, new in
                new.set(Decimal(1), "price")
                return try old.value("price", as: Int.self).isMultiple(of: 2)
            }
            let books = try await trial.reopened(BookVersions.Three.self, schema)
            try await expect(books.ids(), is: [0, 2, 4, 6, 8].map { .init(name($0)) })
        },
        migration(
            "migrations.failing",
            "After a failing function the data is as it was, and its program continues."
        ) { trial in
            struct Problem: Error {}
            try await trial.fillFirst(10)
            let before = try await trial.versioned(
                BookVersions.One.self, try BookPrograms.first()
            ).fetch()
            let schema = try BookPrograms.third { old, new in
                new.set(Decimal(1), "price")
                if try old.value("id", as: String.self) == name(7) { throw Problem() }
                return true
            }
            let error = try await expectError(.schemaMismatch) {
                try await trial.reopened(BookVersions.Three.self, schema).fetch()
            }
            try expect(error.message.contains(name(7)), "It names the record: \(error)")
            let books = try await trial.reopened(BookVersions.One.self, try BookPrograms.first())
            try await expect(books.fetch(), is: before)
            try await books.delete(.init(name(7)))
            let migrated = try await trial.reopened(BookVersions.Three.self, schema)
            try await expect(migrated.count(), is: 9)
        },
        migration(
            "migrations.rules", "A value that a function produced must satisfy the new rules."
        ) { trial in
            try await trial.fillFirst(30)
            let schema = try BookPrograms.third { _, new in
                new.set(Decimal(-777), "price")
                return true
            }
            let error = try await expectError(.schemaMismatch) {
                try await trial.reopened(BookVersions.Three.self, schema).fetch()
            }
            try expect(error.message.contains("'price'"), "It names the field: \(error)")
            try expect(error.message.contains("30 records"), "It counts them: \(error)")
            try expect(error.message.contains("'\(name(0))'"), "It names some: \(error)")
            try expect(!error.message.contains("777"), "It names no value: \(error)")
            let books = try await trial.reopened(BookVersions.One.self, try BookPrograms.first())
            try await expect(books.count(), is: 30)
        },
        migration("migrations.members", "Members of embedded values change, and lists.") { trial in
            typealias First = VersionedRecord<ShelfVersions.One>
            typealias Second = VersionedRecord<ShelfVersions.Two>
            var chain = VersionChain()
            chain.release([First.self])
            try await trial.versioned(ShelfVersions.One.self, try chain.schema([First.self]))
                .create(
                    First(
                        "a",
                        .object([
                            "room": .text("R"), "row": .integer(3), "old": .text("gone"),
                        ]), .text("t")))
            let place = DataPath("shelves", ["place"])
            chain.release(
                [Second.self],
                [
                    .rename(place.appending("room"), to: "hall"),
                    .convert(place.appending("row"), .single("text"), isOptional: false),
                    .remove(place.appending("old")),
                    .add(
                        place.appending("floor"), .single("int64"), isOptional: false,
                        value: .integer(1)),
                    .convert(
                        DataPath("shelves", ["tag"]),
                        .list(.single("text"), optionalElements: false), isOptional: false),
                ])
            let shelves = try await trial.reopened(
                ShelfVersions.Two.self, try chain.schema([Second.self]))
            try await expect(
                shelves.fetch(),
                is: [
                    Second(
                        "a",
                        .object([
                            "hall": .text("R"), "row": .text("3"), "floor": .integer(1),
                        ]), .list([.text("t")]))
                ])
        },
        migration("migrations.tables", "A version removes a table, and another reuses its name.") {
            trial in
            typealias Thing = VersionedRecord<ThingVersions.Noted>
            typealias Other = VersionedRecord<ThingVersions.Other>
            var chain = VersionChain()
            chain.release([Thing.self, Other.self])
            let first = try chain.schema([Thing.self, Other.self])
            try await trial.versioned(ThingVersions.Noted.self, first).create(
                Thing("a", .text("x")))
            try await trial.versioned(ThingVersions.Other.self, first).create(Other("b", .null))
            chain.release([Thing.self], [.removeTable("others")])
            let second = try chain.schema([Thing.self])
            try await expect(
                trial.reopened(ThingVersions.Noted.self, second).fetch(),
                is: [Thing("a", .text("x"))])
            chain.release([Thing.self, Other.self])
            let third = try chain.schema([Thing.self, Other.self])
            let others = try await trial.reopened(ThingVersions.Other.self, third)
            try await expect(others.fetch(), is: [])
            try await others.create(Other("c", .null))
            // From the first version at once.
            try await trial.fresh { trial in
                try await trial.versioned(ThingVersions.Other.self, first).create(Other("b", .null))
                try await expect(
                    trial.reopened(ThingVersions.Other.self, third).fetch(), is: [])
            }
        },
        migration(
            "migrations.renamed", "A version renames a table without a change of its records."
        ) { trial in
            typealias Thing = VersionedRecord<ThingVersions.Noted>
            typealias Item = VersionedRecord<ThingVersions.Renamed>
            var chain = VersionChain()
            chain.release([Thing.self])
            try await trial.versioned(ThingVersions.Noted.self, try chain.schema([Thing.self]))
                .create(Thing("a", .text("x")))
            chain.release([Item.self], [.renameTable(from: "things", to: "items")])
            let second = try chain.schema([Item.self])
            let items = try await trial.reopened(ThingVersions.Renamed.self, second)
            try await expect(items.fetch(), is: [Item("a", .text("x"))])
            // The earlier name belongs to a new table.
            chain.release([Item.self, Thing.self])
            let third = try chain.schema([Item.self, Thing.self])
            try await expect(
                trial.reopened(ThingVersions.Noted.self, third).fetch(), is: [])
            try await expect(
                trial.reopened(ThingVersions.Renamed.self, third).fetch(),
                is: [Item("a", .text("x"))])
        },
        migration(
            "migrations.chained", "A table gets the name of another one, which is renamed, too."
        ) { trial in
            typealias Thing = VersionedRecord<ThingVersions.Noted>
            typealias Item = VersionedRecord<ThingVersions.Items>
            typealias NewThing = VersionedRecord<ThingVersions.ThingsOfItems>
            typealias Renamed = VersionedRecord<ThingVersions.Renamed>
            var chain = VersionChain()
            chain.release([Thing.self, Item.self])
            let first = try chain.schema([Thing.self, Item.self])
            try await trial.versioned(ThingVersions.Noted.self, first).create(
                Thing("a", .text("thing")))
            try await trial.versioned(ThingVersions.Items.self, first).create(
                Item("b", .text("item")))
            chain.release(
                [Renamed.self, NewThing.self],
                [
                    .renameTable(from: "items", to: "others"),
                    .renameTable(from: "things", to: "items"),
                ])
            let second = try chain.schema([Renamed.self, NewThing.self])
            try await expect(
                trial.reopened(ThingVersions.Renamed.self, second).fetch(),
                is: [Renamed("a", .text("thing"))])
            try await expect(
                trial.reopened(ThingVersions.ThingsOfItems.self, second).fetch(),
                is: [NewThing("b", .text("item"))])
        },
        migration("migrations.reuse", "A name that is used again does not show old values.") {
            trial in
            typealias Noted = VersionedRecord<ThingVersions.Noted>
            typealias Bare = VersionedRecord<ThingVersions.Bare>
            typealias Reused = VersionedRecord<ThingVersions.Reused>
            let note = DataPath("things", ["note"])
            var chain = VersionChain()
            chain.release([Noted.self])
            try await trial.versioned(ThingVersions.Noted.self, try chain.schema([Noted.self]))
                .create(Noted("a", .text("old")))
            chain.release([Bare.self], [.remove(note)])
            try await expect(
                trial.reopened(ThingVersions.Bare.self, try chain.schema([Bare.self])).fetch(),
                is: [Bare("a")])
            chain.release(
                [Reused.self], [.add(note, .single("text"), isOptional: true, value: .null)])
            try await expect(
                trial.reopened(ThingVersions.Reused.self, try chain.schema([Reused.self])).fetch(),
                is: [Reused("a", .null)])
        },
    ]

    /// A behaviour of stores whose data outlives a program.
    static func migration(
        _ id: String, _ sentence: String, fileID: String = #fileID, line: Int = #line,
        _ body: @escaping @Sendable (StoreTrial) async throws -> Void
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence,
            needs: [.records, .listing, .batches, .persistent, .uniqueIndexes, .references],
            fileID: fileID, line: line, body)
    }

    private static func name(_ number: Int) -> String { "book-\(100 + number)" }
}

extension StoreTrial {
    /// Stores books of version 1.
    func fillFirst(_ count: Int) async throws {
        let books = versioned(BookVersions.One.self, try BookPrograms.first())
        try await books.createAll(
            (0..<count).map { number in
                let integer = Int64(number)
                return BookVersions.First(
                    "book-\(100 + number)", .text("title \(number % 7)"),
                    number.isMultiple(of: 2) ? .null : .text("subtitle"), .integer(integer),
                    number % 3 == 0 ? .null : .integer(integer),
                    .text(number % 5 == 0 ? "good" : "\(number)"))
            })
    }
}
