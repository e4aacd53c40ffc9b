import Foundation
import Generated
import RepositoryTesting
import Testing

@testable import RepositoryRuntime

/// Backups of folders: what is in them, and what is no backup.
@Suite("Backups of files")
struct BackupTests {
    private let place = TemporaryFolder()

    private func url(_ name: String) -> URL { place.url.appending(path: name) }

    private func store(_ name: String) -> Conformance {
        Conformance(FileSystemStore(directory: url(name)))
    }

    private func backup(_ notes: Int = 5) async throws -> Conformance {
        let library = store("store")
        try await library.notes.createAll(
            (0..<notes).map { Note(id: Note.ID("\($0)"), text: "text") })
        try await library.notes.create(
            Note(id: Note.ID(String(repeating: "ä", count: 300)), text: "long"))
        try await library.backup(to: url("backup"))
        return library
    }

    /// The files below a folder by their paths, with their numbers.
    private func files(_ name: String) throws -> [String: Int] {
        let folder = url(name).path
        var files: [String: Int] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            var status = stat()
            guard lstat(folder + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG
            else { continue }
            files[path] = Int(status.st_ino)
        }
        return files
    }

    @Test("No file of a backup is one of the store, and no temporary file is left")
    func links() async throws {
        let library = try await backup()
        let (stored, copied) = (try files("store"), try files("backup"))
        #expect(Set(stored.values).isDisjoint(with: copied.values))
        #expect(copied.keys.filter { $0.contains(".copy") || $0.contains("tmp-") }.isEmpty)
        let local = ["lock", "batches", "description"].map { ".repository/" + $0 }
        let names = stored.keys.filter { !local.contains($0) }
        #expect(Set(copied.keys) == Set(names + [".repository/backup"]))
        #expect(place.names() == ["backup", "store"])
        try await library.close()
        // The backup is a store itself.
        #expect(try await store("backup").notes.count() == 6)
    }

    @Test("A backup that was changed in any file is not restored")
    func changes() async throws {
        let library = try await backup(2)
        let names = try files("backup").keys.sorted()
        for (number, name) in names.enumerated() {
            for change in 0..<3 {
                let copy = "changed \(number) \(change)"
                try FileManager.default.copyItem(at: url("backup"), to: url(copy))
                let file = url(copy).appending(path: name)
                switch change {
                case 0: try FileManager.default.removeItem(at: file)
                case 1:
                    let data = try Data(contentsOf: file)
                    try data.dropLast().write(to: file)
                default:
                    var data = try Data(contentsOf: file)
                    data[data.count / 2] ^= 1
                    try data.write(to: file)
                }
                let target = store("target")
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await target.restore(from: url(copy))
                }
                #expect(error?.code == .invalidBackup, "\(name) \(change)")
            }
        }
        let target = store("target")
        try await target.restore(from: url("backup"))
        #expect(try await target.notes.fetch() == library.notes.fetch())
    }

    @Test("A manifest that names other folders or links is not restored")
    func hostile() async throws {
        _ = try await backup(1)
        let secret = url("secret")
        try Data("secret".utf8).write(to: secret)
        let file = BackupManifest.File("x", Data("secret".utf8))
        for path in ["../secret", "/\(secret.path)", "notes/../../secret", "", "a//b", ".", "link"]
        {
            let copy = url("hostile \(UUID())")
            try FileManager.default.copyItem(at: url("backup"), to: copy)
            try FileManager.default.createSymbolicLink(
                at: copy.appending(path: "link"), withDestinationURL: secret)
            var hostile = file
            hostile.path = path
            try BackupManifest([hostile]).data.write(to: copy.appending(path: BackupManifest.path))
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await store("target").restore(from: copy)
            }
            #expect(error?.code == .invalidBackup, "\(path)")
        }
    }

    @Test("An interrupted restore is noticed, and can be repeated")
    func interrupted() async throws {
        let library = try await backup()
        let driver = FileDriver(root: url("target"), formatExtension: "json", providesStamps: true)
        try driver.withLock {
            try driver.setNote(DocumentStore<FileDriver>.restoreNote, Data("restore".utf8))
            try driver.held.makeFolders("notes")
            try driver.held.writeNew(Data("{}".utf8), to: "notes/item_half.json")
        }
        let error = await #expect(throws: CRUDRepositoryError.self) {
            try await store("target").notes.count()
        }
        #expect(error?.code == .restoreInterrupted)
        let target = store("target")
        try await target.restore(from: url("backup"))
        #expect(try await target.notes.fetch() == library.notes.fetch())
    }

    @Test("A folder of somebody else is not empty")
    func somebodyElse() async throws {
        _ = try await backup()
        try place.write("text", to: "target/file.txt")
        let error = await #expect(throws: CRUDRepositoryError.self) {
            try await store("target").restore(from: url("backup"))
        }
        #expect(error?.code == .storeNotEmpty)
        #expect(try place.text("target/file.txt") == "text")
    }

    @Test("A backup inside the store, and one that is cancelled, leave nothing")
    func nothing() async throws {
        let library = try await backup()
        let error = await #expect(throws: CRUDRepositoryError.self) {
            try await library.backup(to: url("store/backup"))
        }
        #expect(error?.code == .unsupported)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await library.backup(to: url("other"))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(place.names() == ["backup", "store"])
    }

    @Test("Compaction removes what killed processes left")
    func compaction() async throws {
        let library = try await backup()
        try place.write("left", to: "store/.repository/tmp-dead-1")
        let orphan = "id_\(String(repeating: "0", count: 64)).txt"
        try place.write("left", to: "store/notes/\(orphan)")
        let before = try files("store")
        try await library.compact()
        let after = try files("store")
        #expect(
            Set(before.keys).subtracting(after.keys)
                == [".repository/tmp-dead-1", "notes/\(orphan)"])
        #expect(try await library.notes.count() == 6)
    }

    @Test("A check names a reference whose record somebody has removed")
    func check() async throws {
        let library = store("store")
        try await library.halls.create(Hall(id: "h"))
        try await library.links.create(Link(id: "l", anchorID: "h", rumourID: "h"))
        #expect(try await library.check() == StoreCheck(recordCount: 2))
        try FileManager.default.removeItem(at: url("store/halls/item_h.json"))
        let problems = try await library.check(repair: true).problems
        #expect(problems.map(\.kind) == [.danglingReference])
        #expect(problems.map(\.field) == ["anchorID"])
        #expect(problems.map(\.id) == ["l"])
        #expect(problems.map(\.isRepaired) == [false])
    }

    @Test("A check names two records with one unique value")
    func duplicates() async throws {
        let library = Library(FileSystemStore(directory: url("clients")))
        for id in ["a", "b", "c"] {
            try await library.clients.create(
                Client(id: Client.ID(id), name: id, email: "\(id)@example.org"))
        }
        #expect(try await library.check() == StoreCheck(recordCount: 3))
        let file = url("clients/clients/item_b.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        try text.replacing("b@example.org", with: "a@example.org")
            .write(to: file, atomically: true, encoding: .utf8)
        let check = try await Library(FileSystemStore(directory: url("clients")))
            .check(repair: true)
        let problem = try #require(check.problems.first { $0.kind == .duplicateValue })
        #expect(problem.table == "clients" && problem.id == "b" && problem.field != nil)
        #expect(!problem.isRepaired && !check.isSound)
        #expect(!problem.message.contains("example.org"))
        // Deleting one of them ends it.
        let other = Library(FileSystemStore(directory: url("clients")))
        try FileManager.default.removeItem(at: file)
        #expect(try await other.check(repair: true).isSound)
        #expect(try await other.clients.find(email: "a@example.org")?.id == "a")
    }
}
