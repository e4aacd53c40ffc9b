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
