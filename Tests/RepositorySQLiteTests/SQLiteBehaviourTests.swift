import Foundation
import RepositorySQLite
import RepositoryTesting
import Testing

/// The behaviours that every store shows, in a database in memory; one in a file is among the stores of the suite's own
/// tests.
@Suite struct SQLiteBehaviourTests {
    @Test(arguments: StoreBehaviour.all)
    func inMemory(_ behaviour: StoreBehaviour) async throws {
        _ = try await behaviour.check { _ in SQLiteStore.inMemory() }
    }
}

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
