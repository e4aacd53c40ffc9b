import Foundation
import Generated
import Testing

@testable import RepositoryRuntime

@Suite("Entities in files")
struct FileSystemStoreTests {
    private func client(_ id: String, _ email: String, name: String = "N") -> Client {
        Client(
            id: .init(id), name: name, email: email,
            joinedAt: Date(timeIntervalSinceReferenceDate: 0))
    }

    private func library(_ folder: TemporaryFolder) -> Library {
        Library(FileSystemStore(directory: folder.url, transformer: JSONDataTransformer()))
    }

    @Test("A table is a folder, a record a file of the transformer's bytes and nothing else")
    func storedForm() async throws {
        let folder = TemporaryFolder()
        let library = library(folder)
        let ada = client("ada", "ada@x")
        try await library.clients.create(ada)
        #expect(folder.names() == ["clients"])
        #expect(folder.names("clients") == ["item_ada.json"])
        let bytes = Data(try folder.text("clients/item_ada.json").utf8)
        #expect(try JSONDecoder().decode(Client.self, from: bytes) == ada)
        try await library.reset()
        #expect(folder.names() == [])
    }

    @Test("Records put there by hand are seen by id, in lists and by finders, also later")
    func byHand() async throws {
        let folder = TemporaryFolder()
        let library = library(folder)
        try await library.clients.create(client("a", "a@x"))
        #expect(try await library.clients.find(email: "b@x") == nil)
        try folder.write(
            #"{"id":"B","name":"By hand","email":"b@x","joinedAt":0}"#, to: "clients/item_B.json")
        #expect(try await library.clients.count() == 2)
        #expect(try await library.clients.ids() == ["B", "a"])
        #expect(try await library.clients.read("B").name == "By hand")
        #expect(try await library.clients.find(email: "b@x")?.id == "B")
        #expect(
            await errorCode { try await library.clients.create(client("c", "b@x")) }
                == .constraintViolated)
        // What is no id of the table, and what has another id inside.
        try folder.write("{}", to: "clients/README.json")
        try folder.write(
            #"{"id":"B","name":"Copy","email":"z@x","joinedAt":0}"#, to: "clients/item_copy.json")
        #expect(await errorCode { try await library.clients.read("copy") } == .invalidRecord)
        #expect(try await library.clients.count() == 3)
        #expect(await errorCode { try await library.clients.fetch() } == .invalidRecord)
        try await library.clients.delete("copy")
        #expect(try await library.clients.fetch().count == 2)
    }

    @Test("What another store writes to the same folder is found and kept apart")
    func twoStores() async throws {
        let folder = TemporaryFolder()
        let (one, two) = (library(folder), library(folder))
        for number in 0..<20 {
            try await one.clients.create(client("one-\(number)", "1-\(number)@x"))
            try await two.clients.create(client("two-\(number)", "2-\(number)@x"))
            #expect(
                try await one.clients.find(email: "2-\(number)@x")?.id == .init("two-\(number)"))
            #expect(
                await errorCode {
                    try await two.clients.create(client("three", "1-\(number)@x"))
                } == .constraintViolated)
            try await two.clients.delete(.init("one-\(number)"))
            #expect(try await one.clients.find(email: "1-\(number)@x") == nil)
        }
        #expect(try await one.clients.count() == 20)
    }

    @Test("Data of another format is refused, not overlooked")
    func anotherFormat() async throws {
        let folder = TemporaryFolder()
        try await library(folder).clients.create(client("a", "a@x"))
        let other = Library(
            FileSystemStore(directory: folder.url, transformer: XMLDataTransformer()))
        #expect(await errorCode { try await other.clients.count() } == .schemaMismatch)
    }

    @Test("A damaged record can be replaced and deleted, and stands in nobody's way")
    func damaged() async throws {
        let folder = TemporaryFolder()
        let library = library(folder)
        try await library.clients.createAll([client("a", "a@x"), client("b", "b@x")])
        try folder.write("damage", to: "clients/item_a.json")
        #expect(await errorCode { try await library.clients.read("a") } == .invalidRecord)
        #expect(try await library.clients.find(email: "b@x")?.id == "b")
        #expect(try await library.clients.ids() == ["a", "b"])
        try await library.clients.update(client("a", "a@x", name: "Mended"))
        #expect(try await library.clients.read("a").name == "Mended")
        try folder.write("damage", to: "clients/item_a.json")
        try await library.clients.delete("a")
        #expect(try await library.clients.ids() == ["b"])
    }
}
