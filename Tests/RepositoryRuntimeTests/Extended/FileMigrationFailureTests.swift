import Foundation
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// Every file operation of a migration fails in turn.
@Suite("Migrations of files that fail", .timeLimit(.minutes(60)))
struct FileMigrationFailureTests {
    private func records<S: VersionShape>(
        _ shape: S.Type, _ folder: TemporaryFolder, _ schema: StoreSchema,
        _ operations: any FileOperations = POSIXFileOperations()
    ) -> VersionedRepository<S> {
        let driver = FileDriver(
            root: folder.url, formatExtension: "json", providesStamps: true, operations: operations)
        return VersionedRepository(
            RepositoryContext(
                store: DocumentStore(driver, transformer: JSONDataTransformer()), schema: schema,
                fullScans: .allow))
    }

    private let books = (0..<3).map { number in
        BookVersions.First(
            "\(number + 10)", .text("T"), .text("subtitle"), .integer(Int64(number)), .null,
            .text("1"))
    }

    private let migrated = (0..<3).map { number in
        BookVersions.Third(
            "\(number + 10)", .text("T"), .decimal(Decimal(number) / 100), .integer(0),
            .integer(1), .text("en"))
    }

    @Test(
        "At any operation, the old program or the new one goes on with all records",
        arguments: FailingFileOperations.Fault.allCases, [false, true])
    func failing(fault: FailingFileOperations.Fault, forEver: Bool) async throws {
        let old = try BookPrograms.first()
        let new = try BookPrograms.third(BookPrograms.price(CallCounter()))
        var (failed, thrown, kept) = (0, 0, 0)
        // Every fourth operation, with `REPOSITORY_LONG=1` each.
        let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
        let step = isLong ? 1 : 4
        for number in stride(from: forEver ? 2 : 1, to: Int.max, by: step) {
            let folder = TemporaryFolder()
            try await records(BookVersions.One.self, folder, old).createAll(books)
            let operations = FailingFileOperations(
                failing: number, fault: fault, forEver: forEver)
            var isDone = false
            do {
                try await records(BookVersions.Three.self, folder, new, operations).context.open()
                isDone = true
            } catch {
                #expect(error is CRUDRepositoryError, "operation \(number): \(error)")
                thrown += 1
            }
            guard operations.hasFailed else {
                #expect(isDone)
                break
            }
            failed += 1
            do {
                let found = try await records(BookVersions.One.self, folder, old).fetch()
                #expect(found == books, "operation \(number)")
                #expect(!isDone, "operation \(number)")
                kept += 1
            } catch let error as CRUDRepositoryError {
                #expect(error.code == .schemaMismatch, "operation \(number): \(error)")
            }
            let after = records(BookVersions.Three.self, folder, new)
            #expect(try await after.fetch() == migrated, "operation \(number)")
            #expect(try await after.find(index: 0, [.text("T")]).count == 3, "operation \(number)")
        }
        print(
            "\(fault), forEver \(forEver): \(failed) operations failed, \(thrown) errors, \(kept) left the old data"
        )
        #expect(failed > 20 / step && thrown > 0 && kept > 0)
    }
}
