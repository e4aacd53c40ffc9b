import Foundation
import Testing

@testable import RepositoryRuntime

/// Copies of data that other programs disturb while they are written.
@Suite("Whole copies")
struct WholeCopyTests {
    private func driver(_ folder: URL) -> FileDriver {
        FileDriver(root: folder, formatExtension: "json", providesStamps: true)
    }

    private func fill(_ driver: FileDriver, _ text: String, _ count: Int = 20) throws {
        try driver.withLock {
            for number in 0..<count {
                _ = try driver.apply(
                    DocumentChange("\(number)", in: "notes", data: Data(text.utf8)))
                _ = try driver.apply(
                    DocumentChange("\(number)", in: "others", data: Data(text.utf8)))
            }
        }
    }

    /// The texts of all documents of a copied folder.
    private func texts(_ folder: URL) throws -> [String] {
        let driver = driver(folder)
        return try ["notes", "others"].flatMap { collection in
            try driver.keys(in: collection).compactMap { key in
                try driver.get(key, in: collection).map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }

    private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    @Test("Two copies to one name are not mixed", arguments: [WholeCopy.Kind.file, .folder])
    func twoWriters(_ kind: WholeCopy.Kind) throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let url = folder.url.appending(path: "copy")
        func write(_ text: String, _ path: String) throws {
            let file = kind == .file ? path : path + "/\(text)"
            try Data(text.utf8).write(to: URL(filePath: file))
        }
        try WholeCopy.write(kind, to: url) { path in
            try write("one", path)
            let error = #expect(throws: CRUDRepositoryError.self) {
                try WholeCopy.write(kind, to: url) { try write("two", $0) }
            }
            #expect(error?.message.contains("another program is writing") == true)
        }
        switch kind {
        case .file: #expect(try Data(contentsOf: url) == Data("one".utf8))
        case .folder:
            #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == ["one"])
        }
        #expect(!exists(folder.url.appending(path: "copy.unfinished")))
        #expect(throws: CRUDRepositoryError.self) {
            try WholeCopy.write(kind, to: url) { try write("three", $0) }
        }
    }

    @Test("A copy whose unfinished form was replaced gets no name")
    func replaced() throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let url = folder.url.appending(path: "copy")
        #expect(throws: CRUDRepositoryError.self) {
            try WholeCopy.write(.file, to: url) { path in
                try FileManager.default.removeItem(atPath: path)
                try Data("of another".utf8).write(to: URL(filePath: path))
            }
        }
        #expect(!exists(url))
        // What is not its own stays.
        #expect(exists(folder.url.appending(path: "copy.unfinished")))
        // What nobody writes any more is replaced.
        try WholeCopy.write(.folder, to: url) { path in
            try Data("new".utf8).write(to: URL(filePath: path + "/new"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == ["new"])
    }

    @Test("A link that has the name of an unfinished copy is not followed")
    func link() throws {
        let folder = TemporaryFolder()
        let url = folder.url.appending(path: "copy")
        let mine = folder.url.appending(path: "mine")
        try FileManager.default.createDirectory(at: mine, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: mine.appending(path: "file"))
        try FileManager.default.createSymbolicLink(
            atPath: url.path + ".unfinished", withDestinationPath: mine.path)
        try WholeCopy.write(.folder, to: url) { path in
            try Data("new".utf8).write(to: URL(filePath: path + "/new"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: mine.path) == ["file"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == ["new"])
    }

    @Test("A store whose folder is renamed and replaced is not copied together with the other one")
    func renamed() throws {
        let folder = TemporaryFolder()
        let one = folder.url.appending(path: "one")
        let other = folder.url.appending(path: "other")
        let copy = folder.url.appending(path: "copy")
        let driver = driver(one)
        try fill(driver, "one")
        try fill(self.driver(other), "other")
        let manager = FileManager.default
        var entries = 0
        #expect(throws: CRUDRepositoryError.self) {
            try driver.withLock {
                try driver.copy(to: copy) {
                    entries += 1
                    guard entries == 15 else { return }
                    try manager.moveItem(at: one, to: folder.url.appending(path: "moved"))
                    try manager.moveItem(at: other, to: one)
                }
            }
        }
        #expect(entries > 15)
        #expect(!exists(copy) && !exists(folder.url.appending(path: "copy.unfinished")))
        // What is there now is copied as a whole.
        try driver.withLock { try driver.copy(to: copy) {} }
        #expect(try texts(copy) == Array(repeating: "other", count: 40))
    }

    @Test("A store whose folder is away for a moment is copied as a whole")
    func away() throws {
        let folder = TemporaryFolder()
        let one = folder.url.appending(path: "one")
        let moved = folder.url.appending(path: "moved")
        let copy = folder.url.appending(path: "copy")
        let driver = driver(one)
        try fill(driver, "one")
        try fill(self.driver(folder.url.appending(path: "other")), "other")
        let manager = FileManager.default
        var entries = 0
        try driver.withLock {
            try driver.copy(to: copy) {
                entries += 1
                // Another folder has the name meanwhile.
                if entries == 10 {
                    try manager.moveItem(at: one, to: moved)
                    try manager.moveItem(at: folder.url.appending(path: "other"), to: one)
                }
                if entries == 40 {
                    try manager.moveItem(at: one, to: folder.url.appending(path: "other"))
                    try manager.moveItem(at: moved, to: one)
                }
            }
        }
        #expect(entries > 40)
        #expect(try texts(copy) == Array(repeating: "one", count: 40))
    }

    @Test("Temporary files and folders, locks, links and pipes are left out")
    func leftOut() throws {
        let folder = TemporaryFolder()
        let one = folder.url.appending(path: "one")
        let copy = folder.url.appending(path: "copy")
        let driver = driver(one)
        try fill(driver, "one")
        let manager = FileManager.default
        // What a migration has removed, and another process is deleting.
        let removed = one.appending(path: ".repository/tmp-1-1/new_notes")
        try manager.createDirectory(at: removed, withIntermediateDirectories: true)
        try manager.createSymbolicLink(
            atPath: one.path + "/link", withDestinationPath: folder.url.path)
        #expect(mkfifo(one.path + "/pipe", 0o600) == 0)
        try Data("mine".utf8).write(to: one.appending(path: "notes/mine.txt"))
        #expect(chmod(one.path + "/notes/mine.txt", 0o640) == 0)
        try driver.withLock {
            try driver.copy(to: copy) { try? manager.removeItem(at: removed) }
        }
        let names = try manager.contentsOfDirectory(atPath: copy.path).sorted()
        #expect(names == [".repository", "notes", "others"])
        let own = try manager.contentsOfDirectory(atPath: copy.path + "/.repository")
        #expect(!own.contains { $0 == "lock" || $0 == "batches" || $0.hasPrefix("tmp-") }, "\(own)")
        let attributes = try manager.attributesOfItem(atPath: copy.path + "/notes/mine.txt")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
        #expect(try texts(copy).count == 40)
    }

    @Test("A folder is not copied into itself, not through a link either")
    func itself() throws {
        let folder = TemporaryFolder()
        let one = folder.url.appending(path: "one")
        let driver = driver(one)
        try fill(driver, "one", 2)
        let link = folder.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: one)
        for url in [one, one.appending(path: "copy"), link.appending(path: "copy")] {
            let error = #expect(throws: CRUDRepositoryError.self) {
                try driver.withLock { try driver.copy(to: url) {} }
            }
            #expect(error?.code == .unsupported, "\(String(describing: error))")
        }
        #expect(!exists(one.appending(path: "copy")))
    }
}
