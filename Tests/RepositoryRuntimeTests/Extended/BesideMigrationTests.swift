import Foundation
import StoredSchema
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// Whether each operation is tried, as `make test-long` does, and not every fourth one.
private let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"

/// Migrations of files, whose new documents lie beside the stored ones until all are there.
@Suite("Migrations beside the stored files", .timeLimit(.minutes(isLong ? 240 : 60)))
struct BesideMigrationTests {
    private typealias Thing = VersionedRecord<ThingVersions.Noted>
    private typealias Other = VersionedRecord<ThingVersions.Other>

    /// Programs of two versions with two tables. The new version shortens each note of the things
    /// and drops those without; it exchanges the ids of the others.
    private struct Programs {
        let old: StoreSchema
        let new: StoreSchema
        let calls = CallCounter()

        init() throws {
            var chain = VersionChain()
            chain.release([Thing.self, Other.self])
            old = try chain.schema([Thing.self, Other.self])
            let fields = [
                StoredField(name: "id", columns: ["id"], type: .single("text")),
                StoredField(
                    name: "thing", columns: ["thing"], type: .single("text"), isOptional: true),
            ]
            chain.release(
                [Thing.self, Other.self],
                [
                    .convertByCode(
                        DataPath("things", ["note"]), .single("text"), isOptional: false,
                        function: "note"),
                    .records("others", fields: fields, function: "others"),
                ])
            let calls = calls
            new = try chain.schema(
                [Thing.self, Other.self],
                functions: [
                    "note": { old, new in
                        guard case .text(let id) = old["id"], case .text(let text) = old["note"]
                        else { return false }
                        calls.add(id)
                        new["note"] = .text(String(text.prefix(3)))
                        return !text.isEmpty
                    },
                    "others": { old, new in
                        guard case .text(let id) = old["id"] else { return false }
                        new["id"] = .text(Self.exchanged[id] ?? id)
                        new["thing"] = old["thing"]
                        return id != "dropped"
                    },
                ])
        }

        static let long = String(repeating: "ä", count: 150)
        static let exchanged = ["1": "2", "2": "1", long: "by hand é", "by hand é": long]
    }

    private func records<S: VersionShape>(
        _ shape: S.Type, _ folder: URL, _ schema: StoreSchema,
        _ operations: any FileOperations = POSIXFileOperations()
    ) -> VersionedRepository<S> {
        let driver = FileDriver(
            root: folder, formatExtension: "json", providesStamps: true, operations: operations)
        return VersionedRepository(
            RepositoryContext(
                store: DocumentStore(driver, transformer: JSONDataTransformer()), schema: schema,
                fullScans: .allow))
    }

    private let things = [
        Thing("a", .text("long note")), Thing("b", .text("ok")), Thing("c", .text("")),
        Thing("d e", .text("by hand")), Thing(Programs.long, .text("long id")),
    ]
    private let migratedThings = [
        Thing("a", .text("lon")), Thing("b", .text("ok")), Thing("d e", .text("by ")),
        Thing(Programs.long, .text("lon")),
    ]
    private let others = [
        Other("1", .text("one")), Other("2", .text("two")), Other("by hand é", .null),
        Other("dropped", .null), Other(Programs.long, .text("long")),
    ]
    private let migratedOthers = [
        Other("1", .text("two")), Other("2", .text("one")), Other("by hand é", .text("long")),
        Other(Programs.long, .null),
    ]

    /// Stores the old records, two of them under names that a person gave their files.
    private func fill(_ folder: URL, _ programs: Programs) async throws {
        try await records(ThingVersions.Noted.self, folder, programs.old).createAll(things)
        try await records(ThingVersions.Other.self, folder, programs.old).createAll(others)
        for (table, key) in [("things", "d e"), ("others", "by hand é")] {
            let files = folder.appending(path: table)
            try FileManager.default.moveItem(
                at: files.appending(path: "item_\(FileNamePart(key).encoded).json"),
                to: files.appending(path: "item_\(key).json"))
        }
        for table in ["things", "others"] {
            try Data("mine".utf8).write(to: folder.appending(path: "\(table)/notes.txt"))
        }
    }

    private func checkNew(_ folder: URL, _ programs: Programs, _ comment: Comment) async throws {
        let things = records(ThingVersions.Noted.self, folder, programs.new)
        #expect(try await things.fetch() == migratedThings, comment)
        let others = records(ThingVersions.Other.self, folder, programs.new)
        #expect(try await others.fetch() == migratedOthers, comment)
        for table in ["things", "others"] {
            let notes = try Data(contentsOf: folder.appending(path: "\(table)/notes.txt"))
            #expect(notes == Data("mine".utf8), comment)
        }
        // Nothing else is left of the old files: a deleted record does not return.
        _ = try await things.deleteAll(ids: migratedThings.map(\.id))
        _ = try await others.deleteAll(ids: migratedOthers.map(\.id))
        #expect(try await things.count() == 0, comment)
        #expect(try await others.count() == 0, comment)
        for table in ["things", "others"] {
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: table).path)
            #expect(names == ["notes.txt"], comment)
        }
        #expect(!isBeside(folder), comment)
    }

    private func isBeside(_ folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: ".repository/beside").path)
    }

    private func number(_ folder: URL, _ path: String) throws -> UInt64? {
        try FileManager.default.attributesOfItem(atPath: folder.appending(path: path).path)[
            .systemFileNumber] as? UInt64
    }

    @Test("Documents that do not change are not written again, and foreign files stay")
    func unchanged() async throws {
        let folder = TemporaryFolder()
        let programs = try Programs()
        try await fill(folder.url, programs)
        let unchanged = try number(folder.url, "things/item_b.json")
        let changed = try number(folder.url, "things/item_a.json")
        try await records(ThingVersions.Noted.self, folder.url, programs.new).context.open()
        #expect(programs.calls.all.count == 5 && programs.calls.all.values.allSatisfy { $0 == 1 })
        #expect(try number(folder.url, "things/item_b.json") == unchanged)
        #expect(try number(folder.url, "things/item_a.json") != changed)
        try await checkNew(folder.url, programs, "")
    }

    @Test(
        "At any operation, also in a copied folder, the old program or the new one goes on",
        arguments: zip([FailingFileOperations.Fault.broken, .shortWrite], [false, true]))
    func failing(fault: FailingFileOperations.Fault, hasNoLinks: Bool) async throws {
        let programs = try Programs()
        let full = TemporaryFolder()
        try await fill(full.url, programs)
        var (old, new) = (0, 0)
        let step = isLong ? 1 : 4
        for number in stride(from: hasNoLinks ? 3 : 1, to: Int.max, by: step) {
            let folder = TemporaryFolder()
            try FileManager.default.copyItem(at: full.url, to: folder.url)
            let operations = FailingFileOperations(
                failing: number, fault: fault, forEver: true, hasNoLinks: hasNoLinks)
            var isDone = true
            do {
                try await records(ThingVersions.Noted.self, folder.url, programs.new, operations)
                    .context.open()
            } catch {
                isDone = false
            }
            guard operations.hasFailed else {
                #expect(isDone)
                break
            }
            // The next program finds the folder at another place.
            let moved = TemporaryFolder()
            try FileManager.default.copyItem(at: folder.url, to: moved.url)
            do {
                let found = try await records(
                    ThingVersions.Noted.self, moved.url, programs.old
                ).fetch()
                #expect(found == things && !isDone, "operation \(number)")
                let others = records(ThingVersions.Other.self, moved.url, programs.old)
                #expect(try await others.fetch() == self.others, "operation \(number)")
                #expect(!isBeside(moved.url), "operation \(number)")
                old += 1
            } catch let error as CRUDRepositoryError {
                #expect(error.code == .schemaMismatch, "operation \(number): \(error)")
                new += 1
            }
            try await checkNew(moved.url, programs, "operation \(number)")
        }
        #expect(old > 20 / step && new > 10 / step)
        print("\(fault): \(old) left the old data, \(new) the new")
    }

    @Test("Two records that get one id are refused, and nothing is left of the migration")
    func sameID() async throws {
        let folder = TemporaryFolder()
        let programs = try Programs()
        try await fill(folder.url, programs)
        let other = records(ThingVersions.Other.self, folder.url, programs.old)
        try await other.create(Other("3", .null))
        var chain = VersionChain()
        chain.release([Thing.self, Other.self])
        let id = StoredField(name: "id", columns: ["id"], type: .single("text"))
        let thing = StoredField(
            name: "thing", columns: ["thing"], type: .single("text"), isOptional: true)
        chain.release(
            [Thing.self, Other.self], [.records("others", fields: [id, thing], function: "f")])
        let schema = try chain.schema(
            [Thing.self, Other.self],
            functions: [
                "f": { old, new in
                    new = old
                    if old["id"] == .text("3") { new["id"] = .text("1") }
                    return true
                }
            ])
        do {
            try await records(ThingVersions.Other.self, folder.url, schema).context.open()
            Issue.record("It was migrated.")
        } catch let error as CRUDRepositoryError {
            #expect(error.code == .schemaMismatch)
            #expect(error.message.contains("get the same id, in 1 record: '3'"))
        }
        #expect(!isBeside(folder.url))
        try await #expect(other.fetch().count == 6)
    }

    @Test("A program without history removes what a killed one left beside, and reads none of it")
    func leftOver() async throws {
        let folder = TemporaryFolder()
        let programs = try Programs()
        try await fill(folder.url, programs)
        let beside = folder.url.appending(path: ".repository/beside/new_things")
        try FileManager.default.createDirectory(at: beside, withIntermediateDirectories: true)
        try Data("{\"id\":\"z\",\"note\":\"n\"}".utf8)
            .write(to: beside.appending(path: "item_z.json"))
        let old = records(ThingVersions.Noted.self, folder.url, programs.old)
        #expect(try await old.fetch() == things)
        #expect(!isBeside(folder.url))
    }

    @Test("A folder without what lay beside is refused, and not taken for a finished migration")
    func lost() async throws {
        let programs = try Programs()
        let full = TemporaryFolder()
        try await fill(full.url, programs)
        var refused = 0
        for number in stride(from: 1, to: Int.max, by: 7) {
            let folder = TemporaryFolder()
            try FileManager.default.copyItem(at: full.url, to: folder.url)
            let operations = FailingFileOperations(failing: number, forEver: true)
            do {
                try await records(ThingVersions.Noted.self, folder.url, programs.new, operations)
                    .context.open()
                break
            } catch {
                let note = try Data(
                    contentsOf: folder.url.appending(path: ".repository/schema.note"))
                guard String(decoding: note, as: UTF8.self).contains("\"placed\"") else { continue }
                let beside = folder.url.appending(path: ".repository/beside")
                guard isBeside(folder.url) else { continue }
                try FileManager.default.removeItem(at: beside)
            }
            await #expect(throws: CRUDRepositoryError.self) {
                try await records(ThingVersions.Noted.self, folder.url, programs.new)
                    .context.open()
            }
            refused += 1
        }
        #expect(refused > 5)
    }
}
