import Foundation
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// Random versions of three tables, in stores of documents.
@Suite("Random versions of tables with external data and given ids", .serialized)
struct RandomMovesTests {
    private enum Slots: PictureSlotSet { static let slots = PictureSlots() }

    private static let seeds =
        0..<(ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1" ? 24 : 3)

    @Test("All bytes, found records and next ids are as before", arguments: seeds)
    func random(_ seed: Int) async throws {
        let folder = TemporaryFolder()
        let driver = SmallDriver()
        var moves = RandomMoves<Slots>(seed) {
            if seed % 3 == 0 { return DocumentStore(driver, transformer: JSONDataTransformer()) }
            return FileSystemStore(directory: folder.url)
        }
        try await moves.run()
    }
}
