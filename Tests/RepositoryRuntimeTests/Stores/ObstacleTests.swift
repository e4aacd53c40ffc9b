import Foundation
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// What may lie under a name of the store instead of its file.
enum Obstacle: String, CaseIterable, Sendable {
    case emptyFolder, folder, link, danglingLink, linkToFolder

    /// Puts it there in the place of what is there.
    func place(at name: String, in folder: TemporaryFolder, outside: TemporaryFolder) throws {
        let path = folder.path(name)
        let manager = FileManager.default
        if manager.fileExists(atPath: path) { try manager.removeItem(atPath: path) }
        try manager.createDirectory(
            atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
            withIntermediateDirectories: true)
        try outside.write("outside", to: "file")
        switch self {
        case .emptyFolder:
            try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
        case .folder:
            try folder.write("inside", to: name + "/deep/er/file")
        case .link:
            try manager.createSymbolicLink(
                atPath: path, withDestinationPath: outside.path("file"))
        case .danglingLink:
            try manager.createSymbolicLink(
                atPath: path, withDestinationPath: outside.path("absent"))
        case .linkToFolder:
            try manager.createSymbolicLink(atPath: path, withDestinationPath: outside.url.path)
        }
    }

    /// Whether it is still there.
    func isThere(_ name: String, in folder: TemporaryFolder) -> Bool {
        let type =
            try? FileManager.default.attributesOfItem(atPath: folder.path(name))[.type]
            as? FileAttributeType
        return type
            == (self == .emptyFolder || self == .folder ? .typeDirectory : .typeSymbolicLink)
    }
}

@Suite("Folders and symbolic links under the names of a store")
struct ObstacleTests {
    private let folder = TemporaryFolder()
    private let outside = TemporaryFolder()

    private func library() -> Conformance {
        Conformance(FileSystemStore(directory: folder.url, transformer: JSONDataTransformer()))
    }

    private func outsideIsUntouched() throws {
        #expect(outside.names() == ["file"])
        #expect(try outside.text("file") == "outside")
    }

    /// Checks that a call names the record and the path.
    private func refuses(
        _ name: String, id: String?, _ body: () async throws -> Void
    ) async {
        let error = await #expect(throws: CRUDRepositoryError.self) { try await body() }
        #expect(error?.code == (id == nil ? .databaseError : .invalidRecord))
        #expect(error?.id == id || id == nil)
        #expect(error?.message.contains(name) == true, "\(String(describing: error))")
    }

    @Test(
        "Nothing replaces or removes what has a record's name and is no file",
        arguments: Obstacle.allCases)
    func records(_ obstacle: Obstacle) async throws {
        let library = library()
        try await library.notes.createAll(["a", "b"].map { Note(id: $0, text: "old") })
        let name = "notes/item_a.json"
        try obstacle.place(at: name, in: folder, outside: outside)
        await refuses(name, id: "a") { _ = try await library.notes.read("a") }
        await refuses(name, id: "a") { try await library.notes.delete("a") }
        await refuses(name, id: "a") {
            try await library.notes.update(Note(id: "a", text: "new"))
        }
        await refuses(name, id: "a") { try await library.notes.save(Note(id: "a", text: "new")) }
        await refuses(name, id: "a") {
            _ = try await library.notes.saveAll([
                Note(id: "b", text: "new"), Note(id: "a", text: "new"),
            ])
        }
        await refuses(name, id: "a") { _ = try await library.notes.deleteAll(ids: ["b", "a"]) }
        #expect(
            await errorCode { try await library.notes.create(Note(id: "a", text: "new")) }
                == .recordAlreadyExists)
        #expect(obstacle.isThere(name, in: folder))
        if obstacle == .folder { #expect(try folder.text(name + "/deep/er/file") == "inside") }
        #expect(try await library.notes.read("b").text == "old")
        for library in [library, self.library()] {
            try await library.notes.save(Note(id: "b", text: "newer"))
            try await library.notes.create(Note(id: "c", text: ""))
            try await library.notes.delete("c")
        }
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.path(".repository"))
        #expect(!names.contains { $0.hasPrefix("tmp-") })
        try outsideIsUntouched()
        try await library.reset()
        try outsideIsUntouched()
        #expect(try await self.library().notes.exists("b") == false)
    }

    @Test("The same for a repository of opaque items", arguments: Obstacle.allCases)
    func items(_ obstacle: Obstacle) async throws {
        let repository = FileSystemRepository(
            directoryURL: folder.url, dataTransformer: JSONDataTransformer())
        try await repository.create(id: "b", item: "old")
        let name = "item_a.json"
        try obstacle.place(at: name, in: folder, outside: outside)
        await refuses(name, id: "a") { let _: String = try await repository.read(id: "a") }
        await refuses(name, id: "a") { try await repository.update(id: "a", item: "new") }
        await refuses(name, id: "a") { try await repository.delete(id: "a") }
        #expect(
            await errorCode { try await repository.create(id: "a", item: "new") }
                == .recordAlreadyExists)
        #expect(obstacle.isThere(name, in: folder))
        try await repository.update(id: "b", item: "new")
        try await repository.delete(id: "b")
        try outsideIsUntouched()
    }

    @Test(
        "Under the name of a file of the store itself: an error at once that names it",
        arguments: [".repository/lock", ".repository/notes.writes", ".repository/intent"],
        Obstacle.allCases)
    func ownFiles(_ name: String, _ obstacle: Obstacle) async throws {
        try await library().notes.create(Note(id: "a", text: "old"))
        try obstacle.place(at: name, in: folder, outside: outside)
        await refuses(name, id: nil) {
            try await library().notes.save(Note(id: "a", text: "new"))
        }
        await refuses(name, id: nil) { try await library().notes.delete("a") }
        #expect(obstacle.isThere(name, in: folder))
        try outsideIsUntouched()
        #expect(try folder.text("notes/item_a.json").contains("old"))
        try FileManager.default.removeItem(atPath: folder.path(name))
        try await library().notes.save(Note(id: "a", text: "new"))
        #expect(try await library().notes.read("a").text == "new")
    }

    @Test("A lock that becomes a link while the store is open is refused too")
    func lockOfOpenStore() async throws {
        let library = library()
        try await library.notes.create(Note(id: "a", text: "old"))
        try Obstacle.danglingLink.place(at: ".repository/lock", in: folder, outside: outside)
        await refuses(".repository/lock", id: nil) {
            try await library.notes.save(Note(id: "a", text: "new"))
        }
        try outsideIsUntouched()
    }

    @Test("Temporary files of any kind are cleared", arguments: Obstacle.allCases)
    func temporary(_ obstacle: Obstacle) async throws {
        try await library().notes.create(Note(id: "a", text: "old"))
        try obstacle.place(at: ".repository/tmp-x-1", in: folder, outside: outside)
        for text in ["one", "two"] {
            let library = library()
            try await library.notes.save(Note(id: "a", text: text))
            #expect(try await library.notes.read("a").text == text)
        }
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.path(".repository"))
        #expect(!names.contains { $0.hasPrefix("tmp-") })
        try outsideIsUntouched()
    }

    @Test("A temporary folder in which folders lie deeper than a path is long is cleared")
    func deep() async throws {
        try await library().notes.create(Note(id: "a", text: "old"))
        let name = String(repeating: "d", count: 200)
        var parent = folder.path(".repository/tmp-x-1")
        mkdir(parent, 0o777)
        let descriptor = open(parent, O_RDONLY | O_DIRECTORY)
        var inner = descriptor
        for _ in 0..<60 {
            #expect(mkdirat(inner, name, 0o777) == 0)
            let next = openat(inner, name, O_RDONLY | O_DIRECTORY)
            close(inner)
            inner = next
            parent += "/" + name
        }
        close(inner)
        try await library().notes.save(Note(id: "a", text: "new"))
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.path(".repository"))
        #expect(!names.contains { $0.hasPrefix("tmp-") })
    }

    @Test(
        "Links in the place of a folder lead neither reads nor writes, lists or a reset outside",
        arguments: ["notes", ".repository", ".repository/index_notes"])
    func folders(_ name: String) async throws {
        let library = library()
        try await library.notes.createAll(
            (0..<3).map { Note(id: .init("\($0)"), text: "old", rank: 1) })
        try await library.settle()
        let moved = folder.path(name)
        let away = TemporaryFolder()
        // What lies there is what the store has written: only the way there is not its own.
        try FileManager.default.moveItem(atPath: moved, toPath: away.url.path)
        try FileManager.default.createSymbolicLink(
            atPath: moved, withDestinationPath: away.url.path)
        func state() throws -> [String: Data] {
            var state: [String: Data] = [:]
            for path in try FileManager.default.subpathsOfDirectory(atPath: away.url.path) {
                let url = away.url.appendingPathComponent(path)
                let isFolder = try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory
                state[path] = isFolder == true ? Data() : try Data(contentsOf: url)
            }
            return state
        }
        let before = try state()
        for library in [library, self.library()] {
            await #expect(throws: CRUDRepositoryError.self) {
                try await library.notes.update(Note(id: "1", text: "new", rank: 2))
            }
            await #expect(throws: CRUDRepositoryError.self) {
                try await library.notes.createAll([
                    Note(id: "new", text: "", rank: 1), Note(id: "newer", text: "", rank: 1),
                ])
            }
            await #expect(throws: CRUDRepositoryError.self) { try await library.notes.delete("1") }
            #expect(try state() == before)
            if name == "notes" {
                await #expect(throws: CRUDRepositoryError.self) {
                    _ = try await library.notes.read("1")
                }
                await #expect(throws: CRUDRepositoryError.self) {
                    _ = try await library.notes.exists("1")
                }
                await #expect(throws: CRUDRepositoryError.self) {
                    _ = try await library.notes.count()
                }
            }
            do { try await library.reset() } catch { #expect(error is CRUDRepositoryError) }
            #expect(try state() == before)
        }
    }

    @Test("The root, and a folder above it, may be a link")
    func linkedRoot() async throws {
        let real = TemporaryFolder()
        try real.write("", to: "home/keep")
        let links = TemporaryFolder()
        try links.write("", to: "keep")
        let home = links.path("home")
        try FileManager.default.createSymbolicLink(
            atPath: home, withDestinationPath: real.path("home"))
        // Not made yet, made, and a link itself.
        for _ in 0..<2 {
            let store = Conformance(
                FileSystemStore(directory: URL(fileURLWithPath: home + "/store")))
            try await store.notes.save(Note(id: "a", text: "a"))
            #expect(try await store.notes.read("a").text == "a")
        }
        #expect(real.names("home/store") == ["notes"])
        try FileManager.default.createSymbolicLink(
            atPath: links.path("store"), withDestinationPath: real.path("home/store"))
        let store = Conformance(
            FileSystemStore(directory: URL(fileURLWithPath: links.path("store"))))
        #expect(try await store.notes.read("a").text == "a")
        #expect(try await store.notes.ids() == ["a"])
        try await store.notes.save(Note(id: "a", text: "b"))
        #expect(try real.text("home/store/notes/item_a.json").contains("b"))
    }

    @Test("A store goes on when its folder is removed, or another one comes in its place")
    func replacedRoot() async throws {
        let library = library()
        try await library.notes.create(Note(id: "a", text: "one"))
        let copy = TemporaryFolder()
        try FileManager.default.copyItem(at: folder.url, to: copy.url)
        let away = TemporaryFolder()
        try FileManager.default.moveItem(at: folder.url, to: away.url)
        try FileManager.default.moveItem(at: copy.url, to: folder.url)
        try await library.notes.save(Note(id: "a", text: "two"))
        #expect(try folder.text("notes/item_a.json").contains("two"))
        #expect(try away.text("notes/item_a.json").contains("one"))
        try FileManager.default.removeItem(at: folder.url)
        try await library.notes.save(Note(id: "b", text: "three"))
        #expect(try folder.text("notes/item_b.json").contains("three"))
        try FileManager.default.removeItem(atPath: folder.path("notes"))
        try await library.notes.save(Note(id: "c", text: "four"))
        #expect(try folder.text("notes/item_c.json").contains("four"))
    }
}
