import Foundation
import StoredSchema
import Testing

@testable import RepositoryRuntime

@Suite("Stored forms, byte for byte")
struct StoredFormTests {
    @Test(
        "File names",
        arguments: [
            ("client", "item_client.json"),
            ("a-b_9", "item_a-b_9.json"),
            ("Client", "item_%43lient.json"),
            ("a/b.c", "item_a%2Fb%2Ec.json"),
            ("é", "item_%C3%A9.json"),
            (
                "550E8400-E29B-41D4-A716-446655440000",
                "item_550E8400-E29B-41D4-A716-446655440000.json"
            ),
            (
                "550e8400-e29b-41d4-a716-446655440000",
                "item_550e8400-e29b-41d4-a716-446655440000.json"
            ),
            (
                "550E8400-e29b-41d4-a716-446655440000",
                "item_550%458400-e29b-41d4-a716-446655440000.json"
            ),
        ])
    func fileNames(_ id: String, _ name: String) async throws {
        let folder = TemporaryFolder()
        let repository = FileSystemRepository(
            directoryURL: folder.url, dataTransformer: JSONDataTransformer())
        try await repository.create(id: id, item: "x")
        #expect(folder.names() == [name])
        #expect(try folder.text(name) == "\"x\"")
        try await repository.update(id: id, item: "y")
        #expect(folder.names() == [name])
        try await repository.delete(id: id)
        #expect(folder.names() == [])
    }

    @Test("A long id is a hash, with the id in a file beside")
    func longID() async throws {
        let folder = TemporaryFolder()
        let repository = FileSystemRepository(
            directoryURL: folder.url, dataTransformer: XMLDataTransformer())
        let id = String(repeating: "a", count: 121)
        try await repository.create(id: id, item: [1])
        let hash = SHA256.hexadecimal(id.utf8)
        #expect(folder.names() == ["id_\(hash).txt", "item_%sha256_\(hash).xml"])
        #expect(try folder.text("id_\(hash).txt") == id)
        try await repository.delete(id: id)
        #expect(folder.names() == [])
    }

    @Test("A file written by hand is read, replaced in place, and deleted")
    func byHand() async throws {
        let folder = TemporaryFolder()
        let repository = FileSystemRepository(
            directoryURL: folder.url, dataTransformer: JSONDataTransformer())
        try folder.write("\"by hand\"", to: "item_Client.json")
        #expect(try await repository.read(id: "Client") == "by hand")
        #expect(
            await errorCode { try await repository.read(id: "client") as String } == .recordNotFound
        )
        #expect(
            await errorCode { try await repository.create(id: "Client", item: "x") }
                == .recordAlreadyExists)
        try await repository.create(id: "client", item: "another")
        try await repository.update(id: "Client", item: "changed")
        #expect(folder.names() == ["item_Client.json", "item_client.json"])
        #expect(try folder.text("item_Client.json") == "\"changed\"")
        try await repository.delete(id: "Client")
        #expect(folder.names() == ["item_client.json"])
    }

    @Test("Beside the name of the stored form, one by hand is the same record, and goes with it")
    func byHandToo() async throws {
        let folder = TemporaryFolder()
        let driver = FileDriver(
            root: folder.url, formatExtension: "json", providesStamps: false)
        try folder.write("1", to: "item_Client.json")
        try folder.write("2", to: "item_%43lient.json")
        try folder.write("3", to: "item_100%.json")
        try folder.write("4", to: "item_.json")
        try folder.write("5", to: "note.json")
        #expect(try driver.get("Client", in: "") == Data("2".utf8))
        #expect(try driver.keys(in: "").sorted() == ["100%", "Client"])
        let isDeleted = try driver.withLock {
            try driver.apply(DocumentChange("Client", in: "", data: nil, when: .present))
        }
        #expect(isDeleted)
        #expect(folder.names() == ["item_.json", "item_100%.json", "note.json"])
    }

    @Test(
        "Keys of user defaults",
        arguments: [
            ("clients", "a", "database_clients_item_a"),
            ("", "a b", "database__item_a b"),
            ("a_item_b", "c", "database_a%5Fitem_b_item_c"),
            ("a", "b_item_c", "database_a_item_b_item_c"),
            ("x_items", "Ä%\u{1}", "database_x%5Fitems_item_%C3%84%25%01"),
            ("é_item", "/.", "database_%C3%A9%5Fitem_item_/."),
        ])
    func defaultsKeys(_ table: String, _ id: String, _ key: String) async throws {
        let suite = TemporarySuite()
        let repository = UserDefaultsRepository(
            tableName: table, suiteName: suite.name, dataTransformer: JSONDataTransformer())
        try await repository.create(id: id, item: "x")
        #expect(suite.defaults.data(forKey: key) == Data("\"x\"".utf8))
        #expect(DefaultsKey(table: table).id(key) == id)
        suite.defaults.set(Data("\"set\"".utf8), forKey: key)
        #expect(try await repository.read(id: id) == "set")
    }

    @Test("Bytes that are of no format, and bytes of another type")
    func badBytes() async throws {
        let folder = TemporaryFolder()
        let repository = FileSystemRepository(
            directoryURL: folder.url, dataTransformer: JSONDataTransformer())
        try folder.write("{\"text\":", to: "item_a.json")
        try folder.write("{\"other\":1}", to: "item_b.json")
        #expect(await errorCode { try await repository.read(id: "a") as Memo } == .invalidRecord)
        #expect(await errorCode { try await repository.read(id: "b") as Memo } == .itemTypeMismatch)
    }

    @Test("The folder's name is one name inside the documents folder")
    func directoryName() async throws {
        let home = ["HOME": "/home/x"]
        #expect(DocumentsFolder.url(environment: home).path == "/home/x/Documents")
        let set = ["HOME": "/home/x", "XDG_DOCUMENTS_DIR": "/data/docs"]
        #expect(DocumentsFolder.url(environment: set).path == "/data/docs")
        let folder = TemporaryFolder()
        try folder.write("# x\nXDG_DOCUMENTS_DIR=\"$HOME/Papers\"\n", to: "user-dirs.dirs")
        let file = ["HOME": "/home/x", "XDG_CONFIG_HOME": folder.url.path]
        #expect(DocumentsFolder.url(environment: file).path == "/home/x/Papers")
    }
}
