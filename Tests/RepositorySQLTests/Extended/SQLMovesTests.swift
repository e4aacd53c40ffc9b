import Foundation
import RepositorySQL
import RepositoryTesting
import Testing

/// What stands beside the records of tables that get other names, over a driver.
@Suite("Random versions of tables that get other names, over a driver")
struct SQLMovesTests {
    private static let seeds = 0..<(SQLStoreBehaviourTests.isLong ? 60 : 8)

    @Test("All records, found records, bytes and next ids are as before", arguments: seeds)
    func random(_ seed: Int) async throws {
        let harness = SQLStoreBehaviourTests.harness { $0.failureEndsTransaction = true }
        try await Moves(harness, hasExternalData: true).check(seed: seed)
    }
}
