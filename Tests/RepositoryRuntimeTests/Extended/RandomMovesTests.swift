import Foundation
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// Random versions of tables with external data and given ids, in stores of documents.
@Suite("Random versions of tables that get other names, in documents")
struct RandomMovesTests {
    private static let seeds =
        0..<(ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1" ? 24 : 3)

    @Test("All records, found records, bytes and next ids are as before", arguments: seeds)
    func random(_ seed: Int) async throws {
        let driver = SmallDriver()
        let harness = StoreHarness { place in
            if seed % 3 == 0 {
                return DocumentStore(driver, transformer: JSONDataTransformer())
            }
            return FileSystemStore(directory: place.directory)
        }
        try await Moves(harness, hasExternalData: true).check(seed: seed)
    }
}
