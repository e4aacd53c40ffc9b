import Foundation
import StoredSchema
import Synchronization
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// What other programs see of a migration of files, and the copy of the folder.
@Suite("The control of migrations of files", .timeLimit(.minutes(30)))
struct FileMigrationControlTests {
    private typealias First = BookVersions.First

    private func books<S: VersionShape>(
        _ shape: S.Type, _ folder: URL, _ schema: StoreSchema
    ) -> VersionedRepository<S> {
        VersionedRepository(
            RepositoryContext(
                store: FileSystemStore(directory: folder, busyTimeout: .milliseconds(50)),
                schema: schema, fullScans: .allow))
    }

    private func withBooks(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "books-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = folder.appending(path: "store")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await books(BookVersions.One.self, store, BookPrograms.first()).createAll(
            (0..<5).map { number in
                First(
                    "book-\(number)", .text("title"), .null, .integer(Int64(number)), .null,
                    .text("\(number)"))
            })
        try await body(store)
    }

    @Test func othersGetMigratingMeanwhile() async throws {
        try await withBooks { folder in
            let isInside = Atomic(false)
            let mayGoOn = Atomic(false)
            let schema = try BookPrograms.third { _, new in
                isInside.store(true, ordering: .releasing)
                while !mayGoOn.load(ordering: .acquiring) { usleep(1000) }
                new.set(Decimal(1), "price")
                return true
            }
            let old = books(BookVersions.One.self, folder, try BookPrograms.first())
            #expect(try await old.count() == 5)
            let new = books(BookVersions.Three.self, folder, schema)
            let task = Task { try await new.context.open() }
            while !isInside.load(ordering: .acquiring) {
                try await Task.sleep(for: .milliseconds(1))
            }
            let record = First("z", .text("Z"), .null, .integer(1), .null, .text("1"))
            var error = await #expect(throws: CRUDRepositoryError.self) {
                try await old.create(record)
            }
            #expect(error?.code == .migrating && error?.isRetryable == true)
            error = await #expect(throws: CRUDRepositoryError.self) {
                _ = try await books(BookVersions.Three.self, folder, schema).count()
            }
            #expect(error?.code == .migrating)
            mayGoOn.store(true, ordering: .releasing)
            try await task.value
            error = await #expect(throws: CRUDRepositoryError.self) { try await old.create(record) }
            #expect(error?.code == .schemaMismatch)
            #expect(try await new.count() == 5)
        }
    }

    @Test func copyIsTheOldFolder() async throws {
        try await withBooks { folder in
            let copy = folder.deletingLastPathComponent().appending(path: "copy")
            let new = books(
                BookVersions.Three.self, folder, try BookPrograms.third(BookPrograms.price(.init()))
            )
            var control = MigrationControl()
            control.backup = folder.appending(path: "inside")
            await #expect(throws: CRUDRepositoryError.self) {
                try await new.context.migrate(control)
            }
            control.backup = copy
            try await new.context.migrate(control)
            #expect(try await new.count() == 5)
            let old = books(BookVersions.One.self, copy, try BookPrograms.first())
            #expect(try await old.fetch().count == 5)
            // The copy is a store that can be migrated.
            let again = books(
                BookVersions.Three.self, copy, try BookPrograms.third(BookPrograms.price(.init())))
            #expect(try await again.count() == 5)
        }
    }

    @Test func settingAsideIsUnsupported() async throws {
        try await withBooks { folder in
            let new = books(
                BookVersions.Three.self, folder, try BookPrograms.third(BookPrograms.price(.init()))
            )
            var control = MigrationControl()
            control.unreadable = .setAside(folder.appending(path: "aside"))
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await new.context.migrate(control)
            }
            #expect(error?.code == .unsupported)
            let old = books(BookVersions.One.self, folder, try BookPrograms.first())
            #expect(try await old.count() == 5)
        }
    }
}
