import Foundation
import Generated
import RepositoryRuntime
import Testing

@testable import RepositorySQLite

@Suite struct SQLiteRepositoryTests {
    /// The table of meanings, over items of several types and formats.
    @Test func fourMethods() async throws {
        try await withFolder { folder in
            for transformer: any DataTransformer in [JSONDataTransformer(), XMLDataTransformer()] {
                let repository = SQLiteRepository(
                    tableName: "Clients Database",
                    path: folder + "/\(transformer.formatExtension).sqlite",
                    dataTransformer: transformer)
                let client = Client(id: "client", name: "Ann", email: "a@b")
                try await repository.create(id: "client", item: client)
                try await expectError(.recordAlreadyExists, id: "client") {
                    try await repository.create(id: "client", item: client)
                }
                var read: Client = try await repository.read(id: "client")
                #expect(read.name == "Ann")
                read.name = "Anna"
                try await repository.update(id: "client", item: read)
                read = try await repository.read(id: "client")
                #expect(read.name == "Anna")
                try await repository.create(id: "list", item: ["a", "", "ü"])
                let list: [String] = try await repository.read(id: "list")
                #expect(list == ["a", "", "ü"])
                await #expect(throws: CRUDRepositoryError.self) {
                    let _: Int = try await repository.read(id: "list")
                }
                try await repository.delete(id: "client")
                try await expectError(.recordNotFound, id: "client") {
                    let _: Client = try await repository.read(id: "client")
                }
                try await expectError(.recordNotFound, id: "client") {
                    try await repository.update(id: "client", item: read)
                }
                try await expectError(.recordNotFound, id: "client") {
                    try await repository.delete(id: "client")
                }
                try await expectError(.invalidIdentifier, id: "") {
                    try await repository.delete(id: "")
                }
            }
        }
    }

    /// The frozen stored form, read with a plain connection.
    @Test func storedForm() async throws {
        try await withFolder { folder in
            let path = folder + "/items.sqlite"
            let repository = SQLiteRepository(
                tableName: "Clients Database", path: path, dataTransformer: JSONDataTransformer())
            try await repository.create(id: "a", item: [1, 2])
            let plain = try PlainDatabase(path)
            #expect(
                try plain.value("SELECT sql FROM sqlite_schema WHERE name = 'Clients Database'")
                    == "CREATE TABLE \"Clients Database\" (id TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL)"
            )
            #expect(
                try plain.rows("SELECT id, typeof(data), data FROM \"Clients Database\"")
                    == [["a", "blob", "[1,2]"]])
            try plain.run(
                "INSERT INTO \"Clients Database\" VALUES ('b', '[3]'), ('c', x'FF'), ('d', 1)")
            #expect(try await repository.read(id: "b") as [Int] == [3])
            for id in ["c", "d"] {
                try await expectError(.invalidRecord, id: id) {
                    let _: [Int] = try await repository.read(id: id)
                }
            }
        }
    }

    /// Names that a shell, a path or SQL would take for something else are tables of their own.
    @Test func hostileTableNames() async throws {
        try await withFolder { folder in
            let names = HostileNames.all
            #expect(names.count >= 200)
            let path = folder + "/all.sqlite"
            for (index, name) in names.enumerated() {
                let repository = SQLiteRepository(
                    tableName: name, path: path, dataTransformer: JSONDataTransformer())
                try await repository.create(id: "id", item: index)
            }
            for (index, name) in names.enumerated() {
                let repository = SQLiteRepository(
                    tableName: name, path: path, dataTransformer: JSONDataTransformer())
                #expect(try await repository.read(id: "id") as Int == index)
            }
            let count = try PlainDatabase(path).value(
                "SELECT count(*) FROM sqlite_schema WHERE type = 'table'")
            #expect(count == "\(names.count)")
        }
    }

    /// SQLite would take two names that differ in case alone for one table.
    @Test func caseOfTableNames() async throws {
        try await withFolder { folder in
            let path = folder + "/case.sqlite"
            let one = SQLiteRepository(
                tableName: "Items", path: path, dataTransformer: JSONDataTransformer())
            try await one.create(id: "a", item: 1)
            let two = SQLiteRepository(
                tableName: "items", path: path, dataTransformer: JSONDataTransformer())
            try await expectError(.schemaMismatch) { try await two.create(id: "a", item: 2) }
            let other = SQLiteRepository(
                tableName: "a\0b", path: path, dataTransformer: JSONDataTransformer())
            try await expectError(.unsupported) { try await other.create(id: "a", item: 2) }
            try PlainDatabase(path).run("CREATE TABLE other (id INTEGER PRIMARY KEY, data TEXT)")
            let third = SQLiteRepository(
                tableName: "other", path: path, dataTransformer: JSONDataTransformer())
            try await expectError(.schemaMismatch) { try await third.create(id: "a", item: 2) }
        }
    }

    /// Default files stand in the documents folder, whatever the table is called.
    @Test func defaultFiles() {
        func name(_ table: String) -> String {
            SQLiteRepository.defaultFile(of: table).lastPathComponent
        }
        #expect(name("Clients Database") == "Clients Database.sqlite")
        #expect(name("../a/b") == "%2E.%2Fa%2Fb.sqlite")
        #expect(name("50%") == "50%25.sqlite")
        #expect(name("a\nb\"c") == "a%0Ab\"c.sqlite")
        #expect(name("Zürich") == "Zürich.sqlite")
        let long = String(repeating: "ü", count: 300)
        #expect(name(long).utf8.count < 200)
        #expect(name(long) != name(long + "x"))
        let folders = Set(
            HostileNames.all.map { SQLiteRepository.defaultFile(of: $0) }.map {
                $0.deletingLastPathComponent().standardizedFileURL.path
            })
        #expect(folders.count == 1)
    }

    /// Ids are told apart byte by byte.
    @Test func hostileIDs() async throws {
        try await withFolder { folder in
            let repository = SQLiteRepository(
                tableName: "t", path: folder + "/ids.sqlite", dataTransformer: JSONDataTransformer()
            )
            let ids =
                HostileNames.all.dropFirst() + ["A", "a", String(repeating: "x", count: 4096)]
            for (index, id) in ids.enumerated() {
                try await repository.create(id: id, item: index)
            }
            for (index, id) in ids.enumerated() {
                #expect(try await repository.read(id: id) as Int == index)
            }
        }
    }
}
