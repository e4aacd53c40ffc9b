import Foundation
import Generated
import StoredSchema
import Testing

@testable import RepositoryRuntime

/// Data that a program wrote which described each set by itself (format 1): `Tests/EarlierStores/Format1`.
@Suite("Stores of earlier programs")
struct EarlierStoreTests {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "EarlierStores/Format1")

    private func check(_ library: Library) async throws {
        let client = try await library.clients.read("client")
        #expect(client.name == "Ada Lovelace")
        #expect(try await library.books.ids() == ["9780061054884", "9780441478125"])
        #expect(try await library.loans.count() == 1)
        #expect(try await library.clients.find(email: "ada@example.org")?.id == "client")
    }

    private func files() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try FileManager.default.copyItem(
            at: Self.folder.appending(path: "files"), to: folder.url)
        return folder
    }

    private func library(_ folder: TemporaryFolder) -> Library {
        Library(FileSystemStore(directory: folder.url, transformer: JSONDataTransformer()))
    }

    @Test("The fingerprint of the library is what it was")
    func fingerprint() throws {
        let note = Self.folder.appending(path: "files/.repository/schema%20of%20%4Cibrary.note")
        let stored = try SchemaDescription(json: Data(contentsOf: note), store: "files")
        #expect(SchemaDescription(Library.schema).fingerprint == stored.fingerprint)
    }

    @Test("Files are read, and their description is taken over")
    func filesAreRead() async throws {
        let folder = try files()
        try await check(library(folder))
        let names = folder.names(".repository")
        #expect(names.contains("schema.note"))
        #expect(!names.contains("format%20of%20%4Cibrary.note"))
        let driver = FileDriver(root: folder.url, formatExtension: "json", providesStamps: true)
        let description = try #require(try DescriptionNotes(driver: driver).read(for: "Library"))
        #expect(description.sets.map(\.name) == ["Library"])
        #expect(
            description.tables.map(\.table.name) == ["authors", "books", "clients", "loans"])
        #expect(description.tables.allSatisfy { $0.recordFormat == "json" })
        // A program that only knows format 1 throws `schemaMismatch`, and does not take the set for a new one.
        let mark = try #require(try driver.note("schema of Library"))
        #expect(throws: CRUDRepositoryError.self) {
            try SchemaDescription(json: mark, store: "files")
        }
        try await check(library(folder))
    }

    @Test("A set under another name takes over what an earlier program described")
    func renamed() async throws {
        let folder = try files()
        let store = FileSystemStore(directory: folder.url, transformer: JSONDataTransformer())
        let schema = StoreSchema("Archive", Library.schema.entities)
        try await store.open(schema)
        #expect(try await store.count(Book.self) == 2)
        var table = EntityTable("books", entity: "Book")
        table.field("isbn", .int64, key: true)
        let other = FileSystemStore(directory: folder.url, transformer: JSONDataTransformer())
        let error = await #expect(throws: CRUDRepositoryError.self) {
            try await other.open(StoreSchema("Other", [table]))
        }
        #expect(error?.message.contains("'Archive'") == true, "\(error as Any)")
    }

    @Test("Another format of records is noticed")
    func anotherFormat() async throws {
        let folder = try files()
        let store = FileSystemStore(directory: folder.url, transformer: XMLDataTransformer())
        #expect(await errorCode { try await Library(store).books.count() } == .schemaMismatch)
        try await check(library(folder))
    }

    @Test("A reset leaves nothing of the earlier notes")
    func reset() async throws {
        let folder = try files()
        let library = library(folder)
        try await library.reset()
        #expect(folder.names() == [])
        #expect(!folder.names(".repository").contains { $0.hasSuffix(".note") })
        #expect(try await library.books.count() == 0)
    }

    #if os(Linux)
        @Test("User defaults are read, and their description is taken over")
        func userDefaults() async throws {
            let suite = TemporarySuite()
            try FileManager.default.createDirectory(
                at: suite.file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: Self.folder.appending(path: "defaults.plist"), to: suite.file)
            try await check(Library(UserDefaultsStore(suiteName: suite.name)))
            let driver = UserDefaultsDriver(
                DefaultsDomain(suiteName: suite.name), providesStamps: true)
            let description = try #require(
                try DescriptionNotes(driver: driver).read(for: "Library"))
            #expect(description.tables.count == 4)
            try await check(Library(UserDefaultsStore(suiteName: suite.name)))
        }
    #endif
}
