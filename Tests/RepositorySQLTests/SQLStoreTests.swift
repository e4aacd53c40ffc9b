import Foundation
import RepositoryRuntime
import RepositorySQL
import RepositoryTesting
import Synchronization
import Testing

/// What the suite does not ask: own statements, databases that others use, and connections that are
/// lost.
@Suite("The store over a driver") struct SQLStoreTests {
    /// Runs a body with a folder that is removed afterwards.
    static func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "SQLStoreTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            try await body(folder.appending(path: "example.db").path)
        } catch {
            try FileManager.default.removeItem(at: folder)
            throw error
        }
        try FileManager.default.removeItem(at: folder)
    }

    private static func note(_ id: String, _ text: String = "t") -> Note {
        Note(id: Note.ID(id), text: text)
    }

    @Test("Own statements bind values, return rows, entities and numbers, and join transactions")
    func ownStatements() async throws {
        try await Self.withFolder { path in
            let store = SQLStore(ExampleDriver(path: path))
            let library = Conformance(store)
            try await library.notes.createAll([Self.note("a", "x"), Self.note("b", "it's")])
            let text = "it's"
            let rows = try await store.sql(
                "SELECT id AS found, count(*) FROM \(table: Note.self) WHERE text = \(text) GROUP BY id"
            )
            #expect(rows.count == 1)
            #expect(rows[0].columns.first == "found")
            #expect(try rows[0].value(String.self, named: "found") == "b")
            #expect(try rows[0].value(Int.self, at: 1) == 1)
            let found = try await store.sql(
                "SELECT * FROM \(table: Note.self) ORDER BY id DESC", as: Note.self)
            #expect(found.map(\.id) == ["b", "a"])
            #expect(
                try await store.execute("UPDATE \(table: Note.self) SET text = \("y")") == 2)
            await #expect(throws: CRUDRepositoryError.self) {
                try await store.sql("SELECT id FROM \(table: Note.self)", as: Note.self)
            }
            // In a transaction that fails, nothing of it stays.
            struct Stop: Error {}
            await #expect(throws: Stop.self) {
                try await library.transaction { library in
                    let deleted = try await store.execute("DELETE FROM \(table: Note.self)")
                    #expect(deleted == 2)
                    let count = try await library.notes.count()
                    #expect(count == 0)
                    throw Stop()
                }
            }
            #expect(try await library.notes.count() == 2)
            let changed = try await store.withConnection { connection in
                try connection.execute("UPDATE notes SET text = 'z' WHERE id = ?1", [.text("a")])
            }
            #expect(changed == 1)
            #expect(try await library.notes.read("a").text == "z")
            try await library.close()
        }
    }

    @Test("A statement that fails is undone, and says so")
    func failedStatements() async throws {
        try await Self.withFolder { path in
            let store = SQLStore(ExampleDriver(path: path))
            let library = Conformance(store)
            try await library.notes.create(Self.note("a"))
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await store.execute("DELETE FROM nothing")
            }
            #expect(error?.code == .databaseError)
            #expect(error?.underlyingError is SQLDriverError)
            await #expect(throws: CRUDRepositoryError.self) {
                try await store.withConnection { connection in
                    _ = try connection.execute("DELETE FROM notes", [])
                    _ = try connection.execute("DELETE FROM nothing", [])
                }
            }
            #expect(try await library.notes.count() == 1)
        }
    }

    @Test("A nested transaction that outlives the outer one reaches no other transaction")
    func outlivingNestedTransactions() async throws {
        try await Self.withFolder { path in
            let store = SQLStore(ExampleDriver(path: path))
            let library = Conformance(store)
            try await library.open()
            let outer = try await store.begin()
            let nested = try await outer.begin()
            let deepest = try await nested.begin()
            try await deepest.create(Self.note("undone"))
            await outer.rollBack()

            let other = try await store.begin()
            try await other.create(Self.note("first"))
            let inside = try await other.begin()
            try await inside.create(Self.note("second"))
            for transaction in [deepest, nested, outer] {
                for _ in 1...2 {
                    let error = await #expect(throws: CRUDRepositoryError.self) {
                        try await transaction.create(Self.note("foreign"))
                    }
                    #expect(error?.code == .transactionEnded)
                    await transaction.rollBack()
                }
            }
            try await inside.create(Self.note("third"))
            try await inside.commit()
            try await other.commit()
            #expect(try await library.notes.ids() == ["first", "second", "third"])
            try await library.close()
        }
    }

    @Test("Tables of another program are left alone")
    func foreignTables() async throws {
        try await Self.withFolder { path in
            let other = try ExampleDriver(path: path).connect()
            _ = try other.execute("CREATE TABLE notes (id TEXT PRIMARY KEY, words TEXT)", [])
            _ = try other.execute("INSERT INTO notes VALUES ('a', 'of somebody')", [])
            let library = Conformance(SQLStore(ExampleDriver(path: path)))
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await library.open()
            }
            #expect(error?.code == .schemaMismatch)
            #expect(error?.message.contains("'notes' is there already") == true)
            let found = try other.query("SELECT words FROM notes", [])
            #expect(found.rows == [[.text("of somebody")]])
            #expect(try other.tables().keys.sorted() == ["notes"])
            other.close()
        }
    }

    @Test("Folded texts are computed anew where the database does not say that it has them")
    func foldedTextsOfAnEarlierLibrary() async throws {
        try await Self.withFolder { path in
            let library = Conformance(SQLStore(ExampleDriver(path: path)))
            try await library.members.create(Member(id: "a", email: "a", handle: "Änne"))
            let other = try ExampleDriver(path: path).connect()
            _ = try other.execute("UPDATE members SET handle_folded = 'else'", [])
            let noted = try other.query("SELECT description FROM repository_schema", [])
            guard case .text(let text) = noted.rows[0][0] else {
                Issue.record("There is no description.")
                return
            }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let earlier = lines.filter { !$0.contains("\"isFolded\"") }.joined(separator: "\n")
            #expect(earlier.utf8.count < text.utf8.count)
            _ = try other.execute(
                "UPDATE repository_schema SET revision = revision + 1, description = ?1",
                [.text(earlier)])

            // A program that must not read all records says so.
            let refusing = SQLStore(ExampleDriver(path: path))
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await refusing.open(Conformance.schema.opening(.refuse))
            }
            #expect(error?.message.contains("'members': the field 'handle' ignores case") == true)
            let later = Conformance(SQLStore(ExampleDriver(path: path)))
            let found = try await later.members.find(handle: "ÄNNE")
            #expect(found?.id == "a")
            let folded = try other.query("SELECT handle_folded FROM members", [])
            #expect(folded.rows == [[.text("änne")]])
            // The program that was there notices it, and goes on.
            try await library.members.create(Member(id: "b", email: "b", handle: "Bert"))
            let both = try await later.members.count()
            #expect(both == 2)
            other.close()
        }
    }

    @Test("A folder that is not there, and a file that is no database, are errors with the reason")
    func noDatabase() async throws {
        try await Self.withFolder { path in
            let missing = Conformance(SQLStore(ExampleDriver(path: path + "/nowhere/x.db")))
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await missing.open()
            }
            #expect(error?.code == .databaseError)
            #expect(error?.message.contains("unable to open") == true)
            try Data(repeating: 0x41, count: 8_192).write(to: URL(filePath: path))
            let other = Conformance(SQLStore(ExampleDriver(path: path)))
            let second = await #expect(throws: CRUDRepositoryError.self) { try await other.open() }
            #expect(second?.message.contains("not a database") == true)
            let bytes = try Data(contentsOf: URL(filePath: path))
            #expect(bytes == Data(repeating: 0x41, count: 8_192))
        }
    }

    @Test("Two stores, as two programs, write one database at the same time, and nothing is lost")
    func twoStores() async throws {
        try await Self.withFolder { path in
            let libraries = (0..<2).map { _ in
                Conformance(SQLStore(ExampleDriver(path: path), lockTimeout: .seconds(120)))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, library) in libraries.enumerated() {
                    for task in 0..<4 {
                        group.addTask {
                            for count in 0..<25 {
                                try await library.notes.create(
                                    Self.note("\(number) \(task) \(count)"))
                                try await library.transaction { library in
                                    let id = Note.ID("\(number) \(task) \(count)")
                                    var note = try await library.notes.read(id)
                                    note.text += "!"
                                    try await library.notes.update(note)
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let notes = try await libraries[0].notes.fetch()
            #expect(notes.count == 200)
            #expect(notes.allSatisfy { $0.text == "t!" })
            for library in libraries { try await library.close() }
        }
    }

    @Test("Of several stores that open a new database at once, one creates the tables")
    func openingAtOnce() async throws {
        for _ in 0..<5 {
            try await Self.withFolder { path in
                let libraries = (0..<6).map { _ in
                    Conformance(SQLStore(ExampleDriver(path: path), lockTimeout: .seconds(120)))
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (number, library) in libraries.enumerated() {
                        group.addTask { try await library.notes.create(Self.note("\(number)")) }
                    }
                    try await group.waitForAll()
                }
                #expect(try await libraries[0].notes.count() == 6)
                for library in libraries { try await library.close() }
            }
        }
    }

    @Test("A lock that somebody keeps is waited for, and then a retryable error")
    func keptLock() async throws {
        try await Self.withFolder { path in
            let library = Conformance(
                SQLStore(ExampleDriver(path: path), lockTimeout: .milliseconds(300)))
            try await library.notes.create(Self.note("a"))
            let other = try ExampleDriver(path: path).connect()
            _ = try other.execute("BEGIN IMMEDIATE", [])
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await library.notes.create(Self.note("b"))
            }
            #expect(error?.code == .transactionConflict)
            #expect(error?.isRetryable == true)
            #expect(try await library.notes.ids() == ["a"])
            _ = try other.execute("ROLLBACK", [])
            other.close()
            try await library.notes.create(Self.note("b"))
            #expect(try await library.notes.count() == 2)
        }
    }

    @Test("A lost connection: reads run again, transactions say that nothing was stored")
    func lostConnection() async throws {
        try await Self.withFolder { path in
            let wire = Wire()
            let library = Conformance(SQLStore(CutDriver(path: path, wire: wire), readers: 1))
            try await library.notes.create(Self.note("a"))
            wire.cut(after: "SELECT")
            #expect(try await library.notes.ids() == ["a"])
            wire.cut(after: "INSERT INTO \"notes\"")
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await library.notes.create(Self.note("b"))
            }
            #expect(error?.code == .databaseError)
            #expect(error?.isRetryable == true)
            #expect(try await library.notes.ids() == ["a"])
            wire.cut(after: "COMMIT")
            let unknown = await #expect(throws: CRUDRepositoryError.self) {
                try await library.notes.create(Self.note("c"))
            }
            #expect(unknown?.code == .outcomeUnknown)
            // The answer was lost, not the record.
            #expect(try await library.notes.ids() == ["a", "c"])
            wire.cut(after: "UPDATE \"notes\"")
            try await library.transaction { library in
                var note = try await library.notes.read("a")
                note.text += "!"
                // The first time the connection is lost here, and the transaction runs again.
                try await library.notes.update(note)
            }
            #expect(try await library.notes.read("a").text == "t!")
            try await library.close()
        }
    }

    @Test("Names that the database would cut, and what the store does not have, are refused")
    func refusals() async throws {
        try await Self.withFolder { path in
            let short = ChangedDriver(driver: ExampleDriver(path: path)) { $0.longestName = 4 }
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await Conformance(SQLStore(short)).open()
            }
            #expect(error?.code == .unsupported)
            let plain = ChangedDriver(driver: ExampleDriver(path: path)) { $0.jsonValue = nil }
            let inside = await #expect(throws: CRUDRepositoryError.self) {
                try await Conformance(SQLStore(plain)).open()
            }
            #expect(inside?.code == .unsupported)
            #expect(inside?.message.contains("place.room") == true)
            let tables = try ExampleDriver(path: path).connect().tables()
            #expect(tables.isEmpty)
        }
    }
}

/// Says after which statement a connection is lost, once.
private final class Wire: Sendable {
    private let prefix = Mutex<String?>(nil)

    /// Loses the connection after the next statement that begins with a text.
    func cut(after prefix: String) { self.prefix.withLock { $0 = prefix } }

    /// Returns whether the connection is lost after a statement.
    func isCut(after text: String) -> Bool {
        prefix.withLock { prefix in
            guard let wanted = prefix, text.hasPrefix(wanted) else { return false }
            prefix = nil
            return true
        }
    }
}

/// A driver whose connections are lost after a statement has run, before its answer.
private struct CutDriver: SQLDriver {
    let path: String
    let wire: Wire
    var name: String { "cut" }
    var syntax: SQLSyntax { ExampleDriver(path: path).syntax }

    func connect() throws -> CutConnection {
        CutConnection(try ExampleDriver(path: path).connect(), wire)
    }
}

private final class CutConnection: SQLConnection {
    private let connection: ExampleConnection
    private let wire: Wire
    private let isLost = Mutex(false)

    init(_ connection: ExampleConnection, _ wire: Wire) {
        self.connection = connection
        self.wire = wire
    }

    private func cutting<R>(_ text: String, _ body: () throws -> R) throws -> R {
        if isLost.withLock({ $0 }) { throw SQLDriverError(.connectionLost, "it was lost before") }
        let result = try body()
        guard wire.isCut(after: text) else { return result }
        isLost.withLock { $0 = true }
        connection.close()
        throw SQLDriverError(.connectionLost, "the line is cut")
    }

    func query(_ text: String, _ parameters: [SQLValue]) throws -> SQLResult {
        try cutting(text) { try connection.query(text, parameters) }
    }

    func execute(_ text: String, _ parameters: [SQLValue]) throws -> Int {
        try cutting(text) { try connection.execute(text, parameters) }
    }

    func tables() throws -> [String: [String]] { try cutting("tables") { try connection.tables() } }

    func close() { if !isLost.withLock({ $0 }) { connection.close() } }
}
