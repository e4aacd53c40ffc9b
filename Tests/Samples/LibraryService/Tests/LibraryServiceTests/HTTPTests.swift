import Foundation
import Testing

/// What clients see of the service.
@Suite("The library over HTTP")
struct HTTPTests {
    /// Creates an author and returns its id.
    private func author(_ client: Client, _ name: String = "Jane Austen") async throws -> String {
        let answer = try await client.send("POST", "/authors", #"{"name": "\#(name)"}"#)
        #expect(answer.status == 201, "\(answer.text)")
        return try #require(answer.object["id"] as? String)
    }

    private func book(_ isbn: String, _ title: String, by author: String) -> String {
        #"{"isbn": "\#(isbn)", "title": "\#(title)", "pages": 300, "authorID": "\#(author)"}"#
    }

    @Test("creates, reads, changes and deletes")
    func records() async throws {
        try await withServer { client in
            let author = try await author(client)
            let created = try await client.send(
                "POST", "/books", book("9780141439587", "Emma", by: author))
            #expect(created.status == 201, "\(created.text)")
            #expect(created.headers["location"] == "/books/9780141439587")
            #expect(created.headers["etag"] == "\"1\"")
            let read = try await client.send("GET", "/books/9780141439587")
            #expect(read.status == 200)
            #expect(try read.object["title"] as? String == "Emma")
            #expect(try read.object["status"] as? String == "available")
            let changed = try await client.send(
                "PATCH", "/books/9780141439587", #"{"status": "on_loan", "pages": 474}"#)
            #expect(changed.status == 200, "\(changed.text)")
            #expect(changed.headers["etag"] == "\"2\"")
            #expect(try changed.object["pages"] as? Int == 474)
            #expect(try changed.object["title"] as? String == "Emma")
            #expect(try await client.send("DELETE", "/books/9780141439587").status == 204)
            #expect(try await client.send("GET", "/books/9780141439587").status == 404)
        }
    }

    @Test("compares entity tags")
    func tags() async throws {
        try await withServer { client in
            let author = try await author(client)
            let path = "/authors/\(author)"
            let fresh = ["If-None-Match": "\"1\""]
            #expect(try await client.send("GET", path, headers: fresh).status == 304)
            let rename = #"{"name": "Mary Shelley"}"#
            let first = ["If-Match": "\"1\""]
            #expect(try await client.send("PATCH", path, rename, headers: first).status == 200)
            #expect(try await client.send("GET", path, headers: fresh).status == 200)
            let stale = try await client.send("PATCH", path, rename, headers: first)
            #expect(stale.status == 412)
            #expect(try stale.object["code"] as? String == "versionConflict")
            #expect(try await client.send("DELETE", path, headers: first).status == 412)
            let old = #"{"name": "A", "revision": 1}"#
            #expect(try await client.send("PATCH", path, old).status == 409)
            let second = ["If-Match": "\"2\""]
            #expect(try await client.send("DELETE", path, headers: second).status == 204)
        }
    }

    @Test("answers errors by their codes")
    func errors() async throws {
        try await withServer { client in
            let author = try await author(client)
            let emma = book("9780141439587", "Emma", by: author)
            #expect(try await client.send("POST", "/books", emma).status == 201)
            #expect(try await client.send("POST", "/books", emma).status == 409)
            #expect(try await client.send("DELETE", "/authors/\(author)").status == 409)
            let orphan = book("9780141439600", "A", by: UUID().uuidString)
            #expect(try await client.send("POST", "/books", orphan).status == 409)
            #expect(try await client.send("GET", "/authors/\(UUID())").status == 404)
            #expect(try await client.send("GET", "/authors/nobody").status == 404)
            #expect(try await client.send("POST", "/books", "no JSON").status == 400)
            #expect(try await client.send("GET", "/books?limit=0").status == 400)
            #expect(try await client.send("GET", "/books?status=lost").status == 400)
            let wrong = try await client.send("POST", "/books", #"{"isbn": "1", "sheets": 3}"#)
            #expect(wrong.status == 422)
            #expect(wrong.text.contains(#""field":"sheets""#), "\(wrong.text)")
            let partial = try await client.send("POST", "/books", #"{"isbn": "9780141439600"}"#)
            #expect(partial.status == 422)
            #expect((try partial.object["violations"] as? [Any])?.count == 3, "\(partial.text)")
            let short = try await client.send(
                "PATCH", "/books/9780141439587", #"{"title": "", "pages": 0}"#)
            #expect(short.status == 422)
            #expect((try short.object["violations"] as? [Any])?.count == 2, "\(short.text)")
        }
    }

    @Test("lists in pages, with conditions")
    func pages() async throws {
        try await withServer { client in
            let author = try await author(client)
            let other = try await self.author(client, "Mary Shelley")
            let books = (0..<25).map { number in
                book(
                    "978000000\(1000 + number)", "Title \(100 + number)",
                    by: number < 20 ? author : other)
            }
            let stored = try await client.send(
                "POST", "/books/batch", "[\(books.joined(separator: ","))]")
            #expect(stored.status == 201, "\(stored.text)")
            var (titles, pages, path): ([String], Int, String?) = ([], 0, "/books?limit=10")
            while let next = path {
                let page = try await client.send("GET", next)
                #expect(page.status == 200, "\(page.text)")
                titles += try page.items.compactMap { $0["title"] as? String }
                path = (try page.object["next"] as? String).map { "/books?limit=10&after=\($0)" }
                pages += 1
            }
            #expect(pages == 3)
            #expect(titles == (0..<25).map { "Title \(100 + $0)" })
            let few = try await client.send("GET", "/books?author=\(other)&status=available")
            #expect(try few.items.count == 5)
            #expect(try await client.send("GET", "/books?after=nothing").status == 400)
            let cursor = try #require(
                try await client.send("GET", "/authors?limit=1").object["next"] as? String)
            // A cursor of another list.
            #expect(try await client.send("GET", "/books?after=\(cursor)").status == 400)
            let found = try await client.send("GET", "/search?text=title%20110")
            #expect(found.text.contains("Title 110"))
            let own = try await client.send("GET", "/authors/\(other)/books")
            #expect(own.text.contains("Title 120") && !own.text.contains("Title 110"))
        }
    }

    @Test("stores all records of a batch or none")
    func batches() async throws {
        try await withServer { client in
            let author = try await author(client)
            let list = [
                book("9780000000001", "A", by: author), book("1", "B", by: author),
            ]
            let answer = try await client.send(
                "POST", "/books/batch", "[\(list.joined(separator: ","))]")
            #expect(answer.status == 422)
            #expect(try await client.send("GET", "/books").items.isEmpty)
        }
    }

    @Test("reports what the store did")
    func metrics() async throws {
        try await withServer { client in
            _ = try await author(client)
            let text = try await client.send("GET", "/metrics").text
            #expect(
                text.contains(#"store_operations_total{operation="create",table="authors"} 1"#),
                "\(text)")
        }
    }
}
