import Foundation
import RepositorySQL
import Testing

@testable import RepositoryTesting

/// External data and indexes of tables that get other names.
@Suite("What moves with a renamed table of a driver", .serialized)
struct SQLMovedTableTests {
    private enum Slots: PictureSlotSet { static let slots = PictureSlots() }

    private static let seeds =
        0..<(ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1" ? 24 : 6)

    @Test("Everything has moved", arguments: MovedTables.Scenario.allCases)
    func moved(_ scenario: MovedTables.Scenario) async throws {
        try await SQLStoreTests.withFolder { path in
            try await MovedTables(checksIDs: false) { SQLStore(ExampleDriver(path: path)) }.run(
                scenario)
        }
    }

    @Test("All bytes, found records and next ids are as before", arguments: seeds)
    func random(_ seed: Int) async throws {
        try await SQLStoreTests.withFolder { path in
            var moves = RandomMoves<Slots>(seed, checksIDs: false) {
                SQLStore(ExampleDriver(path: path))
            }
            try await moves.run()
        }
    }
}
