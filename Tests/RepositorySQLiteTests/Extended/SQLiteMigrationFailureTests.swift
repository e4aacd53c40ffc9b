import Foundation
import RepositoryRuntime
import Testing

@testable import RepositorySQLite
@testable import RepositoryTesting

/// Every call of the file system that a migration makes fails in turn.
@Suite("Migrations of SQLite that fail")
struct SQLiteMigrationFailureTests {
    private typealias Fault = FailingFileSystem.Fault

    private func records<S: VersionShape>(
        _ shape: S.Type, _ folder: String, _ schema: StoreSchema,
        _ system: FailingFileSystem? = nil
    ) -> VersionedRepository<S> {
        var location = SQLiteLocation.file(folder + "/data.sqlite", busyTimeout: .seconds(3_600))
        location.fileSystem = system?.name
        return VersionedRepository(
            RepositoryContext(store: SQLiteStore(location), schema: schema, fullScans: .allow))
    }

    private let books = (0..<40).map { number in
        BookVersions.First(
            "\(number + 10)", .text("T"), .null, .integer(Int64(number)), .null, .text("1"))
    }

    @Test(
        "At any call, the data is as before, and the old program goes on", arguments: [false, true])
    func failing(forEver: Bool) async throws {
        let old = try BookPrograms.first()
        let new = try BookPrograms.third(BookPrograms.price(CallCounter()))
        for fault in Fault.allCases {
            var failed = 0
            for number in 1... {
                let hasFailed = try await withFolder { folder in
                    try await records(BookVersions.One.self, folder, old).createAll(books)
                    let system = try FailingFileSystem(fault, forEver: forEver)
                    defer { system.unregister() }
                    system.arm(failing: number)
                    var isDone = false
                    do {
                        try await records(BookVersions.Three.self, folder, new, system)
                            .context.store.open(new)
                        isDone = true
                    } catch {
                        #expect(error is CRUDRepositoryError)
                    }
                    guard system.hasFailed else { return false }
                    system.arm(failing: 0)
                    if !isDone {
                        do {
                            try await #expect(
                                records(BookVersions.One.self, folder, old).fetch() == books)
                        } catch let error as CRUDRepositoryError {
                            // Only the answer of the commit was lost.
                            #expect(error.message.contains("newer program"), "\(error)")
                        }
                    }
                    try await #expect(
                        records(BookVersions.Three.self, folder, new).count() == books.count)
                    return true
                }
                if !hasFailed { break }
                failed += 1
            }
            #expect(failed > 0)
        }
    }
}
