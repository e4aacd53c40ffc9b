import Foundation
import Generated
import RepositoryRuntime
import Testing

@testable import RepositorySQLite

/// What is SQLite's own beside the behaviours of every store.
@Suite struct SQLiteStoreTests {
    private func client(_ id: String, email: String? = nil) -> Client {
        Client(id: Client.ID(id), name: "N", email: email ?? "\(id)@x")
    }

    /// Of many that create one id exactly one wins.
    @Test func race() async throws {
        try await withFolder { folder in
            let stores = (0..<4).map { _ in SQLiteStore(path: folder + "/data.sqlite") }
            let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
                for task in 0..<64 {
                    group.addTask {
                        let library = Library(stores[task % stores.count])
                        do {
                            try await library.clients.create(
                                Client(id: "one", name: "\(task)", email: "\(task)@x"))
                            return true
                        } catch let error as CRUDRepositoryError
                            where error.code == .recordAlreadyExists
                        {
                            return false
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(wins == 1)
        }
    }

    /// Writes that share a commit fail and succeed one by one.
    @Test func groupCommit() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let library = Library(SQLiteStore(path: path))
            try await library.open()
            let results = await withTaskGroup(of: (Int, Bool).self) { group in
                for number in 0..<400 {
                    group.addTask {
                        // Every fourth takes a mail address that is taken, every fifth is a batch
                        // that fails at its end.
                        let mail = number % 4 == 3 ? "0@x" : "\(number)@x"
                        let one = Client(id: Client.ID("\(number)"), name: "N", email: mail)
                        do {
                            if number % 5 == 4 {
                                let two = Client(
                                    id: Client.ID("\(number)b"), name: "N", email: "0@x")
                                try await library.clients.createAll([one, two])
                            } else {
                                try await library.clients.create(one)
                            }
                            return (number, true)
                        } catch {
                            return (number, false)
                        }
                    }
                }
                return await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
            }
            // '0@x' goes to number 0 or to one of those that want it too; all others are decided.
            for number in 0..<400 where number % 4 != 3 && number != 0 {
                #expect(results[number] == (number % 5 != 4), "\(number)")
            }
            let stored = Set(try await library.clients.ids().map(\.rawValue))
            #expect(stored == Set(results.filter(\.value).map { "\($0.key)" }))
            let owners = try await library.clients.fetch().filter { $0.email == "0@x" }
            #expect(owners.count == 1)
        }
    }

    /// A writer of another connection that holds its lock delays no reader; a write that waits too
    /// long can be retried.
    @Test func lockedByAnother() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let library = Library(SQLiteStore(path: path, busyTimeout: .milliseconds(50)))
            try await library.clients.create(client("a"))
            let other = try PlainDatabase(path)
            try other.run("BEGIN IMMEDIATE; UPDATE clients SET name = 'changed'")
            #expect(try await library.clients.read("a").name == "N")
            #expect(try await library.clients.fetch().map(\.name) == ["N"])
            let error = try await expectError(.databaseError) {
                try await library.clients.create(client("b"))
            }
            #expect(error.isRetryable)
            #expect((error.underlyingError as? SQLiteError)?.primaryCode == 5)
            try other.run("COMMIT")
            #expect(try await library.clients.read("a").name == "changed")
            try await library.clients.create(client("b"))
            #expect(try await library.clients.count() == 2)
        }
    }

    /// The error names the field, the index and SQLite's own code.
    @Test func violations() async throws {
        let library = Library(SQLiteStore.inMemory())
        try await library.clients.create(client("a", email: "a@x"))
        let unique = try await expectError(.constraintViolated, id: "b") {
            try await library.clients.create(client("b", email: "a@x"))
        }
        #expect(unique.field == "email")
        #expect(unique.message.contains("clients_email"))
        #expect((unique.underlyingError as? SQLiteError)?.code == 2067)
        #expect(!"\(unique)".contains("a@x"))
        let missing = try await expectError(.constraintViolated) {
            try await library.books.create(
                Book(isbn: "0123456789", title: "T", pages: 1, authorID: .generated))
        }
        #expect(missing.field == "authorID")
        #expect((missing.underlyingError as? SQLiteError)?.code == 787)
        let author = try await library.authors.create(Author(name: "A"))
        try await library.books.create(
            Book(isbn: "0123456789", title: "T", pages: 1, authorID: author.id))
        let held = try await expectError(.constraintViolated, id: author.id.description) {
            try await library.authors.delete(author.id)
        }
        #expect(held.table == "authors")
    }

    /// What another program wrote wrongly is an invalid record of its id; the others stay readable.
    @Test func damage() async throws {
        let damages: [(String, String, String)] = [
            ("books", "tags", "'{'"), ("books", "tags", "'[1]'"), ("books", "shelf", "'[]'"),
            ("books", "status", "'lost'"), ("books", "author_id", "'lower'"),
            ("books", "title", "CAST(x'FFFE' AS TEXT)"),
        ]
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let library = Library(SQLiteStore(path: path))
            let author = try await library.authors.create(Author(name: "A"))
            let names = [
                "tags": "tags", "shelf": "shelf", "author_id": "authorID", "title": "title",
            ]
            for (number, _) in damages.enumerated() {
                try await library.books.create(
                    Book(
                        isbn: Book.ID("isbn 00000\(number)"), title: "T", pages: 1,
                        authorID: author.id))
            }
            try await library.books.create(
                Book(isbn: "whole 0000", title: "T", pages: 1, authorID: author.id))
            let plain = try PlainDatabase(path)
            for (number, damage) in damages.enumerated() {
                let id = "isbn 00000\(number)"
                try plain.run("UPDATE books SET \(damage.1) = \(damage.2) WHERE isbn = '\(id)'")
                let error = try await expectError(.invalidRecord, id: id) {
                    _ = try await library.books.read(Book.ID(id))
                }
                if let name = names[damage.1] {
                    #expect(error.field?.hasPrefix(name) == true, "\(error)")
                }
                try await expectError(.invalidRecord, id: "isbn 000000") {
                    _ = try await library.books.fetch()
                }
            }
            #expect(try await library.books.read("whole 0000").title == "T")
            #expect(try await library.books.count() == damages.count + 1)
        }
    }

    /// A row that a table without STRICT lets through: a text where a number is declared.
    @Test func wrongTypes() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let plain = try PlainDatabase(path)
            try plain.run(
                "CREATE TABLE authors (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, born INTEGER)"
            )
            let library = Library(SQLiteStore(path: path))
            let author = try await library.authors.create(Author(name: "A"))
            try plain.run("UPDATE authors SET born = 'monday'")
            let error = try await expectError(.invalidRecord, id: author.id.description) {
                _ = try await library.authors.read(author.id)
            }
            #expect(error.field == "born")
            try plain.run("UPDATE authors SET id = 'x'")
            try await expectError(.invalidRecord, id: "x") { _ = try await library.authors.fetch() }
            try await expectError(.invalidRecord, id: "x") { _ = try await library.authors.ids() }
            // Without a readable id, too, the other rows can be read.
            let other = try await library.authors.create(Author(name: "B"))
            let found = try await library.authors.fetch(tolerant: true)
            #expect(found.rows.map(\.id) == [other.id])
            #expect(found.failures.map(\.id) == [nil])
            #expect(found.failures.first?.error.code == .invalidRecord)
            #expect(found.failures.first?.error.id == "x")
            let listed = try await expectError(.invalidRecord) {
                _ = try await library.authors.fetch()
            }
            #expect(listed.unreadableIDs == ["x"])
            // Stores around it know what it knows.
            let around: [any EntityStore] = [
                RetryingStore(SQLiteStore(path: path)), ReadOnlyStore(SQLiteStore(path: path)),
            ]
            for store in around {
                let found = try await Library(store).authors.fetch(tolerant: true)
                #expect(found.rows.map(\.id) == [other.id], "\(store.name)")
                #expect(found.failures.count == 1, "\(store.name)")
            }
        }
    }

    /// A cancelled task's long read ends, and the connection is as good as before.
    @Test func cancellation() async throws {
        try await withFolder { folder in
            let store = SQLiteStore(path: folder + "/data.sqlite")
            let library = Library(store)
            try await library.clients.create(client("a"))
            let (started, start) = AsyncStream<Void>.makeStream()
            let endless = Task {
                try await store.database.scan { connection in
                    start.yield()
                    try connection.statement(
                        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
                    ).run()
                }
            }
            var starts = started.makeAsyncIterator()
            await starts.next()
            endless.cancel()
            await #expect(throws: CancellationError.self) { try await endless.value }
            let late = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await library.clients.fetch()
            }
            late.cancel()
            await #expect(throws: CancellationError.self) { try await late.value }
            for _ in 0..<20 { #expect(try await library.clients.fetch().count == 1) }
        }
    }

    /// More long reads than there are connections wait their turn, on no thread of the caller's.
    @Test func manyScans() async throws {
        try await withFolder { folder in
            let library = Library(SQLiteStore(path: folder + "/data.sqlite"))
            try await library.clients.createAll((0..<300).map { client("\($0)") })
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await library.clients.fetch().count } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(counts == Array(repeating: 300, count: 100))
        }
    }

    /// All connections are closed with the store: SQLite removes the log with the last of them.
    @Test func closing() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            do {
                let library = Library(SQLiteStore(path: path))
                try await library.clients.create(client("a"))
                _ = try await library.clients.fetch()
                #expect(FileManager.default.fileExists(atPath: path + "-wal"))
            }
            // The writer's thread may still be leaving its last job.
            for _ in 0..<12_000 where FileManager.default.fileExists(atPath: path + "-wal") {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        }
    }

    /// Eight processes open one new file at once and create the same records.
    @Test func processes() async throws {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("sqlite-process")
        try #require(FileManager.default.isExecutableFile(atPath: program.path), "\(program.path)")
        try await withFolder { folder in
            let count = 40
            let outputs = try (0..<8).map { number in
                let process = Process()
                process.executableURL = program
                process.arguments = [folder + "/data.sqlite", "\(count)", "p\(number)"]
                let output = Pipe()
                process.standardOutput = output
                try process.run()
                return (process, output)
            }
            var total = 0
            for (process, output) in outputs {
                let data = try #require(try output.fileHandleForReading.readToEnd())
                process.waitUntilExit()
                #expect(process.terminationStatus == 0)
                let text = String(decoding: data, as: UTF8.self)
                total += try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            }
            #expect(total == count)
            let library = Library(SQLiteStore(path: folder + "/data.sqlite"))
            #expect(try await library.clients.count() == count)
        }
    }
}
