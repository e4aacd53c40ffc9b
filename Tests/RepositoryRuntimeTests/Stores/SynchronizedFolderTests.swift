import Foundation
import StoredSchema
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// Files that other programs put into the folder of a store: systems, people, and what keeps
/// folders of several devices alike.
@Suite("Files of other programs in the folder of a store")
struct SynchronizedFolderTests {
    private typealias Thing = VersionedRecord<ThingVersions.Noted>
    private typealias Item = VersionedRecord<ThingVersions.Renamed>
    private typealias Things = VersionedRepository<ThingVersions.Noted>

    private func things(_ folder: TemporaryFolder, _ schema: StoreSchema? = nil) -> Things {
        Things(
            RepositoryContext(
                store: FileSystemStore(directory: folder.url),
                schema: schema ?? StoreSchema("Versions", [Thing.self]), fullScans: .allow))
    }

    private func programs() throws -> (old: StoreSchema, new: StoreSchema) {
        var chain = VersionChain()
        chain.release([Thing.self])
        let old = try chain.schema([Thing.self])
        chain.release([Item.self], [.renameTable(from: "things", to: "items")])
        return (old, try chain.schema([Item.self]))
    }

    @Test(
        "Files with other names in a folder with the new name of a table stay",
        arguments: [
            ["items/.DS_Store"], ["items/._item_a.json", "items/Thumbs.db", "things/.DS_Store"],
            ["items/notes/item_b.json"], [".repository/index_items/.DS_Store", "things/mine.txt"],
            ["items/.DS_Store", "things/.DS_Store"],
        ])
    func strays(_ paths: [String]) async throws {
        let folder = TemporaryFolder()
        let (old, new) = try programs()
        let long = String(repeating: "é", count: 99)
        let records = [Thing("a", .text("1")), Thing("by hand É", .text("2"))]
        try await things(folder, old).createAll(records + [Thing(long, .text("3"))])
        try folder.rename("things/item_by%20hand%20%C3%89.json", to: "things/item_by hand É.json")
        for path in paths { try folder.write("mine", to: path) }
        for _ in 0..<2 {
            let items = VersionedRepository<ThingVersions.Renamed>(
                RepositoryContext(
                    store: FileSystemStore(directory: folder.url), schema: new, fullScans: .allow))
            try await #expect(
                items.fetch() == [
                    Item("a", .text("1")), Item("by hand É", .text("2")), Item(long, .text("3")),
                ])
        }
        for path in paths {
            let moved = path.replacing("things/", with: "items/")
            #expect(
                FileManager.default.fileExists(atPath: folder.path(path))
                    || FileManager.default.fileExists(atPath: folder.path(moved)), "\(path)")
        }
    }

    @Test(
        "What cannot be replaced is refused before anything changes",
        arguments: ["items", "items/item_x.json", "items/item_b y.json"])
    func obstacles(_ path: String) async throws {
        let folder = TemporaryFolder()
        let (old, new) = try programs()
        try await things(folder, old).create(Thing("a", .text("1")))
        try folder.write("{\"id\":\"x\",\"note\":\"\"}", to: path)
        let error = await #expect(throws: CRUDRepositoryError.self) {
            try await FileSystemStore(directory: folder.url).open(new)
        }
        #expect(error?.message.contains("'\(path)'") == true, "\(error?.message ?? "")")
        try await #expect(things(folder, old).fetch() == [Thing("a", .text("1"))])
        try FileManager.default.removeItem(atPath: folder.path(path))
        try await FileSystemStore(directory: folder.url).open(new)
    }

    @Test(
        "Copies that a synchronized folder makes are no records, and the check names them",
        arguments: [
            "ada 2", "ada (1)", "ada copy", "ada-LAPTOP", "ada (conflicted copy 2024-01-01)",
            "ada.sync-conflict-20240101-120000-ABCDEFG",
        ])
    func copies(_ name: String) async throws {
        let folder = TemporaryFolder()
        let records = [Thing("ada", .text("1")), Thing("bob 2", .text("2"))]
        try await things(folder).createAll(records)
        // A person has named this one, and it is a record.
        try folder.rename("things/item_bob%202.json", to: "things/item_bob 2.json")
        try folder.write("{\"id\":\"ada\",\"note\":\"other\"}", to: "things/item_\(name).json")
        let things = things(folder)
        try await #expect(things.fetch() == records)
        try await #expect(things.count() == 2)
        try await #expect(things.context.store.ids(Thing.self) == records.map(\.id))
        var streamed: [Thing] = []
        for try await thing in things.stream() { streamed.append(thing) }
        #expect(streamed == records)
        let check = try await things.context.store.check(things.context.schema, repair: false)
        #expect(check.problems.map(\.id) == [name] && check.problems[0].message.contains("copy"))
        #expect(check.recordCount == 2)
        let kept = try folder.text("things/item_\(name).json")
        #expect(kept.contains("other"))
    }

    @Test("A record of which only a placeholder is there is not absent")
    func placeholder() async throws {
        let folder = TemporaryFolder()
        let first = things(folder)
        try await first.createAll([Thing("ada", .text("1")), Thing("Bob", .text("2"))])
        for name in ["item_ada.json", "item_%42ob.json"] {
            try folder.rename("things/" + name, to: "things/." + name + ".icloud")
        }
        for things in [first, things(folder)] {
            for id in ["ada", "Bob"] {
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await things.read(.init(id))
                }
                #expect(error?.message.contains("not downloaded") == true && error?.id == id)
                #expect(error?.code == .databaseError && error?.isRetryable == true)
                for write in [
                    { try await things.create(Thing(id, .text("3"))) },
                    { _ = try await things.save(Thing(id, .text("3"))) },
                    { try await things.delete(.init(id)) },
                ] as [@Sendable () async throws -> Void] {
                    #expect(await errorCode(write) == .databaseError)
                }
            }
            #expect(await errorCode { try await things.fetch() } == .databaseError)
            try await #expect(things.count() == 2)
            #expect(await errorCode { try await things.read("other") } == .recordNotFound)
        }
        for name in ["item_ada.json", "item_%42ob.json"] {
            try folder.rename("things/." + name + ".icloud", to: "things/" + name)
        }
        try await #expect(first.fetch().map(\.values) == [[.text("2")], [.text("1")]])
    }

    @Test("Errors name the folder of the store, and a full disk is one error, which can be retried")
    func failures() async throws {
        let folder = TemporaryFolder()
        for (fault, code) in [
            (FailingFileOperations.Fault.full, CRUDRepositoryError.Code.storageFull),
            (.shortWrite, .storageFull), (.broken, .databaseError),
        ] {
            let operations = FailingFileOperations(fault: fault)
            let driver = FileDriver(
                root: folder.url, formatExtension: "json", providesStamps: true,
                operations: operations)
            let things = Things(
                RepositoryContext(
                    store: DocumentStore(driver, transformer: JSONDataTransformer()),
                    schema: StoreSchema("Versions", [Thing.self]), fullScans: .allow))
            try await things.context.open()
            for number in 1...6 {
                operations.arm(failing: number)
                do {
                    _ = try await things.save(Thing("a", .text("1")))
                } catch let error as CRUDRepositoryError {
                    #expect(error.code == code && error.isRetryable == (code == .storageFull))
                    #expect(error.message.contains("'\(driver.layout.root)'"))
                }
            }
        }
        let defaults = DefaultsDomain(
            suiteName: TemporarySuite().name,
            operations: FailingFileOperations(failing: 1, fault: .full, forEver: true))
        let error = await #expect(throws: CRUDRepositoryError.self) {
            try await DocumentStore(
                UserDefaultsDriver(defaults, providesStamps: true),
                transformer: JSONDataTransformer()
            ).open(StoreSchema("Versions", [Thing.self]))
        }
        #expect(error?.code == .storageFull && error?.isRetryable == true)
    }

    @Test(
        "A batch of the documents of any collection that ends anywhere is undone by the next writer",
        arguments: [
            "things", DocumentIndexNames.collection(of: "things"),
            ExternalDataNames.collection(of: "things"),
        ])
    func interruptedBatches(_ collection: String) throws {
        for number in stride(from: 1, to: Int.max, by: 2) {
            let folder = TemporaryFolder()
            func driver(_ operations: any FileOperations) -> FileDriver {
                FileDriver(
                    root: folder.url, formatExtension: "json", providesStamps: true,
                    operations: operations)
            }
            let operations = FailingFileOperations()
            let failing = driver(operations)
            func write(_ driver: FileDriver, _ text: String) throws {
                try driver.withLock {
                    try driver.applyAll(
                        ["a", "b"].map {
                            DocumentChange($0, in: collection, data: Data(text.utf8))
                        })
                }
            }
            try write(failing, "old")
            let killed = FailingFileOperations(failing: number, forEver: true)
            let isDone = (try? write(driver(killed), "new")) != nil
            // The next program can write, and finds all of the batch or nothing.
            let next = driver(POSIXFileOperations())
            try next.withLock {}
            let found = try ["a", "b"].map {
                try next.get($0, in: collection).map { String(decoding: $0, as: UTF8.self) }
            }
            #expect(found == ["new", "new"] || (!isDone && found == ["old", "old"]))
            if !killed.hasFailed { break }
        }
    }

    @Test("The path of every document is known as one, and no other path is")
    func documentPaths() throws {
        let folder = TemporaryFolder()
        let driver = FileDriver(root: folder.url, formatExtension: "json", providesStamps: true)
        let layout = driver.layout
        for table in ["things", "Großes/..", "", String(repeating: "é", count: 99)] {
            let collections =
                table.isEmpty
                ? [""]
                : [
                    table, DocumentIndexNames.collection(of: table),
                    ExternalDataNames.collection(of: table), ExternalDataNames.aside(of: table),
                    BesideNames.new(table), BesideNames.gone(table),
                ]
            for collection in collections {
                for key in ["a", "../x", String(repeating: "ö", count: 99)] {
                    let place = try driver.filing { () throws(FileFailure) in
                        try layout.place(key, in: collection, driver.read)
                    }
                    #expect(layout.isDocument(place.path), "\(place.path)")
                    #expect(!layout.isDocument("/" + place.path))
                    #expect(!layout.isDocument("x/y/" + place.path))
                }
            }
        }
        for path in [
            "", "item_", "things/x.json", "../item_a.json", "./item_a.json", "things//item_a.json",
            "things/../item_a.json", ".repository/item_a.json", ".repository/lock",
            ".repository/schema.note", ".repository/index_../item_a.json",
            ".repository/external_/item_a.json", ".repository/other_things/item_a.json",
            ".repository/beside/new_/item_a.json", ".repository/beside/item_a.json",
            "things/item_a\u{0}.json", ".repository/index_things/../item_a.json",
        ] {
            #expect(!layout.isDocument(path), "\(path)")
        }
    }
}

extension TemporaryFolder {
    /// Renames a file in it.
    fileprivate func rename(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
    }
}
