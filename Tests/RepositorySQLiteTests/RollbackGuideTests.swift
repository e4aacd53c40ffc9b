import Foundation
import Generated
import RepositoryRuntime
import RepositorySQLite
import Testing

/// The code of the page 'App, extension, rollback'.
private enum Guide {
    static func openInApp(_ library: Library, copy: URL, aside: URL) async throws -> Int {
        let plan = try await library.migrationPlan()
        for try await progress in library.migrate(backup: copy, unreadable: .setAside(aside)) {
            print("\(progress.done) of \(progress.total) records")
        }
        return plan.records
    }

    static func openInExtension(_ store: any EntityStore) async throws -> Int? {
        let library = Library(store, opening: .refuse)
        do {
            return try await library.books.count()
        } catch let error as CRUDRepositoryError
            where error.code == .schemaMismatch || error.code == .migrating
        {
            return nil  // "Open the app to update your library."
        }
    }

    static func restore(_ copy: URL, to database: URL) throws {
        for ending in ["", "-wal", "-shm"] {
            let file = URL(filePath: database.path + ending)
            if FileManager.default.fileExists(atPath: file.path) {
                try FileManager.default.removeItem(at: file)
            }
        }
        try FileManager.default.copyItem(at: copy, to: database)
    }
}

@Suite("App, extension, rollback")
struct RollbackGuideTests {
    private let package = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func showsTheCodeThatIsTested() throws {
        let page = try String(
            contentsOf: package.appending(
                path: "Sources/RepositoryRuntime/Documentation.docc/AppExtensionRollback.md"),
            encoding: .utf8)
        let tested = try String(contentsOfFile: #filePath, encoding: .utf8)
            .replacing("static func", with: "func").filter { !$0.isWhitespace }
        let blocks = page.components(separatedBy: "<!-- run -->\n```swift\n").dropFirst()
        #expect(blocks.count == 3)
        for block in blocks {
            let code = block.components(separatedBy: "\n```")[0].filter { !$0.isWhitespace }
            #expect(tested.contains(code), "\(block)")
        }
    }

    @Test func works() async throws {
        try await withFolder { folder in
            let database = URL(filePath: folder + "/library.sqlite")
            let copy = URL(filePath: folder + "/before.sqlite")
            let aside = URL(filePath: folder + "/aside.jsonl")
            try FileManager.default.copyItem(
                at: package.appending(path: "Tests/EarlierStores/Library1/library.sqlite"),
                to: database)
            #expect(try await Guide.openInExtension(SQLiteStore(path: database.path)) == nil)
            let library = Library(SQLiteStore(path: database.path))
            let records = try await Guide.openInApp(library, copy: copy, aside: aside)
            #expect(records >= 3)
            #expect(!FileManager.default.fileExists(atPath: aside.path))
            let count = try await library.books.count()
            #expect(try await Guide.openInExtension(SQLiteStore(path: database.path)) == count)
            // The copy is the data of version 1.
            try Guide.restore(copy, to: database)
            let plan = try await Library(SQLiteStore(path: database.path)).migrationPlan()
            #expect(plan.from == .released(1))
            #expect(try await Guide.openInExtension(SQLiteStore(path: database.path)) == nil)
        }
    }
}
