import Foundation
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

@Suite("File systems on which a file has one name only")
struct LinklessTests {
    private func library(
        _ folder: TemporaryFolder, _ operations: any FileOperations = POSIXFileOperations()
    ) -> Conformance {
        let driver = FileDriver(
            root: folder.url, formatExtension: "json", providesStamps: true, operations: operations)
        return StoreScenario.library(FileSystemStore(driver, transformer: JSONDataTransformer()))
    }

    private func copy(_ folder: TemporaryFolder) throws -> TemporaryFolder {
        let copy = TemporaryFolder()
        try FileManager.default.copyItem(at: folder.url, to: copy.url)
        return copy
    }

    private static let scenarios = StoreScenario.all.filter {
        [
            "create", "update", "save", "delete", "batch", "delete batch", "cascade", "update all",
        ].contains($0.testDescription)
    }

    private static let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"

    @Test(
        "A program that dies at any call, in the middle of a file too, leaves all or nothing",
        arguments: scenarios, [FailingFileOperations.Fault.shortWrite, .broken])
    func dies(_ scenario: StoreScenario, _ fault: FailingFileOperations.Fault) async throws {
        // With `REPOSITORY_LONG=1` both kinds of faults for ever and once.
        for forEver in Self.isLong ? [true, false] : [fault == .shortWrite] {
            try await run(scenario, fault, forEver: forEver)
        }
    }

    private func run(
        _ scenario: StoreScenario, _ fault: FailingFileOperations.Fault, forEver: Bool
    ) async throws {
        let prepared = TemporaryFolder()
        try await StoreScenario.prepare(library(prepared))
        let before = try await StoreSnapshot(library(prepared))
        let done = try copy(prepared)
        let linkless = FailingFileOperations(hasNoLinks: true)
        try await scenario.run(library(done, linkless))
        let after = try await StoreSnapshot(library(done))
        #expect(before != after && after.indexesAgree)
        var failures = 0
        // Every fifth call, with `REPOSITORY_LONG=1` each.
        for number in stride(from: 1, to: Int.max, by: Self.isLong ? 1 : 5) {
            let folder = try copy(prepared)
            let operations = FailingFileOperations(
                fault: fault, forEver: forEver, hasNoLinks: true)
            let dying = library(folder, operations)
            _ = try await StoreSnapshot(dying)
            try await dying.settle()
            operations.arm(failing: number)
            var failure: CRUDRepositoryError?
            do { try await scenario.run(dying) } catch let error as CRUDRepositoryError {
                failure = error
                failures += 1
            }
            guard operations.hasFailed else { break }
            let next = library(folder)
            // Whoever writes undoes what was left half done.
            try await next.notes.create(Note(id: "written", text: ""))
            try await next.notes.delete("written")
            let found = try await StoreSnapshot(next)
            #expect(found.indexesAgree)
            if failure == nil {
                #expect(found == after, "\(fault) \(number)")
            } else if failure?.code == .outcomeUnknown {
                #expect(found == before || found == after, "\(fault) \(number)")
            } else {
                #expect(found == before, "\(fault) \(number)")
            }
        }
        #expect(failures > (Self.isLong ? 5 : 1))
    }
}
