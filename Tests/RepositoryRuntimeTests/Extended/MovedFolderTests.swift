import Foundation
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// All files below a folder with their bytes, and its links with their targets.
private func contents(of folder: TemporaryFolder) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    let manager = FileManager.default
    for path in try manager.subpathsOfDirectory(atPath: folder.url.path) {
        let file = folder.url.appendingPathComponent(path)
        if let data = try? Data(contentsOf: file) { contents[path] = data }
    }
    return contents
}

@Suite("A folder that is copied, moved or restored in the middle of a batch")
struct MovedFolderTests {
    private static let batches = StoreScenario.all.filter {
        ["batch", "delete batch", "cascade", "transaction", "create unique"].contains(
            $0.testDescription)
    }

    private func library(
        _ folder: TemporaryFolder, _ operations: any FileOperations = POSIXFileOperations()
    ) -> Conformance {
        let driver = FileDriver(
            root: folder.url, formatExtension: "json", providesStamps: true, operations: operations)
        return StoreScenario.library(FileSystemStore(driver, transformer: JSONDataTransformer()))
    }

    /// The records as the next program sees them, which writes first, so that it undoes what was
    /// left half done.
    private func records(_ folder: TemporaryFolder) async throws -> StoreSnapshot {
        let library = library(folder)
        try await library.notes.create(Note(id: "written", text: ""))
        try await library.notes.delete("written")
        let records = try await StoreSnapshot(library)
        #expect(records.indexesAgree)
        let left = try FileManager.default.contentsOfDirectory(
            atPath: folder.path(".repository"))
        #expect(left.filter { $0.hasPrefix("tmp-") || $0 == "intent" } == [])
        return records
    }

    private func copy(_ folder: TemporaryFolder) throws -> TemporaryFolder {
        let copy = TemporaryFolder()
        try FileManager.default.copyItem(at: folder.url, to: copy.url)
        return copy
    }

    private static let step =
        ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1" ? 1 : 6

    /// Runs a body for states that a program leaves which dies in the middle of a scenario: for
    /// every sixth, with `REPOSITORY_LONG=1` for each.
    private func forEachCrash(
        _ scenario: StoreScenario, hasNoLinks: Bool = false,
        _ body: (TemporaryFolder, _ isWhole: (StoreSnapshot) -> Bool) async throws -> Void
    ) async throws {
        let prepared = TemporaryFolder()
        try await StoreScenario.prepare(library(prepared))
        let before = try await records(prepared)
        let done = try copy(prepared)
        try await scenario.run(library(done))
        let after = try await records(done)
        #expect(before != after)
        var notes = 0
        for number in stride(from: 1, to: Int.max, by: Self.step) {
            let folder = try copy(prepared)
            let operations = FailingFileOperations(forEver: true, hasNoLinks: hasNoLinks)
            let dying = library(folder, operations)
            _ = try await StoreSnapshot(dying)
            try await dying.settle()
            operations.arm(failing: number)
            do { try await scenario.run(dying) } catch { #expect(error is CRUDRepositoryError) }
            guard operations.hasFailed else { break }
            // Only a batch that was begun leaves a note.
            guard FileManager.default.fileExists(atPath: folder.path(".repository/intent")) else {
                continue
            }
            notes += 1
            try await body(folder) { $0 == before || $0 == after }
        }
        #expect(notes > 5 / Self.step)
    }

    @Test(
        "A copy undoes its own batch and leaves the original as it is",
        arguments: batches, [false, true])
    func copies(_ scenario: StoreScenario, hasNoLinks: Bool) async throws {
        try await forEachCrash(scenario, hasNoLinks: hasNoLinks) { folder, isWhole in
            let copy = try copy(folder)
            let original = try contents(of: folder)
            #expect(try await isWhole(records(copy)))
            #expect(try contents(of: folder) == original)
            #expect(try await isWhole(records(folder)))
        }
    }

    @Test("A folder that was moved undoes its own batch", arguments: batches)
    func moved(_ scenario: StoreScenario) async throws {
        try await forEachCrash(scenario) { folder, isWhole in
            let moved = TemporaryFolder()
            try FileManager.default.moveItem(at: folder.url, to: moved.url)
            #expect(try await isWhole(records(moved)))
        }
    }

    @Test("A note that leads out of the folder, or to a file that is no record, is refused")
    func hostileNotes() async throws {
        let outside = TemporaryFolder()
        try outside.write("outside", to: "item_a.json")
        let up = "../" + outside.url.lastPathComponent
        let temporary = ".repository/tmp-mark-1"
        let paths = [
            outside.path("item_a.json"), "\(up)/item_a.json", "notes/../\(up)/item_a.json",
            "./item_a.json", "..", "notes/..", "notes", ".repository/lock",
            ".repository/item_a", ".repository/../item_a.json", "notes//item_a.json",
            "notes/item_", "README.md", "notes/README.md", ".repository/index_../item_a",
        ]
        var notes = paths.flatMap { path in
            [FileStep.Kind.create, .replace, .remove].map { kind in
                FileStep(kind: kind, path: path, temporary: temporary, backup: temporary)
            }
        }
        notes += [
            FileStep(
                kind: .replace, path: "item_a.json", temporary: temporary,
                backup: "\(up)/item_a.json"),
            FileStep(
                kind: .create, path: "item_a.json", temporary: outside.path("item_a.json"),
                backup: temporary),
            FileStep(
                kind: .replace, path: "item_a.json", temporary: temporary,
                backup: ".repository/lock"),
            FileStep(
                kind: .replace, path: "item_a.json", temporary: temporary,
                backup: ".repository/tmp-other-1"),
        ]
        for step in notes {
            let folder = TemporaryFolder()
            try await library(folder).notes.create(Note(id: "a", text: "a"))
            try folder.write("kept", to: ".repository/tmp-mark-1")
            try JSONEncoder().encode(IntentNote([step], "mark"))
                .write(to: folder.url.appendingPathComponent(".repository/intent"))
            let before = try contents(of: folder)
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await library(folder).notes.create(Note(id: "b", text: "b"))
            }
            #expect(error?.code == .databaseError && error?.message.contains("intent") == true)
            var after = try contents(of: folder)
            // What names the holder of the lock.
            after[".repository/lock"] = before[".repository/lock"]
            #expect(after == before, "\(step)")
            #expect(try outside.text("item_a.json") == "outside")
        }
    }
}
