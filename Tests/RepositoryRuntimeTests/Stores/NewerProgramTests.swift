import Foundation
import StoredSchema
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// A program beside a newer one that has migrated the same documents.
@Suite("An older program beside a newer one")
struct NewerProgramTests {
    private typealias Thing = VersionedRecord<ThingVersions.Noted>
    private typealias Item = VersionedRecord<ThingVersions.Renamed>
    private typealias Counted = VersionedRecord<ThingVersions.Counted>
    private typealias Other = VersionedRecord<ThingVersions.Other>

    /// A place for stores, which exists as long as the object.
    final class Place: Sendable {
        let folder = TemporaryFolder()
        let suite = TemporarySuite()

        func store(_ kind: Kind) -> any EntityStore {
            switch kind {
            case .files: FileSystemStore(directory: folder.url)
            case .userDefaults: UserDefaultsStore(suiteName: suite.name)
            }
        }
    }

    enum Kind: String, CaseIterable, Sendable { case files, userDefaults }

    /// What the newer program does.
    enum Change: String, CaseIterable, Sendable {
        case renames, converts, adds

        fileprivate var steps: [DataChange] {
            switch self {
            case .renames: [.renameTable(from: "things", to: "items")]
            case .converts:
                [
                    .convert(
                        DataPath("things", ["note"]), .single("int64"), isOptional: false)
                ]
            case .adds: []
            }
        }

        fileprivate var entities: [any Entity.Type] {
            switch self {
            case .renames: [Item.self]
            case .converts: [Counted.self]
            case .adds: [Thing.self, Other.self]
            }
        }
    }

    private func programs(_ change: Change) throws -> (old: StoreSchema, new: StoreSchema) {
        var chain = VersionChain()
        chain.release([Thing.self])
        let old = try chain.schema([Thing.self])
        chain.release(change.entities, change.steps)
        return (old, try chain.schema(change.entities))
    }

    private func records<S: VersionShape>(
        _ shape: S.Type, _ store: any EntityStore, _ schema: StoreSchema
    ) -> VersionedRepository<S> {
        VersionedRepository(RepositoryContext(store: store, schema: schema, fullScans: .allow))
    }

    @Test("A reset removes nothing of the newer program", arguments: Kind.allCases, Change.allCases)
    func reset(_ kind: Kind, _ change: Change) async throws {
        let place = Place()
        let (old, new) = try programs(change)
        let running = records(ThingVersions.Noted.self, place.store(kind), old)
        try await running.create(Thing("a", .text("1")))
        let newer = place.store(kind)
        try await newer.open(new)
        if change == .adds {
            try await records(ThingVersions.Other.self, newer, new).create(Other("o", .null))
        }
        #expect(await errorCode { try await running.context.reset() } == .schemaMismatch)
        let raw = place.store(kind)
        #expect(await errorCode { try await raw.reset(old) } == .schemaMismatch)
        let started = records(ThingVersions.Noted.self, place.store(kind), old)
        #expect(await errorCode { try await started.context.reset() } == .schemaMismatch)
        let last = place.store(kind)
        switch change {
        case .renames:
            try await #expect(
                records(ThingVersions.Renamed.self, last, new).fetch() == [Item("a", .text("1"))])
        case .converts:
            try await #expect(
                records(ThingVersions.Counted.self, last, new).fetch() == [
                    Counted("a", .integer(1))
                ])
        case .adds:
            try await #expect(
                records(ThingVersions.Noted.self, last, new).fetch() == [Thing("a", .text("1"))])
            try await #expect(
                records(ThingVersions.Other.self, last, new).fetch() == [Other("o", .null)])
        }
        // The newer program itself may reset.
        try await records(ThingVersions.Other.self, last, new).context.reset()
    }

    @Test("A set without versions is not reset by the older program", arguments: Kind.allCases)
    func unversioned(_ kind: Kind) async throws {
        let place = Place()
        let old = StoreSchema("Things", [Thing.self])
        let new = StoreSchema("Things", [Thing.self, Other.self])
        let running = records(ThingVersions.Noted.self, place.store(kind), old)
        try await running.create(Thing("a", .text("1")))
        let newer = records(ThingVersions.Other.self, place.store(kind), new)
        try await newer.create(Other("o", .null))
        #expect(await errorCode { try await running.context.reset() } == .schemaMismatch)
        try await #expect(newer.fetch() == [Other("o", .null)])
    }

    /// The reads of a repository.
    private func reads(
        _ things: VersionedRepository<ThingVersions.Noted>
    ) -> [(String, @Sendable () async throws -> Void)] {
        [
            ("read", { _ = try await things.read("a") }),
            ("read of an absent one", { _ = try await things.read("zz") }),
            ("exists", { _ = try await things.exists("a") }),
            ("fetch", { _ = try await things.fetch() }),
            ("count", { _ = try await things.count() }),
            ("ids", { _ = try await things.context.store.ids(Thing.self) }),
            ("stream", { for try await _ in things.stream() {} }),
        ]
    }

    @Test(
        "A running program reads no empty tables", arguments: Kind.allCases,
        [Change.renames, .converts])
    func reading(_ kind: Kind, _ change: Change) async throws {
        let place = Place()
        let (old, new) = try programs(change)
        let running = records(ThingVersions.Noted.self, place.store(kind), old)
        try await running.create(Thing("a", .text("1")))
        for (name, read) in reads(running) where name != "read of an absent one" {
            #expect(await errorCode(read) == nil, "\(name)")
        }
        try await place.store(kind).open(new)
        for _ in 0..<2 {
            for (name, read) in reads(running) {
                #expect(await errorCode(read) == .schemaMismatch, "\(name)")
            }
        }
    }

    @Test(
        "A running program reads on after changes that do not concern it", arguments: Kind.allCases)
    func unconcerned(_ kind: Kind) async throws {
        let place = Place()
        let (old, new) = try programs(.adds)
        let running = records(ThingVersions.Noted.self, place.store(kind), old)
        try await running.create(Thing("a", .text("1")))
        try await place.store(kind).open(new)
        try await place.store(kind).open(StoreSchema("Another", [Counted2.self]))
        for (name, read) in reads(running) where name != "read of an absent one" {
            #expect(await errorCode(read) == nil, "\(name)")
        }
        // A set that was reset has no records.
        let newer = records(ThingVersions.Other.self, place.store(kind), new)
        try await newer.context.reset()
        try await #expect(running.count() == 0)
        #expect(await errorCode { try await running.read("a") } == .recordNotFound)
    }
}

/// A record of another set.
private typealias Counted2 = VersionedRecord<AnotherShape>

private enum AnotherShape: VersionShape {
    static let table = make("another") { $0.field("note", .text) }
}
