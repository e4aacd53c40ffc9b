import Foundation
import Generated
import StoredSchema
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// Stores whose description has a format that is not read.
@Suite("Stores in another format")
struct EarlierStoreTests {
    /// Fills a store, gives its description another format, and checks that the store is refused
    /// and not changed.
    private func check(
        _ driver: any DocumentDriver, note: String, format: Int, writer: String,
        _ store: () -> any EntityStore
    ) async throws {
        let client = Client(id: "client", name: "Ada", email: "ada@example.org")
        try await Library(store()).clients.create(client)
        let stored = try driver.get("client", in: "clients")
        let other = Data("{\"format\": \(format), \"tables\": []}".utf8)
        try driver.withLock {
            try driver.setNote(DescriptionNote.name, nil)
            try driver.setNote(note, other)
        }
        for action: (Library) async throws -> Void in [
            { try await $0.open() }, { try await $0.reset() },
            { _ = try await $0.clients.read("client") },
            { _ = try await $0.migrationPlan() },
        ] {
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await action(Library(store()))
            }
            #expect(error?.code == .schemaMismatch)
            #expect(
                error?.message.contains("it was written by \(writer)") == true, "\(error as Any)")
        }
        #expect(stored != nil)
        #expect(try driver.get("client", in: "clients") == stored)
        #expect(try driver.note(note) == other)
    }

    static let formats = [
        ("schema of Library", 1, "an unreleased version of this package"),
        ("schema", 2, "an unreleased version of this package"),
        ("schema", StoreDescription.formatVersion + 1, "a newer program"),
    ]

    @Test("Files are refused", arguments: formats)
    func files(note: String, format: Int, writer: String) async throws {
        let folder = TemporaryFolder()
        let driver = FileDriver(root: folder.url, formatExtension: "json", providesStamps: true)
        try await check(driver, note: note, format: format, writer: writer) {
            FileSystemStore(directory: folder.url, transformer: JSONDataTransformer())
        }
    }

    #if os(Linux)
        @Test("User defaults are refused", arguments: formats)
        func userDefaults(note: String, format: Int, writer: String) async throws {
            let suite = TemporarySuite()
            let driver = UserDefaultsDriver(
                DefaultsDomain(suiteName: suite.name), providesStamps: true)
            try await check(driver, note: note, format: format, writer: writer) {
                UserDefaultsStore(suiteName: suite.name)
            }
        }
    #endif
}
