import Foundation
import LibraryService
import RepositoryRuntime
import RepositorySQLite
import Synchronization
import Testing

/// The program as a process that ends, in order and by force.
@Suite("The process", .serialized)
struct ProcessTests {
    /// What the server acknowledged to its clients.
    private struct Acknowledged {
        /// The ISBNs of the batches that were stored.
        var batches: [[String]] = []
        /// The last acknowledged number of pages of each book.
        var pages: [String: Int] = [:]
        /// The requests that the server answered.
        var answers = 0
    }

    /// How many books a request stores.
    private static let batch = 5

    @Test("leaves whole data when it is killed under load")
    func killed() async throws {
        try await withFolder { folder in
            let database = folder.appending(path: "library.sqlite")
            let server = try await ServerProcess(database: database)
            let client = Client(port: server.port)
            let author = try await author(client)
            let acknowledged = try await load(client, author: author) { acknowledged in
                // Requests are under way when it is killed.
                while acknowledged() < 200 { try await Task.sleep(for: .milliseconds(5)) }
                _ = try await server.end(by: SIGKILL)
            }
            #expect(acknowledged.batches.count > 5)
            try await verify(database, acknowledged)

            // The next process serves the same data.
            let next = try await ServerProcess(database: database)
            let answer = try await Client(port: next.port).send("GET", "/authors/\(author)")
            #expect(answer.status == 200)
            #expect(try await next.end(by: SIGTERM) == 0)
        }
    }

    @Test("answers what it has begun before it ends by SIGTERM")
    func graceful() async throws {
        try await withFolder { folder in
            let database = folder.appending(path: "library.sqlite")
            let server = try await ServerProcess(database: database)
            let client = Client(port: server.port)
            let author = try await author(client)
            let status = Mutex<Int32?>(nil)
            let acknowledged = try await load(client, author: author) { acknowledged in
                while acknowledged() < 50 { try await Task.sleep(for: .milliseconds(5)) }
                let ended = try await server.end(by: SIGTERM)
                status.withLock { $0 = ended }
            }
            #expect(status.withLock { $0 } == 0)
            try await verify(database, acknowledged)
        }
    }

    private func author(_ client: Client) async throws -> String {
        let answer = try await client.send("POST", "/authors", #"{"name": "Jane Austen"}"#)
        return try #require(answer.object["id"] as? String)
    }

    /// Eight clients that store batches of books and change them until the server is gone.
    private func load(
        _ client: Client, author: String,
        until end: @escaping @Sendable (@escaping @Sendable () -> Int) async throws -> Void
    ) async throws -> Acknowledged {
        let state = Recorder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await end { state.value.withLock { $0.answers } } }
            for writer in 0..<8 {
                group.addTask {
                    for round in 0..<2_000 {
                        let isbns = (0..<Self.batch).map { "97\(writer)-\(100_000 + round)-\($0)" }
                        let books = isbns.map {
                            #"{"isbn": "\#($0)", "title": "T", "pages": 1, "authorID": "\#(author)"}"#
                        }
                        let json = "[\(books.joined(separator: ","))]"
                        guard
                            try await Self.isAnswered(
                                201, { try await client.send("POST", "/books/batch", json) })
                        else { return }
                        state.value.withLock {
                            $0.batches.append(isbns)
                            $0.answers += 1
                        }
                        let pages = round + 2
                        let patch = #"{"pages": \#(pages)}"#
                        guard
                            try await Self.isAnswered(
                                200, { try await client.send("PATCH", "/books/\(isbns[0])", patch) }
                            )
                        else { return }
                        state.value.withLock {
                            $0.pages[isbns[0]] = pages
                            $0.answers += 1
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        return state.value.withLock { $0 }
    }

    /// Whether the server answered with a status; false if it is gone or is shut down.
    private static func isAnswered(
        _ status: Int, _ request: () async throws -> Answer
    ) async throws -> Bool {
        do {
            let answer = try await request()
            if answer.status == 503 { return false }
            #expect(answer.status == status, "\(answer.text)")
            return answer.status == status
        } catch is URLError {
            return false
        }
    }

    /// Everything that was acknowledged is stored, and no batch is stored in parts.
    private func verify(_ database: URL, _ acknowledged: Acknowledged) async throws {
        let library = Library(SQLiteStore(path: database.path))
        let check = try await library.check()
        #expect(check.isSound, "\(check.problems)")
        let books = Dictionary(
            uniqueKeysWithValues: try await library.books.fetch().map { ($0.isbn.rawValue, $0) })
        for isbn in acknowledged.batches.joined() {
            #expect(books[isbn] != nil, "\(isbn) was acknowledged and is not stored")
        }
        for (isbn, pages) in acknowledged.pages { #expect(books[isbn]?.pages == pages) }
        for (batch, parts) in Dictionary(grouping: books.keys, by: { $0.dropLast(2) }) {
            #expect(parts.count == Self.batch, "\(batch) is stored in parts")
        }
        try await library.close()
    }

    /// The acknowledged requests, which all clients share.
    private final class Recorder: Sendable {
        let value = Mutex(Acknowledged())
    }
}

/// Calls a body with an empty folder, and removes the folder afterwards.
private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "library-service-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
        try await body(folder)
    } catch {
        try FileManager.default.removeItem(at: folder)
        throw error
    }
    try FileManager.default.removeItem(at: folder)
}
