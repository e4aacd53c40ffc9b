import Foundation
import RepositoryRuntime
import RepositorySQLite
import StoredSchema
import Testing

@testable import RepositoryTesting

@Suite("checkMigrations", .timeLimit(.minutes(60)))
struct CheckMigrationTests {
    static let sqlite = StoreHarness { place in HouseSQL.store(place) }
    static let files = StoreHarness { place in FileSystemStore(directory: place.directory) }

    @Test("passes for a hand-written set, on files of every format, user defaults and SQLite")
    func written() async throws {
        let report = try await checkMigrations(
            VersionedBooks.self, migrations: .init(),
            stores: StoreHarness.persistentStores + [Self.sqlite],
            records: 12)
        #expect(report.versions == [1, 2, 3])
        #expect(report.stores.count == 6)
        #expect(report.records == 6 * 3 * 12)
        #expect(report.calls == 6 * 2 * 12)
        #expect(report.leftOut == [:])
    }

    @Test("writes and reads every type, rule, index and reference")
    func everyType() async throws {
        var chain = VersionChain("Conformance")
        chain.release(Conformance.schema.entities)
        let schema = try chain.schema(Conformance.schema.entities)
        let stores =
            [Self.sqlite, StoreHarness { _ in InMemoryStore() }] + StoreHarness.persistentStores
        let report = try await MigrationCheck(schema, stores: stores, records: 8, seed: 1).run()
        print(report)
        #expect(report.stores.count == 5)
        // Memory does not keep data, and user defaults have no external data.
        #expect(report.skippedStores.count == 2)
        #expect(report.records > 5 * 8 * (schema.tables.count - 2))
    }

    @Test("repeats a run with the same seed, and not with another")
    func seeds() throws {
        func rows(_ seed: UInt64) throws -> [String: [[StoredValue]]] {
            let library = try ReleasedSchemas.library()
            let history = library.history
            let program = try OldProgram(
                1, tables: try #require(history.tables(of: 1)), history, name: "Library")
            let schema = library.schema(ReleasedSchemas.functions)
            let changes = history.changes(after: 1).map(\.changes)
            return try OldRecords(
                of: program, changes: changes,
                MigrationModel(
                    program.tables.map(\.stored), changes: changes, to: schema, schema.functions),
                PresentTables(schema: schema, hasWholeSeconds: false), count: 20,
                RandomValues(source: SeededGenerator(seed: seed), hasWholeSeconds: false)
            ).rows
        }
        let first = try rows(7)
        #expect(try rows(7) == first)
        #expect(try rows(8) != first)
    }

    @Test(
        "finds strings for patterns",
        arguments: ["[A-Z]{2}-\\d+", "(ab|c)*x?", "[^a-z]{3}", "\\w+@\\w+\\.org", "é{2,}", "."])
    func patterns(pattern: String) throws {
        var source = SeededGenerator(seed: 1)
        for _ in 0..<50 {
            let text = try #require(RandomText.matching(pattern, using: &source))
            #expect(TextPattern(pattern).matches(text))
        }
    }

    @Test("passes for the versions of a library", arguments: [true, false])
    func library(isReleased: Bool) async throws {
        let library = try ReleasedSchemas.library(isReleased: isReleased)
        #expect(library.functions == Set(ReleasedSchemas.functions.keys))
        let schema = library.schema(ReleasedSchemas.functions)
        let report = try await MigrationCheck(
            schema, stores: [Self.sqlite, Self.files], records: 60, seed: 5
        ).run()
        print(report)
        #expect(report.versions == (isReleased ? [1, 2, 3, 4] : [1, 2, 3]))
        // Five tables in the first two versions, and four in the others.
        #expect(report.records == 2 * 60 * (isReleased ? 18 : 14))
        #expect(report.leftOut == [:])
    }

    @Test("passes for values that become cases of an enum of the same raw type, and the reverse")
    func enums() async throws {
        let declarations = """
            ---
            enum: Kind
            cases: [a, b]
            ---
            enum: Sort
            cases: [a: x, c: y]
            ---
            enum: Rank
            type: Int
            cases: [a: 1, c: 5]
            ---
            value: Place
            fields: { kind: String }
            """
        let schemas = try ReleasedSchemas([
            """
            entity: Note
            fields:
              text: { type: String, maxLength: 2 }
              number: Int?
              list: "[String]"
              raw: Kind
              kind: Kind
              rank: Rank
              code: Kind
              moved: Kind?

            """ + declarations,
            """
            entity: Note
            fields:
              text: { type: Kind, convert: { value, otherwise: b } }
              number: { type: Rank, convert: { value, otherwise: c } }
              list: { type: "[Kind]", convert: { value, otherwise: [b] } }
              raw: { type: String, convert: value }
              kind: { type: Sort, convert: { value, otherwise: c } }
              rank: { type: Sort, convert: { value, otherwise: c } }
              code: { type: Sort, convert: code }
              moved: { type: Rank?, convert: { value, otherwise: c } }

            """ + declarations,
        ])
        #expect(schemas.functions == ["noteCodeTo2"])
        let schema = schemas.schema([
            "noteCodeTo2": { old, new in
                let kind: String = try old.value("code")
                new.set(kind == "a" ? "y" : "x", "code")
                return true
            }
        ])
        let report = try await MigrationCheck(
            schema, stores: [Self.sqlite, Self.files], records: 40, seed: 2
        ).run()
        #expect(report.leftOut == [:])
        #expect(report.calls == 2 * 40)
    }

    @Test("passes for ids that change by functions, and references to them")
    func ids() async throws {
        let museum = try ReleasedSchemas.museum()
        #expect(museum.functions == Set(ReleasedSchemas.museumFunctions.keys))
        let schema = museum.schema(ReleasedSchemas.museumFunctions)
        let report = try await MigrationCheck(
            schema, stores: [Self.sqlite, Self.files], records: 40, seed: 9
        ).run()
        print(report)
        #expect(report.versions == [1, 2, 3])
    }
}
