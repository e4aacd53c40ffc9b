import Foundation
import StoredSchema
import Synchronization
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// The versions of a schema over the same documents.
@Suite("Migrations of documents")
struct DocumentMigrationTests {
    /// A format of documents.
    struct Format: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let transformer: any DataTransformer

        static let all = [
            Format(testDescription: "JSON", transformer: JSONDataTransformer()),
            Format(testDescription: "XML", transformer: XMLDataTransformer()),
            Format(testDescription: "binary", transformer: BinaryPropertyListDataTransformer()),
            Format(testDescription: "CBOR", transformer: CBORDataTransformer()),
            Format(
                testDescription: "Foundation's JSON",
                transformer: CoderDataTransformer(
                    JSONEncoder(), JSONDecoder(), formatExtension: "json")),
        ]
    }

    /// Each behaviour in the first format, and every fifth in each of the others; with `REPOSITORY_LONG=1` all in all.
    private static let inFormats: [(StoreBehaviour, Format)] = {
        let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
        return Format.all.enumerated().flatMap { index, format in
            StoreBehaviour.migrations.enumerated()
                .filter { isLong || index == 0 || $0.offset % 5 == index }
                .map { ($0.element, format) }
        }
    }()

    @Test("In files of every format", arguments: inFormats)
    func files(_ behaviour: StoreBehaviour, _ format: Format) async throws {
        try await require(behaviour) { place in
            FileSystemStore(
                directory: place.directory.appending(path: "store"),
                transformer: format.transformer)
        }
    }

    @Test("In user defaults", arguments: StoreBehaviour.migrations)
    func userDefaults(_ behaviour: StoreBehaviour) async throws {
        let suite = TemporarySuite()
        // One behaviour uses further places.
        let others = Mutex<[String: TemporarySuite]>([:])
        try await require(behaviour) { place in
            let name = others.withLock { others in
                if others.isEmpty { others[place.name] = suite }
                let own = others[place.name] ?? TemporarySuite()
                others[place.name] = own
                return own.name
            }
            return UserDefaultsStore(suiteName: name)
        }
    }

    @Test("Over the smallest driver", arguments: StoreBehaviour.migrations)
    func smallDriver(_ behaviour: StoreBehaviour) async throws {
        let drivers = Mutex<[String: SmallDriver]>([:])
        try await require(behaviour) { place in
            let driver = drivers.withLock { drivers in
                let driver = drivers[place.name] ?? SmallDriver()
                drivers[place.name] = driver
                return driver
            }
            return DocumentStore(driver, transformer: JSONDataTransformer())
        }
    }

    @Test("Removing a field rewrites no document, and using its name again rewrites all")
    func removal() async throws {
        typealias Noted = VersionedRecord<ThingVersions.Noted>
        typealias Bare = VersionedRecord<ThingVersions.Bare>
        typealias Reused = VersionedRecord<ThingVersions.Reused>
        let driver = SmallDriver()
        func records<S: VersionShape>(
            _ shape: S.Type, _ schema: StoreSchema
        ) -> VersionedRepository<S> {
            VersionedRepository(
                RepositoryContext(
                    store: DocumentStore(driver, transformer: JSONDataTransformer()),
                    schema: schema, fullScans: .allow))
        }
        var chain = VersionChain()
        chain.release([Noted.self])
        try await records(ThingVersions.Noted.self, try chain.schema([Noted.self]))
            .create(Noted("a", .text("old")))
        let before = driver.get("a", in: "things")
        let note = DataPath("things", ["note"])
        chain.release([Bare.self], [.remove(note)])
        let bare = try chain.schema([Bare.self])
        try await #expect(records(ThingVersions.Bare.self, bare).fetch() == [Bare("a")])
        #expect(driver.get("a", in: "things") == before)
        // Later openings keep the name of the removed field.
        try await #expect(records(ThingVersions.Bare.self, bare).fetch() == [Bare("a")])
        let description = try #require(try DescriptionNote(driver: driver).read(for: "Versions"))
        #expect(description.table("things")?.removedNames == ["note"])
        #expect(description.set("Versions")?.version == 2)
        chain.release(
            [Reused.self], [.add(note, .single("text"), isOptional: true, value: .null)])
        let reused = try chain.schema([Reused.self])
        try await #expect(
            records(ThingVersions.Reused.self, reused).fetch() == [Reused("a", .null)])
        #expect(driver.get("a", in: "things") != before)
        let last = try #require(try DescriptionNote(driver: driver).read(for: "Versions"))
        #expect(last.table("things")?.removedNames == nil)
        #expect(last.upgrade == nil)
    }

    /// Checks a behaviour, which must apply.
    private func require(
        _ behaviour: StoreBehaviour, _ make: @escaping StoreHarness.Make
    ) async throws {
        let outcome = try await behaviour.check(make)
        guard case .passed = outcome else {
            Issue.record("It does not apply: \(outcome)")
            return
        }
    }
}

/// A migration of documents that ends after any number of writes.
@Suite("Interrupted migrations of documents")
struct InterruptedMigrationTests {
    private typealias Thing = VersionedRecord<ThingVersions.Noted>
    private typealias Item = VersionedRecord<ThingVersions.Renamed>
    private typealias Other = VersionedRecord<ThingVersions.Other>
    private typealias First = BookVersions.First
    private typealias Third = BookVersions.Third

    /// The set before and after a version that converts, renames and removes tables.
    private struct Programs {
        let old: StoreSchema
        let new: StoreSchema

        init() throws {
            var chain = VersionChain()
            chain.release([First.self, Thing.self, Other.self])
            old = try chain.schema([First.self, Thing.self, Other.self])
            chain.release(
                [Third.self, Item.self],
                BookPrograms.toSecond + BookPrograms.toThird + [
                    .renameTable(from: "things", to: "items"), .removeTable("others"),
                ])
            new = try chain.schema(
                [Third.self, Item.self],
                functions: ["priceTo3": BookPrograms.price(CallCounter())])
        }
    }

    private func records<S: VersionShape>(
        _ shape: S.Type, _ driver: SmallDriver, _ schema: StoreSchema
    ) -> VersionedRepository<S> {
        VersionedRepository(
            RepositoryContext(
                store: DocumentStore(driver, transformer: JSONDataTransformer()), schema: schema,
                fullScans: .allow))
    }

    private func books(_ count: Int) -> [First] {
        (0..<count).map { number in
            First(
                "\(number)", .text("T"), .null, .integer(Int64(number)), .null,
                .text("\(number)"))
        }
    }

    @Test("At any write: the data is as before or as after, and the next program can use it")
    func everyWrite() async throws {
        let programs = try Programs()
        var (undone, done) = (0, 0)
        for number in 0... {
            let driver = SmallDriver()
            try await records(BookVersions.One.self, driver, programs.old).createAll(books(3))
            try await records(ThingVersions.Noted.self, driver, programs.old)
                .create(Thing("a", .text("x")))
            try await records(ThingVersions.Other.self, driver, programs.old)
                .create(Other("b", .null))
            driver.content.withLock { $0.writesLeft = number }
            var isFinished = true
            do {
                _ = try await records(BookVersions.Three.self, driver, programs.new).count()
            } catch {
                isFinished = false
            }
            driver.content.withLock { $0.writesLeft = nil }
            // What a program sees that starts now: the old one, unless the migration was done.
            do {
                let old = try await records(BookVersions.One.self, driver, programs.old).fetch()
                #expect(!isFinished)
                #expect(old == books(3), "\(number)")
                try await #expect(
                    records(ThingVersions.Noted.self, driver, programs.old).count() == 1)
                try await #expect(
                    records(ThingVersions.Other.self, driver, programs.old).count() == 1)
                undone += 1
            } catch let error as CRUDRepositoryError {
                #expect(error.code == .schemaMismatch, "\(number): \(error)")
                #expect(error.message.contains("newer program"), "\(number): \(error)")
                done += 1
            }
            let new = try await records(BookVersions.Three.self, driver, programs.new).fetch()
            #expect(new.map(\.id.rawValue) == ["0", "1", "2"], "\(number)")
            #expect(new.map { $0.values[1] } == [0, 1, 2].map { .decimal(Decimal($0) / 100) })
            try await #expect(
                records(ThingVersions.Renamed.self, driver, programs.new).fetch()
                    == [Item("a", .text("x"))])
            #expect(driver.keys(in: "others").isEmpty && driver.keys(in: "books").isEmpty)
            if isFinished { break }
        }
        #expect(undone > 5)
        #expect(done > 3)
    }

    @Test("At any write: the next attempt recognizes the file of what was set aside")
    func everyWriteWithSetAside() async throws {
        let programs = try Programs()
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let file = folder.url.appending(path: "aside.jsonl")
        var control = MigrationControl()
        control.unreadable = .setAside(file)
        func filled() async throws -> SmallDriver {
            let driver = SmallDriver()
            try await records(BookVersions.One.self, driver, programs.old).createAll(books(3))
            driver.content.withLock { $0.documents["books"]?[TextKey("1")] = Data("{".utf8) }
            return driver
        }
        let whole = try await filled()
        try await records(BookVersions.Three.self, whole, programs.new).context.migrate(control)
        let written = try Data(contentsOf: file)
        var (undone, isFinished, number) = (0, false, 0)
        while !isFinished {
            try? FileManager.default.removeItem(at: file)
            let driver = try await filled()
            driver.content.withLock { $0.writesLeft = number }
            do {
                try await records(BookVersions.Three.self, driver, programs.new)
                    .context.migrate(control)
                isFinished = true
            } catch {
                // A process that is killed leaves the file, which a failing one removes.
                try written.write(to: file)
            }
            driver.content.withLock { $0.writesLeft = nil }
            let old = try? await records(BookVersions.One.self, driver, programs.old).ids().count
            if old == 3 { undone += 1 }
            let new = records(BookVersions.Three.self, driver, programs.new)
            try await new.context.migrate(control)
            #expect(try await new.ids().map(\.rawValue) == ["0", "2"], "\(number)")
            #expect(try Data(contentsOf: file).split(separator: 10).count == 2, "\(number)")
            let description = try DescriptionNote(driver: driver).read(for: "Versions")
            #expect(description?.set("Versions")?.discardedAt == nil)
            number += 1
        }
        #expect(undone > 2)
    }
}
