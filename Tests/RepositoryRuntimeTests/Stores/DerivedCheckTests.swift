import Foundation
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// Checks of what document stores and the memory store keep beside the records.
@Suite("Checks of counters and external data")
struct DerivedCheckTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "check-\(UUID().uuidString)")

    private static func draft(_ text: String) -> RecordDraft<Receipt> {
        var draft = RecordDraft<Receipt>()
        draft.text = text
        return draft
    }

    @Test("A counter that is behind the ids of the records is repaired")
    func counter() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for store: any EntityStore in [InMemoryStore(), FileSystemStore(directory: folder)] {
            let set = Receipts(store)
            try await set.receipts.createAll((0..<3).map { Self.draft("\($0)") })
            try await set.receipts.deleteAll(ids: [2])
            #expect(try await set.check().problems == [])
            _ = try await store.save(IDCounter(id: .init(Receipt.Mapper.table.name), last: 1))
            let found = try await set.check()
            #expect(found.problems.map(\.kind) == [.outdatedCounter], "\(store.name)")
            #expect(found.problems.map(\.field) == ["id"])
            #expect(try await set.check(repair: true).isSound)
            #expect(try await set.check().problems == [])
            #expect(try await set.receipts.create(Self.draft("next")).id == 4)
        }
    }

    @Test("A counter that cannot be read begins after the greatest id")
    func unreadableCounter() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let set = Receipts(FileSystemStore(directory: folder))
        try await set.receipts.createAll((0..<3).map { Self.draft("\($0)") })
        let file = folder.appending(
            path: "repository_ids/item_\(Receipt.Mapper.table.name).json")
        try Data("{}".utf8).write(to: file)
        let again = Receipts(FileSystemStore(directory: folder))
        #expect(try await again.check().problems.map(\.kind) == [.outdatedCounter])
        #expect(try await again.check(repair: true).isSound)
        #expect(try await again.receipts.create(Self.draft("next")).id == 4)
    }

    @Test("Chunks that are missing or changed are reported with their record and field")
    func externalData() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let gallery = Conformance.gallery(FileSystemStore(directory: folder))
        let bytes = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try await gallery.photos.create(Photo(id: "a", image: ExternalData(bytes)))
        try await gallery.photos.create(Photo(id: "b", image: ExternalData(Data([1, 2]))))
        #expect(try await gallery.check().problems == [])
        let chunks = folder.appending(path: ".repository/external_photos")
        let names = try FileManager.default.contentsOfDirectory(atPath: chunks.path)
        // Each of the three files of the first photo, missing and with another last byte.
        for name in names {
            let file = chunks.appending(path: name)
            let whole = try Data(contentsOf: file)
            for damaged in [nil, whole.dropLast() + [whole[whole.count - 1] ^ 1]] {
                try FileManager.default.removeItem(at: file)
                if let damaged { try Data(damaged).write(to: file) }
                let other = Conformance.gallery(FileSystemStore(directory: folder))
                let found = try await other.check()
                #expect(found.problems.map(\.kind) == [.damagedExternalData], "\(name)")
                #expect(found.problems.map(\.field) == ["image"])
                try whole.write(to: file)
            }
        }
        #expect(try await gallery.check().problems == [])
    }
}
