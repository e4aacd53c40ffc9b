import Foundation
import StoredSchema
import Synchronization
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// What other programs see of a migration of files, and the copy of the folder.
@Suite("The control of migrations of files", .timeLimit(.minutes(60)))
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

    @Test func recordsAreSetAside() async throws {
        struct Problem: Error {}
        try await withBooks { folder in
            let url = folder.deletingLastPathComponent().appending(path: "aside.jsonl")
            let table = folder.appending(path: "books")
            let names = try FileManager.default.contentsOfDirectory(atPath: table.path)
            let name = names.first { $0.contains("book") && $0.contains("1") }
            let broken = table.appending(path: try #require(name, "\(names)"))
            try Data("{\"title\": ".utf8).write(to: broken)
            let schema = try BookPrograms.third { old, new in
                switch try old.value("id", as: String.self) {
                case "book-2": throw Problem()
                case "book-3": new.set(Decimal(-1), "price")
                default: new.set(Decimal(1), "price")
                }
                return true
            }
            let new = books(BookVersions.Three.self, folder, schema)
            let error = await #expect(throws: CRUDRepositoryError.self) { try await new.count() }
            #expect(error?.code == .schemaMismatch)
            var control = MigrationControl()
            control.unreadable = .setAside(broken)
            await #expect(throws: CRUDRepositoryError.self) {
                try await new.context.migrate(control)
            }
            #expect(try Data(contentsOf: broken) == Data("{\"title\": ".utf8))
            control.unreadable = .setAside(url)
            try await new.context.migrate(control)
            #expect(try await new.ids().map(\.rawValue).sorted() == ["book-0", "book-4"])
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
            }
            #expect(lines.first?["set"] as? String == "Versions")
            #expect(
                lines.dropFirst().compactMap { $0["id"] as? String }.sorted()
                    == (1...3).map { "book-\($0)" })
            let unreadable = lines.first { $0["id"] as? String == "book-1" }
            #expect(unreadable?["document"] as? String == "{\"title\": ")
        }
    }

    /// A function over several tables that meets a document that cannot be read.
    @Test func functionsOverTablesSetAside() async throws {
        let folder = TemporaryFolder()
        let url = folder.url.appending(path: "aside.jsonl")
        let store = folder.url.appending(path: "store")
        let (first, second) = try StoreBehaviour.splitting(ClientVersions.splitting)
        try await books(ClientVersions.One.self, store, first).createAll(
            ["a", "b", "c"].map { .init($0, .text($0), .text("Rome")) })
        let broken = store.appending(path: "clients/item_b.json")
        try Data("{\"name\": ".utf8).write(to: broken)
        let clients = books(ClientVersions.Two.self, store, second)
        let error = await #expect(throws: CRUDRepositoryError.self) { try await clients.count() }
        #expect(error?.code == .schemaMismatch)
        #expect(error?.message.contains("'clients' cannot be read, in 1 record: 'b'") == true)
        #expect(try Data(contentsOf: broken) == Data("{\"name\": ".utf8))
        var control = MigrationControl()
        control.unreadable = .setAside(url)
        try await clients.context.migrate(control)
        #expect(try await clients.ids().map(\.rawValue) == ["a", "c"])
        let addresses = books(ClientVersions.Addresses.self, store, second)
        #expect(try await addresses.count() == 1)
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.last?.contains("\"document\":\"{\\\"name\\\": \"") == true, "\(lines)")
        #expect(!FileManager.default.fileExists(atPath: broken.path))
    }
}
