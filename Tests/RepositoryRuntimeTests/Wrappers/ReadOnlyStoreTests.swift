import Foundation
import Testing

@testable import RepositoryRuntime

/// Stores that only read.
@Suite struct ReadOnlyStoreTests {
    private let schema = StoreSchema("Volumes", [Volume.self])

    private func volumes(_ store: any EntityStore) -> VolumeRepository {
        VolumeRepository(RepositoryContext(store: store, schema: schema))
    }

    /// The paths and contents of all files of a folder.
    private func contents(_ folder: URL) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            files[path] = FileManager.default.contents(atPath: folder.path + "/" + path) ?? Data()
        }
        return files
    }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "read-only-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test func readsAndRefusesChanges() async throws {
        try await withFolder { folder in
            for store in [InMemoryStore(), FileSystemStore(directory: folder)]
                as [any EntityStore]
            {
                let all = volumes(store)
                try await all.save(Volume(code: "a"))
                let read = volumes(store.readOnly())
                #expect(try await read.fetch().map(\.code) == ["a"])
                #expect(try await read.count() == 1)
                let (target, volume) = (read.context.store, Volume(code: "b"))
                let changes: [(String, () async throws -> Void)] = [
                    ("create", { try await target.create(volume) }),
                    ("update", { _ = try await target.update(Volume(code: "a")) }),
                    ("save", { _ = try await target.save(volume) }),
                    ("delete", { try await target.delete(Volume.self, id: "a") }),
                    ("createAll", { try await target.createAll([volume]) }),
                    ("saveAll", { _ = try await target.saveAll([volume]) }),
                    (
                        "deleteAll of ids",
                        { _ = try await target.deleteAll(Volume.self, ids: ["a"]) }
                    ),
                    ("deleteAll", { _ = try await target.deleteAll(Volume.self) }),
                    ("updateAll", { _ = try await target.updateAll(Query<Volume>.all) { $0 } }),
                    (
                        "writeExternalChunk",
                        {
                            try await target.writeExternalChunk(
                                Volume.self, id: "a", content: "1", index: 0, Data([1]))
                        }
                    ),
                    ("begin", { _ = try await target.begin() }),
                    ("reset", { try await target.reset(schema) }),
                    ("rebuildIndexes", { try await target.rebuildIndexes() }),
                    ("compact", { try await target.compact() }),
                    ("restore", { try await target.restore(from: folder) }),
                    ("repair", { _ = try await target.check(schema, repair: true) }),
                ]
                let before = try? contents(folder)
                for (name, change) in changes {
                    do {
                        try await change()
                        Issue.record("'\(name)' changed a store that only reads.")
                    } catch let error as CRUDRepositoryError {
                        #expect(error.code == .unsupported, "\(name): \(error)")
                    }
                }
                #expect((try? contents(folder)) == before)
                #expect(try await all.fetch().map(\.code) == ["a"])
                #expect(try await read.context.store.check(schema, repair: false).problems.isEmpty)
            }
        }
    }

    @Test func nothingIsMadeByOpening() async throws {
        try await withFolder { folder in
            let store = FileSystemStore(directory: folder)
            do {
                _ = try await volumes(store.readOnly()).count()
                Issue.record("A store without data was opened.")
            } catch let error as CRUDRepositoryError {
                #expect(error.code == .schemaMismatch)
            }
            #expect(!FileManager.default.fileExists(atPath: folder.path))

            try await volumes(store).save(Volume(code: "a"))
            let before = try contents(folder)
            let other = FileSystemStore(directory: folder).readOnly()
            #expect(try await volumes(other).fetch().count == 1)
            #expect(try contents(folder) == before)
        }
    }

    @Test func transactionsOfTheWrappedStoreAreNotJoined() async throws {
        let all = volumes(InMemoryStore())
        try await all.save(Volume(code: "a"))
        let read = volumes(all.context.store.readOnly())
        try await read.context.open()
        _ = try await all.context.transaction { _ in
            try await all.save(Volume(code: "b"))
            await #expect(throws: CRUDRepositoryError.self) {
                try await read.save(Volume(code: "c"))
            }
            #expect(try await read.fetch().map(\.code) == ["a"])
        }
        #expect(try await read.fetch().map(\.code) == ["a", "b"])
    }
}
