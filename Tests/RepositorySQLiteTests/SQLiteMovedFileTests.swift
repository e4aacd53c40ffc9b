import Foundation
import Generated
import RepositoryRuntime
import Testing

@testable import RepositorySQLite

/// Files that another program removes, replaces or renames while a store has them open.
@Suite struct SQLiteMovedFileTests {
    /// What another program does to the files of the database at a path.
    enum Change: CaseIterable {
        case removed, renamed, replaced, folderRenamed, logRemoved, indexRemoved

        func make(at path: String) throws {
            let files = FileManager.default
            switch self {
            case .removed: try files.removeItem(atPath: path)
            case .renamed: try files.moveItem(atPath: path, toPath: path + ".old")
            case .replaced:
                try files.moveItem(atPath: path, toPath: path + ".old")
                try PlainDatabase(path).run("CREATE TABLE other (id)")
            case .folderRenamed:
                let folder = (path as NSString).deletingLastPathComponent
                try files.moveItem(atPath: folder, toPath: folder + ".old")
            case .logRemoved: try files.removeItem(atPath: path + "-wal")
            case .indexRemoved: try files.removeItem(atPath: path + "-shm")
            }
        }
    }

    private func withLibrary(
        _ body: (Library, SQLiteStore, String) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(
                atPath: folder + "/inner", withIntermediateDirectories: false)
            let path = folder + "/inner/data.sqlite"
            let store = SQLiteStore(path: path)
            let library = Library(store)
            try await library.authors.create(Author(name: "A"))
            try await body(library, store, path)
        }
    }

    @Test(arguments: Change.allCases)
    func nothingIsAcknowledged(change: Change) async throws {
        try await withLibrary { library, _, path in
            try change.make(at: path)
            let error = try await expectError(.storeMoved) {
                try await library.authors.create(Author(name: "B"))
            }
            #expect(!error.isRetryable)
            // From then on everything says so, reads on every connection included.
            try await expectError(.storeMoved) { _ = try await library.authors.fetch() }
            try await expectError(.storeMoved) { _ = try await library.authors.ids() }
            try await expectError(.storeMoved) { _ = try await library.authors.read(.generated) }
            try await expectError(.storeMoved) {
                try await library.transaction { _ in }
            }
            try await expectError(.storeMoved) {
                _ = try await library.authors.saveAll([Author(name: "C")])
            }
        }
    }

    @Test(arguments: Change.allCases)
    func transactionsAndOwnSQLAreNotAcknowledged(change: Change) async throws {
        try await withLibrary { library, store, path in
            try await expectError(.storeMoved) {
                try await library.transaction { library in
                    try await library.authors.create(Author(name: "B"))
                    try change.make(at: path)
                    try await library.authors.create(Author(name: "C"))
                }
            }
            try await expectError(.storeMoved) {
                _ = try await store.execute("DELETE FROM authors")
            }
            try await expectError(.storeMoved) { try await store.withConnection { _ in } }
        }
    }

    /// Connections are opened when they are first used: they must not show another file than those
    /// before them.
    @Test func aConnectionOpenedLaterDoesNotShowAnotherFile() async throws {
        try await withLibrary { library, store, path in
            try Change.renamed.make(at: path)
            let other = Library(SQLiteStore(path: path))
            try await other.authors.create(Author(name: "New"))
            try await expectError(.storeMoved) { _ = try await library.authors.fetch() }
            try await expectError(.storeMoved) { _ = try await store.snapshot() }
            #expect(try await other.authors.fetch().map(\.name) == ["New"])
            // What is there now is opened by a new store; what was renamed is whole.
            try await other.authors.create(Author(name: "Newer"))
        }
    }

    @Test func observersNotice() async throws {
        try await withLibrary { _, store, path in
            #expect(try await store.externalState() != nil)
            try Change.removed.make(at: path)
            try await expectError(.storeMoved) { _ = try await store.externalState() }
        }
    }

    @Test func itemsAreNotAcknowledged() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let repository = SQLiteRepository(
                tableName: "items", path: path, dataTransformer: JSONDataTransformer())
            try await repository.create(id: "a", item: "A")
            try FileManager.default.removeItem(atPath: path)
            try await expectError(.storeMoved) { try await repository.create(id: "b", item: "B") }
            try await expectError(.storeMoved) {
                let _: String = try await repository.read(id: "a")
            }
        }
    }

    /// A checkpoint, a second store and a second process change the files and remove none.
    @Test func whatOthersDoInPeaceIsNoMove() async throws {
        try await withLibrary { library, store, path in
            let other = Library(SQLiteStore(path: path))
            for number in 0..<20 {
                try await other.authors.create(Author(name: "other \(number)"))
                try PlainDatabase(path).run("PRAGMA wal_checkpoint(TRUNCATE)")
                try await library.authors.create(Author(name: "own \(number)"))
            }
            try PlainDatabase(path).run("VACUUM")
            try await library.authors.create(Author(name: "last"))
            #expect(try await library.authors.count() == 42)
            _ = store
        }
    }
}
