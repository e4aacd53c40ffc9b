import Foundation
import RepositorySQLite
import RepositoryTesting
import Testing

/// The behaviours that every store shows, in a database in memory; one in a file is among the stores of the suite's own
/// tests.
@Suite struct SQLiteBehaviourTests {
    @Test func inMemory() async {
        let results = await StoreBehaviour.checkAll(StoreBehaviour.all) { behaviour in
            try await behaviour.check { _ in SQLiteStore.inMemory() }
        }
        for case (let behaviour, .failure(let error)) in results {
            Issue.record("\(behaviour.id): \(error)")
        }
        #expect(results.count == StoreBehaviour.all.count)
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
