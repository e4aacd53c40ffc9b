import Foundation
import RepositoryTesting
import Synchronization
import Testing

@testable import RepositoryRuntime

@Suite("Reading what the system has in memory")
struct CachedFileTests {
    private let folder = TemporaryFolder()

    private func library(_ operations: any FileOperations = POSIXFileOperations()) -> Conformance {
        Conformance(
            FileSystemStore(
                FileDriver(
                    root: folder.url, formatExtension: "json", providesStamps: true,
                    operations: operations),
                transformer: JSONDataTransformer()))
    }

    /// A text that makes a record's file as large as asked.
    private func text(fileSize: Int) throws -> String {
        let empty = try JSONDataTransformer().encode(Note(id: "a", text: ""))
        return String(repeating: "x", count: fileSize - empty.count)
    }

    @Test("Records of all sizes about those of pages and of the buffer")
    func sizes() async throws {
        for size in [4_096, 8_192, 16_384, 32_768, 100_000].flatMap({ [$0 - 1, $0, $0 + 1] }) {
            let library = library()
            let note = Note(id: "a", text: try text(fileSize: size))
            try await library.notes.save(note)
            let file = folder.url.appendingPathComponent("notes/item_a.json")
            #expect(try Data(contentsOf: file).count == size)
            #expect(try await library.notes.read("a") == note)
            // The calls of the system once more, on a file system that may not say what it has in memory.
            #expect(try await self.library(CountingFileOperations()).notes.read("a") == note)
        }
    }

    @Test("Bytes that the system no longer has in memory are read with waiting")
    func evicted() async throws {
        let library = library()
        let note = Note(id: "a", text: try text(fileSize: 12_288))
        try await library.notes.create(note)
        #if os(Linux)
            let path = folder.path("notes/item_a.json")
            let file = open(path, O_RDONLY)
            #expect(posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0)
            close(file)
        #endif
        #expect(try await library.notes.read("a") == note)
        #expect(try await library.notes.read("a") == note)
    }

    @Test("Records that must be fetched are fetched together, and come in their order")
    func together() async throws {
        let operations = CountingFileOperations()
        let library = library(operations)
        let notes = (100..<400).map { Note(id: .init("\($0)"), text: "\($0)") }
        try await library.notes.createAll(notes)
        operations.memory.withLock { $0 = .holdsNothing }
        _ = operations.taken()
        #expect(try await library.notes.fetch() == notes)
        #expect(operations.taken().filter { $0 == "open" }.count > notes.count)
        try folder.write("{", to: "notes/item_150.json")
        #expect(await errorCode { try await library.notes.fetch() } == .invalidRecord)
        try await library.notes.delete("150")
        #expect(try await library.notes.fetch() == notes.filter { $0.id != "150" })
        #expect(try await library.notes.read("151").text == "151")
        #expect(try await library.notes.exists("151"))
        #expect(await errorCode { try await library.notes.read("150") } == .recordNotFound)
    }

    @Test("What is no file of a record is what it was for the reader that waits")
    func others() async throws {
        for operations in [POSIXFileOperations() as any FileOperations, CountingFileOperations()] {
            let library = library(operations)
            try await library.notes.save(Note(id: "a", text: "a"))
            #expect(await errorCode { try await library.notes.read("b") } == .recordNotFound)
            #expect(try await !library.notes.exists("b"))
            #expect(try await library.notes.exists("a"))
            try folder.write("", to: "notes/item_empty.json")
            #expect(await errorCode { try await library.notes.read("empty") } == .invalidRecord)
            try folder.write("{", to: "notes/item_half.json")
            #expect(await errorCode { try await library.notes.read("half") } == .invalidRecord)
            try folder.write("{}", to: "notes/item_folder.json/x")
            #expect(await errorCode { try await library.notes.read("folder") } == .invalidRecord)
            try folder.write(
                #"{"id":"By hand","text":"t","rank":0}"#, to: "notes/item_By hand.json")
            #expect(try await library.notes.read("By hand").text == "t")
            #expect(try await library.notes.exists("By hand"))
            try FileManager.default.removeItem(atPath: folder.path("notes"))
        }
    }
}
