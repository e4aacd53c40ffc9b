import Foundation
import RepositoryTesting
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// What the suite of behaviours cannot see of external data: which chunks a store has.
@Suite("External data")
struct ExternalDataTests {
    /// A folder for one test.
    private final class Folder: Sendable {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "external-\(UUID().uuidString)")

        deinit { try? FileManager.default.removeItem(at: url) }

        var store: FileSystemStore { FileSystemStore(directory: url) }

        /// The repositories of a new store.
        func gallery() -> Conformance { .gallery(store) }

        /// The names of the files in the folder of the photos' external data.
        func chunks() -> [String] {
            let path = url.appendingPathComponent(".repository/external_photos").path
            return (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
        }
    }

    private let bytes = Bytes.random(600_000)

    @Test("A chunk is a file; nothing else is left after each write")
    func files() async throws {
        let folder = Folder()
        let gallery = folder.gallery()
        try await gallery.photos.create(Photo(id: "a", image: ExternalData(bytes)))
        #expect(folder.chunks().count == 3)
        try await gallery.photos.update(Photo(id: "a", image: ExternalData(Data([1]))))
        #expect(folder.chunks().count == 1)
        await #expect(throws: CRUDRepositoryError.self) {
            try await gallery.photos.create(Photo(id: "a", image: ExternalData(bytes)))
        }
        #expect(folder.chunks().count == 1)
        struct Refusal: Error {}
        await #expect(throws: Refusal.self) {
            try await gallery.transaction { gallery in
                try await gallery.photos.create(Photo(id: "b", image: ExternalData(bytes)))
                throw Refusal()
            }
        }
        #expect(folder.chunks().count == 1)
        try await gallery.transaction { gallery in
            try await gallery.photos.create(Photo(id: "b", image: ExternalData(bytes)))
            try await gallery.photos.delete("a")
        }
        #expect(folder.chunks().count == 3)
        try await gallery.photos.deleteAll()
        #expect(folder.chunks() == [])
    }

    @Test("What an interrupted write leaves is removed at the next opening")
    func interrupted() async throws {
        let folder = Folder()
        let store = folder.store
        let gallery = folder.gallery()
        try await gallery.photos.create(Photo(id: "a", image: ExternalData(bytes)))
        // The process ends between the chunks and the record.
        let driver = try #require(
            (store.store as? DocumentStore<FileDriver>)?.driver)
        try driver.withLock {
            let storage = DocumentStorage<Photo>(
                driver, RecordCoder(transformer: JSONDataTransformer()),
                staged: StagedChanges())
            let new = ExternalContent<Photo.ID>(id: "b", content: ExternalData(bytes).description)
            let old = ExternalContent<Photo.ID>(id: "a", content: ExternalData(bytes).description)
            try storage.noteUnsettled([new, old])
            for index in 0..<3 { try storage.write(Data([1]), index, of: new) }
        }
        #expect(folder.chunks().count == 7)
        let reopened = folder.gallery()
        try await #expect(reopened.photos.read("a").image?.load() == bytes)
        #expect(folder.chunks().count == 3)
        try await reopened.photos.save(Photo(id: "c"))
        try await #expect(reopened.photos.read("a").image?.load() == bytes)
    }

    @Test("Rebuilding the indexes removes chunks that no record has")
    func rebuilt() async throws {
        let folder = Folder()
        let gallery = folder.gallery()
        try await gallery.photos.create(Photo(id: "a", image: ExternalData(bytes)))
        try await gallery.photos.create(Photo(id: "b", image: ExternalData(Data([2]))))
        let file = folder.url.appendingPathComponent("photos/item_a.json")
        try FileManager.default.removeItem(at: file)
        #expect(folder.chunks().count == 4)
        try await gallery.context.store.rebuildIndexes()
        #expect(folder.chunks().count == 1)
        try await #expect(gallery.photos.read("b").image?.load() == Data([2]))
    }

    @Test("Damaged, exchanged and missing chunks are errors")
    func damaged() async throws {
        let folder = Folder()
        let gallery = folder.gallery()
        try await gallery.photos.create(Photo(id: "a", image: ExternalData(bytes)))
        let chunks = folder.url.appendingPathComponent(".repository/external_photos")
        let names = folder.chunks()
        let (first, second) = (
            chunks.appendingPathComponent(names[0]), chunks.appendingPathComponent(names[1])
        )
        let data = try Data(contentsOf: first)
        let image = try await gallery.photos.read("a").image
        for wrong in [
            try Data(contentsOf: second), Data("{".utf8), Data("{\"data\":\"AA==\"}".utf8),
        ] {
            try wrong.write(to: first)
            do {
                _ = try await image?.load()
                Issue.record("It was loaded.")
            } catch let error as CRUDRepositoryError {
                #expect([.invalidRecord, .externalDataNotFound].contains(error.code))
            }
        }
        try data.write(to: first)
        try await #expect(image?.load() == bytes)
        try FileManager.default.removeItem(at: first)
        await #expect(throws: CRUDRepositoryError.self) { _ = try await image?.load() }
    }

    @Test("The text form is read back, and no other text is")
    func text() throws {
        let data = ExternalData(Data("abc".utf8))
        #expect(
            data.description
                == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad:3")
        #expect(data.sha256.count == 32 && data.sha256.first == 0xba)
        #expect(ExternalData(data.description) == data)
        let other = data.description
        for wrong in [
            "", "abc", other + "0 ", other + ":", "x" + other, other.uppercased(),
            String(other.dropLast(2)), other.replacing(":3", with: ":03"),
            other.replacing(":3", with: ":-3"), other.replacing(":3", with: ":+3"),
            other.replacing("ba", with: "b"),
        ] {
            #expect(ExternalData(wrong) == nil, "\(wrong)")
        }
        let coded = try JSONDecoder().decode(
            [ExternalData].self, from: JSONEncoder().encode([data]))
        #expect(coded == [data])
        #expect(ExternalData(Data()) != data)
    }

    @Test("Bytes in any parts have the same hash", arguments: [0, 1, 55, 56, 63, 64, 65, 1000])
    func parts(_ count: Int) async throws {
        let data = Bytes.random(count)
        for size in [1, 7, 64, 100] {
            let parts = AsyncStream<Data> { stream in
                for start in stride(from: 0, to: count, by: size) {
                    stream.yield(data.dropFirst(start).prefix(size))
                }
                stream.finish()
            }
            let external = try await ExternalData(parts)
            #expect(external == ExternalData(data))
            try await #expect(external.load() == data)
        }
    }
}
