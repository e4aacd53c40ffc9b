import Foundation
import RepositorySQLite
import RepositoryTesting
import Testing

/// The versions of a schema over the same database file.
@Suite struct SQLiteMigrationTests {
    @Test(arguments: StoreBehaviour.migrations)
    func file(_ behaviour: StoreBehaviour) async throws {
        let outcome = try await behaviour.check { place in
            SQLiteStore(path: place.directory.appending(path: "data.sqlite").path)
        }
        guard case .passed = outcome else {
            Issue.record("It does not apply: \(outcome)")
            return
        }
    }
}
