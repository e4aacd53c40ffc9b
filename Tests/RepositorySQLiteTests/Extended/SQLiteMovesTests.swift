import Foundation
import RepositorySQLite
import RepositoryTesting
import Testing

/// What stands beside the records of tables that get other names, in SQLite.
@Suite("Random versions of tables that get other names, in SQLite")
struct SQLiteMovesTests {
    private static let seeds =
        0..<(ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1" ? 60 : 8)

    @Test("All records, found records and next ids are as before", arguments: seeds)
    func random(_ seed: Int) async throws {
        let harness = StoreHarness { place in
            SQLiteStore(path: place.directory.appending(path: "moves.sqlite").path)
        }
        try await Moves(harness, hasExternalData: true).check(seed: seed)
    }
}
