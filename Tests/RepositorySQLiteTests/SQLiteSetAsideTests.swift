import Foundation
import RepositorySQLite
import StoredSchema
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// Migrations that go on without records that cannot be migrated.
@Suite("Records set aside by migrations in SQLite", .timeLimit(.minutes(60)))
struct SQLiteSetAsideTests {
    private typealias First = BookVersions.First

    private func repository<S: VersionShape>(
        _ shape: S.Type, _ path: String, _ schema: StoreSchema
    ) -> VersionedRepository<S> {
        VersionedRepository(
            RepositoryContext(store: SQLiteStore(path: path), schema: schema, fullScans: .allow))
    }

    private func migrate(_ path: String, _ schema: StoreSchema, aside url: URL) async throws {
        var control = MigrationControl()
        control.unreadable = .setAside(url)
        let context = RepositoryContext(store: SQLiteStore(path: path), schema: schema)
        for try await _ in MigrationRun(context, control) {}
    }

    private func lines(_ url: URL) throws -> [[String: Any]] {
        let text = try String(contentsOf: url, encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        }
    }

    private func fill(_ path: String) async throws {
        try await repository(BookVersions.One.self, path, BookPrograms.first()).createAll(
            (0..<9).map { number in
                First(
                    "book-\(number)", .text("title"), .null, .integer(Int64(number)), .null,
                    .text("\(number)"))
            })
    }

    @Test func keepsTheOthers() async throws {
        struct Problem: Error {}
        try await withFolder { folder in
            let path = folder + "/books.sqlite"
            let url = URL(filePath: folder + "/aside.jsonl")
            try await fill(path)
            // A value of another type, which another program has written.
            let plain = try PlainDatabase(path)
            try plain.run("PRAGMA ignore_check_constraints = ON")
            try plain.run("UPDATE books SET rating = 'bad' || x'ff' WHERE id = 'book-1'")
            let schema = try BookPrograms.third { old, new in
                switch try old.value("id", as: String.self) {
                case "book-2": throw Problem()
                case "book-3": new.set(Decimal(-1), "price")
                default: new.set(Decimal(1), "price")
                }
                return true
            }
            let error = try await expectError(.schemaMismatch) {
                _ = try await repository(BookVersions.Three.self, path, schema).count()
            }
            #expect(!error.message.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: url.path))
            try await migrate(path, schema, aside: url)
            let ids = try await repository(BookVersions.Three.self, path, schema).ids()
            #expect(ids.map(\.rawValue) == [0, 4, 5, 6, 7, 8].map { "book-\($0)" })
            let lines = try lines(url)
            #expect(lines.first?["set"] as? String == "Versions")
            #expect(lines.first?["from"] as? String == "version 1")
            #expect(lines.dropFirst().map { $0["id"] as? String } == (1...3).map { "book-\($0)" })
            let bytes = (lines[1]["columns"] as? [String: Any])?["rating"] as? [String: String]
            #expect(
                bytes?["base64"].flatMap { Data(base64Encoded: $0) } == Data("bad".utf8) + [0xFF])
            for line in lines.dropFirst() {
                #expect(line["table"] as? String == "books")
                #expect((line["reason"] as? String)?.isEmpty == false)
                let columns = line["columns"] as? [String: Any]
                #expect((line["id"] as? String) == (columns?["price"] as? Int).map { "book-\($0)" })
                #expect(columns?["subtitle"] is NSNull)
            }
            let mode = try FileManager.default.attributesOfItem(atPath: url.path)
            #expect(mode[.posixPermissions] as? Int == 0o600)
            #expect(!FileManager.default.fileExists(atPath: url.path + ".unfinished"))
        }
    }

    @Test func failsWholeWithoutAFile() async throws {
        try await withFolder { folder in
            let path = folder + "/books.sqlite"
            try await fill(path)
            let schema = try BookPrograms.third { _, new in
                new.set(Decimal(-1), "price")
                return true
            }
            // A file that is not of this migration.
            let url = URL(filePath: folder + "/aside.jsonl")
            #expect(
                FileManager.default.createFile(atPath: url.path, contents: Data("mine\n".utf8)))
            _ = try await expectError(.databaseError) {
                try await migrate(path, schema, aside: url)
            }
            #expect(FileManager.default.contents(atPath: url.path) == Data("mine\n".utf8))
            // A folder that does not exist.
            _ = try await expectError(.databaseError) {
                try await migrate(path, schema, aside: URL(filePath: folder + "/no/aside"))
            }
            let old = repository(BookVersions.One.self, path, try BookPrograms.first())
            #expect(try await old.count() == 9)
            // The file of a process that ended before its commit is replaced.
            try FileManager.default.removeItem(at: url)
            try FileManager.default.copyItem(atPath: path, toPath: folder + "/copy.sqlite")
            try await migrate(path, schema, aside: url)
            #expect(try lines(url).count == 10)
            try await migrate(folder + "/copy.sqlite", schema, aside: url)
            #expect(try lines(url).count == 10)
            // Nothing is left to migrate: the file is no obstacle.
            try await migrate(path, schema, aside: url)
        }
    }

    @Test func followsReferences() async throws {
        typealias Thing = VersionedRecord<ThingVersions.Noted>
        typealias Other = VersionedRecord<ThingVersions.Referring>
        typealias Part = VersionedRecord<PartShape>
        var chain = VersionChain()
        chain.release([Thing.self, Other.self, Part.self])
        let first = try chain.schema([Thing.self, Other.self, Part.self])
        chain.release(
            [Thing.self, Other.self, Part.self],
            [
                .records(
                    "things",
                    fields: StoredTable(ThingVersions.Noted.table, in: first).fields,
                    function: "check")
            ])
        struct Problem: Error {}
        let second = try chain.schema(
            [Thing.self, Other.self, Part.self],
            functions: [
                "check": { old, new in
                    let note = try old.value("note", as: String.self)
                    if note == "bad" { throw Problem() }
                    new.set(note, "note")
                    return true
                }
            ])
        try await withFolder { folder in
            let path = folder + "/things.sqlite"
            let url = URL(filePath: folder + "/aside.jsonl")
            try await repository(ThingVersions.Noted.self, path, first).createAll([
                Thing("good", .text("good")), Thing("bad", .text("bad")),
            ])
            try await repository(ThingVersions.Referring.self, path, first).createAll([
                Other("a", .text("good")), Other("b", .text("bad")),
            ])
            let parts = repository(PartShape.self, path, first)
            try await parts.createAll([
                Part("p", .text("good"), .null), Part("q", .text("bad"), .null),
            ])
            try await parts.create(Part("r", .text("good"), .text("q")))
            try await migrate(path, second, aside: url)
            #expect(
                try await repository(ThingVersions.Noted.self, path, second).ids().map(\.rawValue)
                    == ["good"])
            #expect(
                try await repository(ThingVersions.Referring.self, path, second).fetch()
                    == [Other("a", .text("good")), Other("b", .null)])
            // 'q' requires the thing, and is a required part of 'r' only by its optional reference.
            #expect(
                try await repository(PartShape.self, path, second).fetch()
                    == [Part("p", .text("good"), .null), Part("r", .text("good"), .null)])
            let lines = try lines(url).dropFirst()
            #expect(lines.map { $0["id"] as? String } == ["bad", "q"])
            #expect((lines.last?["reason"] as? String)?.contains("'things'") == true)
        }
    }

    @Test func resolvesDuplicates() async throws {
        typealias Old = VersionedRecord<ThingVersions.Noted>
        typealias New = VersionedRecord<ThingVersions.Unique>
        var chain = VersionChain()
        chain.release([Old.self])
        let first = try chain.schema([Old.self])
        chain.release([New.self])
        let second = try chain.schema([New.self])
        try await withFolder { folder in
            let path = folder + "/things.sqlite"
            let url = URL(filePath: folder + "/aside.jsonl")
            try await repository(ThingVersions.Noted.self, path, first).createAll([
                Old("c", .text("same")), Old("a", .text("same")), Old("b", .text("other")),
            ])
            try await migrate(path, second, aside: url)
            #expect(
                try await repository(ThingVersions.Unique.self, path, second).ids().map(\.rawValue)
                    == ["a", "b"])
            #expect(try lines(url).dropFirst().map { $0["id"] as? String } == ["c"])
        }
    }
}

/// A table with a required reference to `things`, and an optional one to itself.
private enum PartShape: VersionShape {
    static let table = make("parts") { table in
        table.field("thing", .text, reference: TableReference("things"))
        table.field("part", .text, optional: true, reference: TableReference("parts"))
    }
}
