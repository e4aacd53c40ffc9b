import Foundation
import RepositoryRuntime
import RepositoryTesting
import Testing

@testable import RepositorySQLite

/// Checks of what the store derives from the records or keeps beside them.
@Suite struct SQLiteDerivedCheckTests {
    /// Stores essays and photos, changes the database as another program would, and returns what a
    /// check finds and repairs.
    private func check(
        _ damage: String, _ body: (StoreCheck, StoreCheck, StoreCheck) throws -> Void
    ) async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let store = SQLiteStore(path: path)
            let (gallery, library) = (Conformance.gallery(store), Conformance.plain(store))
            func check(repair: Bool = false) async throws -> StoreCheck {
                var check = try await gallery.check(repair: repair)
                check.problems += try await library.check(repair: repair).problems
                return check
            }
            // A search indexes the records when more than a few are new.
            try await library.essays.createAll(
                (0..<100).map {
                    Essay(number: .init($0), title: $0 % 2 == 0 ? "Of ships" : "Of the sea")
                })
            #expect(try await library.essays.search("sea", limit: 100).count == 50)
            let bytes = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try await gallery.photos.create(Photo(id: "a", image: ExternalData(bytes)))
            try await gallery.photos.create(Photo(id: "b", image: ExternalData(Data([1, 2]))))
            #expect(try await check().problems == [])
            try PlainDatabase(path).run(damage)
            let found = try await check()
            let repaired = try await check(repair: true)
            try body(found, repaired, await check())
        }
    }

    @Test func aSearchIndexThatLacksWordsIsRebuilt() async throws {
        try await check(
            "DELETE FROM \"repository_search words: \"\"essays\"\"\" WHERE word = 'sea'"
        ) { found, repaired, after in
            #expect(found.problems.map(\.kind) == [.outdatedSearchIndex])
            #expect(found.problems.map(\.table) == ["essays"])
            #expect(repaired.isSound && repaired.problems.count == 1)
            #expect(after.problems == [])
        }
    }

    @Test(arguments: [
        "DELETE FROM \"repository_external chunks: \"\"photos\"\"\" WHERE k0 = 'a' AND number = 1",
        "UPDATE \"repository_external chunks: \"\"photos\"\"\" SET data = zeroblob(length(data))"
            + " WHERE k0 = 'a' AND number = 1",
    ])
    func missingAndChangedExternalDataIsReported(damage: String) async throws {
        try await check(damage) { found, repaired, after in
            #expect(found.problems.map(\.kind) == [.damagedExternalData])
            #expect(found.problems.map(\.id) == ["a"])
            #expect(found.problems.map(\.field) == ["image"])
            #expect(!repaired.isSound)
            #expect(after.problems == found.problems)
        }
    }
}
