import Foundation
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// What stands beside the records of a table and has its name: external data, counters of given
/// ids, indexes.
@Suite("What moves with a renamed table")
struct MovedTableTests {
    /// A store of documents that can be opened again.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable () -> any EntityStore

        static var all: [Place] {
            let folder = TemporaryFolder()
            let driver = SmallDriver()
            return [
                Place(testDescription: "files") { FileSystemStore(directory: folder.url) },
                Place(testDescription: "the smallest driver") {
                    DocumentStore(driver, transformer: JSONDataTransformer())
                },
            ]
        }
    }

    @Test("Everything has moved", arguments: MovedTables.Scenario.allCases)
    func moved(_ scenario: MovedTables.Scenario) async throws {
        for place in Place.all { try await MovedTables(place.make).run(scenario) }
    }

    @Test("The exchange is interrupted at any operation on files")
    func interrupted() async throws {
        let (old, new) = try MovedTables.exchanging()
        let full = TemporaryFolder()
        let tables = MovedTables { FileSystemStore(directory: full.url) }
        try await tables.fillBoth(FileSystemStore(directory: full.url), old)
        var outcomes: Set<Bool> = []
        let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
        for number in stride(from: 1, to: Int.max, by: isLong ? 7 : 97) {
            let folder = TemporaryFolder()
            try FileManager.default.copyItem(at: full.url, to: folder.url)
            let operations = FailingFileOperations(failing: number, forEver: true)
            let driver = FileDriver(
                root: folder.url, formatExtension: "json", providesStamps: true,
                operations: operations)
            let store = DocumentStore(driver, transformer: JSONDataTransformer())
            let isDone = await errorCode { try await store.open(new) } == nil
            outcomes.insert(isDone)
            do {
                try await tables.checkExchanged(FileSystemStore(directory: folder.url), new)
            } catch {
                Issue.record(error, "operation \(number)")
            }
            if !operations.hasFailed { break }
        }
        #expect(outcomes == [true, false])
    }
}
