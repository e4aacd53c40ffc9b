import Foundation
import Generated
import RepositoryRuntime
import RepositorySQLite
import RepositoryTesting
import Testing

@Suite("The versions of the library", .timeLimit(.minutes(60)))
struct LibraryMigrationTests {
    @Test("migrate on every store")
    func library() async throws {
        let sqlite = StoreHarness { place in
            SQLiteStore(path: place.directory.appending(path: "library.sqlite").path)
        }
        let report = try await checkMigrations(
            Library.self, stores: StoreHarness.persistentStores + [sqlite], records: 12)
        print(report)
        #expect(report.versions == [1, 2, 3])
        #expect(report.stores.count == 6)
        #expect(report.calls > 0)
    }

    @Test("are compared by their stored values")
    func equal() {
        typealias Shelf = LibraryVersions.V2.Shelf
        let shelf = Shelf(room: "A", row: 1)
        #expect(shelf == Shelf(room: "A", row: 1))
        #expect(shelf != Shelf(room: "A", row: 2))
        #expect(shelf != Shelf(room: "B", row: 1))
        let id = LibraryVersions.BookID(rawValue: "1")
        #expect(id == LibraryVersions.BookID<String>(rawValue: "1"))
        #expect(id != LibraryVersions.BookID(rawValue: "2"))
    }
}
