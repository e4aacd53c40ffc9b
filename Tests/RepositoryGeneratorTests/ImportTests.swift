import CSQLite
import Foundation
import Testing

@testable import repository_generator

/// What `import` writes and prints.
@Suite("import")
struct ImportTests {
    private static let database = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "ForeignDatabases/Files/GRDB.sqlite")

    @Test("writes schemas that generate, and prints what each type rests on")
    func fresh() throws {
        let shop = try Workshop([:])
        let folder = shop.root.appending(path: "Schemas").path
        let bytes = try Data(contentsOf: Self.database)
        #expect(shop.tool().importDatabase(at: Self.database.path, into: folder) == .success)
        #expect(try Data(contentsOf: Self.database) == bytes)
        #expect(try shop.text("Schemas/repositories.yaml").contains("manage: false"))
        #expect(
            shop.output.contains(
                "2 texts like \"abcdef00-0000-4000-8000-0000000000c1\" → UUID, storedAs lowercaseText"
            ))
        #expect(shop.generate() == .success)
        #expect(shop.exists("Generated/Sighting.generated.swift"))
    }

    @Test("adds what schemas lack, and finds nothing new the second time")
    func merged() throws {
        let shop = try Workshop([
            "deep/er/Other.yaml": """
            # Mine.
            entity: Watcher   # renamed
            table: observer
            manage: false
            id: { name: uuid, type: UUID, storedAs: { sqlite: blob } }
            """
        ])
        let folder = shop.root.appending(path: "Schemas").path
        #expect(shop.tool().importDatabase(at: Self.database.path, into: folder) == .success)
        #expect(shop.output.contains("1 changed and 3 written in"))
        #expect(
            try shop.text("Schemas/deep/er/Other.yaml").hasPrefix("# Mine.\nentity: Watcher   # "))
        // Without settings that say so, each table says that it is somebody else's.
        #expect(try shop.text("Schemas/Camera.yaml").contains("\nmanage: false\n"))
        #expect(!shop.exists("Schemas/Observer.yaml"))
        #expect(!shop.exists("Schemas/repositories.yaml"))
        let before = try shop.snapshot()
        #expect(shop.tool().importDatabase(at: Self.database.path, into: folder) == .success)
        #expect(shop.output.hasSuffix("Nothing new."))
        #expect(try shop.snapshot() == before)
    }

    @Test("writes nothing where lines cannot be added, and prints them")
    func byHand() throws {
        let shop = try Workshop([
            "repositories.yaml": "manage: false\n",
            "Camera.yaml": "{ entity: Camera, table: camera, id: { type: Int } }\n",
        ])
        let before = try shop.snapshot()
        let folder = shop.root.appending(path: "Schemas").path
        #expect(shop.tool().importDatabase(at: Self.database.path, into: folder) == .drift)
        #expect(try shop.snapshot() == before)
        #expect(shop.complaints.contains("Camera.yaml:1:1: error: lines cannot be added"))
        #expect(shop.complaints.contains("    name: "))
        #expect(shop.complaints.hasSuffix("Nothing was written. Add these lines by hand."))
    }

    @Test("writes nothing where the schemas have errors")
    func errors() throws {
        let shop = try Workshop(["Camera.yaml": "entity: Camera\nfields: { a: Strng }\n"])
        let before = try shop.snapshot()
        let folder = shop.root.appending(path: "Schemas").path
        #expect(shop.tool().importDatabase(at: Self.database.path, into: folder) == .schemaErrors)
        #expect(try shop.snapshot() == before)
        #expect(shop.complaints.contains("there is no type 'Strng'"))
    }

    @Test("restores what it has changed if a later file cannot be written")
    func restored() throws {
        let shop = try Workshop([
            "repositories.yaml": "manage: false\n",
            "Camera.yaml": "entity: Camera\ntable: camera\nid: { type: Int }\n",
        ])
        let folder = shop.root.appending(path: "Schemas")
        try FileManager.default.createDirectory(
            at: folder.appending(path: ".Sighting.yaml.\(getpid()).tmp/x"),
            withIntermediateDirectories: true)
        let before = try shop.text("Schemas/Camera.yaml")
        #expect(
            shop.tool().importDatabase(at: Self.database.path, into: folder.path) == .unreadable)
        #expect(try shop.text("Schemas/Camera.yaml") == before)
        #expect(!shop.exists("Schemas/Observer.yaml"))
    }

    @Test("keeps a file that was changed in the meantime, and the permissions of one that was not")
    func replaced() throws {
        let shop = try Workshop(["A.yaml": "old"])
        let path = shop.root.appending(path: "Schemas/A.yaml").path
        #expect(throws: FileProblem.self) {
            try AtomicFile.replace(Array("other".utf8), by: "new", at: path)
        }
        #expect(try shop.text("Schemas/A.yaml") == "old")
        try #require(chmod(path, 0o600) == 0)
        try AtomicFile.replace(Array("old".utf8), by: "new", at: path)
        #expect(try shop.text("Schemas/A.yaml") == "new")
        var status = stat()
        try #require(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: shop.root.appending(path: "Schemas").path)
        #expect(names == ["A.yaml"])
    }

    @Test("deletes what it has written if a later file cannot be written")
    func withdrawn() throws {
        let shop = try Workshop([:])
        let folder = shop.root.appending(path: "Schemas")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The temporary file of the last schema is in the way, as a folder.
        try FileManager.default.createDirectory(
            at: folder.appending(path: ".Sighting.yaml.\(getpid()).tmp/x"),
            withIntermediateDirectories: true)
        #expect(
            shop.tool().importDatabase(at: Self.database.path, into: folder.path) == .unreadable)
        #expect(!shop.exists("Schemas/Camera.yaml"))
        #expect(!shop.exists("Schemas/repositories.yaml"))
    }

    @Test("names a missing database, and writes nothing")
    func missing() throws {
        let shop = try Workshop([:])
        let folder = shop.root.appending(path: "Schemas").path
        #expect(shop.tool().importDatabase(at: "gone.db", into: folder) == .unreadable)
        #expect(shop.complaints == "gone.db: error: there is no such file\nNothing was written.")
        #expect(!shop.exists("Schemas"))
    }

    @Test(
        "reads a database that another program has open, and changes none of its files",
        .enabled(if: CommandLineTests.isBuilt))
    func openElsewhere() throws {
        let shop = try Workshop([:])
        var connection: OpaquePointer?
        let path = shop.root.appending(path: "a.db").path
        try #require(sqlite3_open(path, &connection) == SQLITE_OK)
        defer { sqlite3_close(connection) }
        let sql = """
            PRAGMA journal_mode = WAL;
            CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);
            INSERT INTO notes VALUES (1, 'a'), (2, 'b');
            """
        try #require(sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK)
        func bytes() throws -> [Data] {
            try ["", "-wal", "-shm"].map { try Data(contentsOf: URL(filePath: path + $0)) }
        }
        let before = try bytes()
        let found = try CommandLineTests().run(["import", "sqlite:a.db"], in: shop.root)
        #expect(found.0 == 0)
        #expect(found.1.contains("Note: table \"notes\", 2 rows"))
        #expect(try bytes() == before)
    }

    /// A database whose columns have values of more than one type.
    private static func questionable() throws -> Workshop {
        let shop = try Workshop([:])
        var connection: OpaquePointer?
        let path = shop.root.appending(path: "a.db").path
        try #require(sqlite3_open(path, &connection) == SQLITE_OK)
        defer { sqlite3_close(connection) }
        let sql = """
            CREATE TABLE notes (id INTEGER PRIMARY KEY, at INTEGER, day TEXT, flag INTEGER, name TEXT);
            INSERT INTO notes VALUES (1, 1600000000, '2021-03-04', 1, 'a');
            """
        try #require(sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK)
        return shop
    }

    @Test("asks about each guess with alternatives; an empty line accepts it")
    func questions() throws {
        let shop = try Self.questionable()
        let path = shop.root.appending(path: "a.db").path
        let folder = shop.root.appending(path: "Schemas").path
        var answers = ["x", "0", "9", " 2 ", "", "2"]
        let status = shop.tool().importDatabase(at: path, into: folder) {
            answers.isEmpty ? nil : answers.removeFirst()
        }
        #expect(status == .success)
        #expect(answers.isEmpty)
        let text = try shop.text("Schemas/Note.yaml")
        #expect(text.contains("  at: { type: Date?, storedAs: { sqlite: integer } }\n"))
        #expect(text.contains("  day: LocalDate?\n"))
        #expect(text.contains("  flag: Bool?\n"))
        #expect(
            shop.output.contains(
                """
                "notes"."day": 1 text like "2021-03-04"
                  1  LocalDate
                  2  String
                A number, or Enter for LocalDate:
                """))
        #expect(shop.output.contains("1 integer; chosen → Date?, storedAs integer"))
        // What is described already is no question.
        let again = shop.tool().importDatabase(at: path, into: folder) { nil }
        #expect(again == .success)
        #expect(shop.complaints == "")
    }

    @Test("writes nothing if the answers end")
    func unanswered() throws {
        let shop = try Self.questionable()
        let folder = shop.root.appending(path: "Schemas").path
        let path = shop.root.appending(path: "a.db").path
        #expect(shop.tool().importDatabase(at: path, into: folder) { nil } == .unreadable)
        #expect(shop.complaints.contains("a.db: error: is not imported: a question has no answer"))
        #expect(!shop.exists("Schemas"))
    }

    @Test("writes schemas of a Realm file that generate, once")
    func realm() throws {
        let shop = try Workshop([:])
        let folder = shop.root.appending(path: "Schemas").path
        let path = Self.database.deletingLastPathComponent().appending(
            path: "../../RealmFormat/Files/20-migration-v5.realm"
        ).standardizedFileURL.path
        #expect(shop.tool().importRealm(at: path, into: folder) == .success)
        #expect(shop.output.contains("property \"fullName\", String → String"))
        #expect(shop.generate() == .success)
        #expect(
            try shop.text("Generated/PersonPet.generated.swift").contains(
                "table.source(\n            \"realm\", \"Person.pets\","))
        let before = try shop.snapshot()
        #expect(shop.tool().importRealm(at: path, into: folder) == .drift)
        #expect(try shop.snapshot() == before)
        let missing = folder + "/missing.realm"
        #expect(shop.tool().importRealm(at: missing, into: folder + "2") == .unreadable)
    }

    @Test("asks only in a terminal", .enabled(if: CommandLineTests.isBuilt))
    func noTerminal() throws {
        let shop = try Self.questionable()
        let found = try CommandLineTests().run(["import", "sqlite:a.db", "--ask"], in: shop.root)
        #expect(found.0 == 64)
        #expect(found.1.contains("'--ask' needs a terminal"))
        #expect(!shop.exists("Schemas"))
    }

    @Test("takes 'sqlite:' before the path, and says so", .enabled(if: CommandLineTests.isBuilt))
    func arguments() throws {
        let shop = try Workshop([:])
        try FileManager.default.copyItem(
            at: Self.database, to: shop.root.appending(path: "a.db"))
        let line = CommandLineTests()
        let plain = try line.run(["import", "a.db"], in: shop.root)
        #expect(plain.0 == 64)
        #expect(plain.1.contains("write 'sqlite:a.db'"))
        let other = try line.run(["import", "mysql://localhost/a"], in: shop.root)
        #expect(other.0 == 64)
        #expect(
            other.1.contains(
                "only SQLite, Realm, Core Data and PostgreSQL databases can be imported"))
        let right = try line.run(["import", "sqlite:a.db", "--output", "Other"], in: shop.root)
        #expect(right.0 == 0)
        #expect(shop.exists("Other/Camera.yaml"))
        let again = try line.run(["import", "sqlite:a.db", "--output", "Other"], in: shop.root)
        #expect(again.0 == 0)
        #expect(again.1.contains("Nothing new."))
    }
}
