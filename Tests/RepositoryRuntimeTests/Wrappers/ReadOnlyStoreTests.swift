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
                let changes: [(String, () async throws -> Void)] = [
                    ("create", { try await read.create(Volume(code: "b")) }),
                    ("update", { _ = try await read.update(Volume(code: "a")) }),
                    ("save", { try await read.save(Volume(code: "a")) }),
                    ("delete", { try await read.delete(id: "a") }),
                    ("begin", { _ = try await read.context.store.begin() }),
                    ("createAll", { try await read.createAll([Volume(code: "b")]) }),
                    ("deleteAll", { _ = try await read.deleteAll() }),
                    ("reset", { try await read.context.store.reset(schema) }),
                    ("rebuildIndexes", { try await read.context.store.rebuildIndexes() }),
                    ("compact", { try await read.context.store.compact() }),
                    ("restore", { try await read.context.store.restore(from: folder) }),
                    (
                        "repair",
                        { _ = try await read.context.store.check(schema, repair: true) }
                    ),
                ]
                for (name, change) in changes {
                    do {
                        try await change()
                        Issue.record("'\(name)' changed a store that only reads.")
                    } catch let error as CRUDRepositoryError {
                        #expect(error.code == .unsupported, "\(name): \(error)")
                    }
                }
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
}
