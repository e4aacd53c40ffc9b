import Foundation
import RepositorySQL
import Testing

@testable import RepositoryTesting

/// External data and indexes of tables that get other names.
@Suite("What moves with a renamed table of a driver", .serialized)
struct SQLMovedTableTests {
    @Test("Everything has moved", arguments: MovedTables.Scenario.allCases)
    func moved(_ scenario: MovedTables.Scenario) async throws {
        try await SQLStoreTests.withFolder { path in
            try await MovedTables { SQLStore(ExampleDriver(path: path)) }.run(
                scenario)
        }
    }
}
