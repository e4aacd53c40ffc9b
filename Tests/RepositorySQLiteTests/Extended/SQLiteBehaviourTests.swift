import Foundation
import RepositorySQLite
import RepositoryTesting
import Testing

/// The behaviours that every store shows, in a database in memory: every twelfth, with
/// `REPOSITORY_LONG=1` all. A database in a file is among the stores of the suite's own tests, with
/// every behaviour.
@Suite struct SQLiteBehaviourTests {
    private static let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"

    @Test func inMemory() async {
        let chosen = StoreBehaviour.all.enumerated()
            .filter { Self.isLong || $0.offset % 12 == 0 }.map(\.element)
        let results = await StoreBehaviour.checkAll(chosen) { behaviour in
            try await behaviour.check { _ in SQLiteStore.inMemory() }
        }
        for case (let behaviour, .failure(let error)) in results {
            Issue.record("\(behaviour.id): \(error)")
        }
        #expect(results.count == chosen.count)
    }
}
