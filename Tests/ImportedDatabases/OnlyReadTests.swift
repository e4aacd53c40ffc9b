import Foundation
import RepositoryRuntime
import RepositorySQLite
import Testing

/// What is only read: views, rows that are known by their numbers, computed columns and columns with
/// values of several types.
@Suite("What is only read of imported databases")
struct OnlyReadTests {
    /// Calls `body` with the repositories over the awkward tables, and another program's connection.
    private func withTables(
        isWritten: Bool = false, _ body: (Awkward, PlainFile) async throws -> Void
    ) async throws {
        let database = try RealDatabase.awkward()
        defer { database.file.map { try? FileManager.default.removeItem(at: $0) } }
        try await database.withCopy(isWritten: isWritten) { path in
            let plain = try PlainFile(path)
            try await body(Awkward(context: database.context(path, Awkward.schema)), plain)
        }
    }

    private func text(_ values: [Any?]) -> [String] {
        values.map { $0.map { "\($0)" } ?? "NULL" }
    }

    @Test("equals SQL, row by row")
    func rows() async throws {
        try await withTables { set, plain in
            let sales = try await set.sales.fetch()
            #expect(
                try sales.map { text([$0.title, $0.income, $0.number, $0.last]) }
                    == plain.rows(
                        "SELECT title, income, number, last FROM sales ORDER BY title"))
            let visits = try await set.visits.fetch()
            #expect(
                try visits.map { text([$0.rowid, $0.page, $0.amount]) }
                    == plain.rows("SELECT rowid, page, amount FROM visits ORDER BY rowid"))
            let items = try await set.items.fetch()
            #expect(
                try items.map { text([$0.id, $0.total, $0.label, $0.anything, $0.stock]) }
                    == plain.rows(
                        "SELECT id, total, label, anything, stock FROM items ORDER BY id"))
            let requireds = try await set.requireds.fetch()
            #expect(
                try requireds.map { text([$0.id, $0.value]) }
                    == plain.rows("SELECT id, value FROM required ORDER BY id"))
        }
    }

    @Test("has no methods that write")
    func protocols() async throws {
        try await withTables { set, _ in
            let repositories: [any ReadableRepository] = [set.sales, set.visits, set.requireds]
            #expect(repositories.allSatisfy { !($0 is any EntityRepository) })
            #expect(set.items as Any is any EntityRepository)
        }
    }

    @Test("is found by id, in pages, in groups and by conditions")
    func queries() async throws {
        try await withTables { set, plain in
            #expect(try await set.visits.read(7).page == "start")
            #expect(try await set.visits.exists(3))
            await #expect(throws: CRUDRepositoryError.self) { try await set.visits.read(4) }
            let page = try await set.visits.page(.sorted(by: \.rowid, .descending).limit(2))
            #expect(page.items.map { $0.rowid.rawValue } == [12, 7])
            #expect(try await set.sales.count() == 3)
            let rich = try await set.sales.fetch(
                .where { $0.income > 3 }.sorted(by: \.income, .descending))
            #expect(rich.map { $0.title.rawValue } == ["a", "b"])
            #expect(try await set.sales.sum(of: \.number) == 4)
            let names = try await set.visits.fetch(.where { $0.amount == "2.5" })
            #expect(names.map { $0.rowid.rawValue } == [12])
            // Numbers compare as their texts.
            let sorted = try await set.items.fetch(.sorted(by: \.anything))
            #expect(sorted.map(\.anything) == [nil, "10", "9.5", "ten"])
            let some = try await set.items.ids(.where { $0.anything > "10" && $0.anything < "a" })
            #expect(some.map(\.rawValue) == [3])
            let stocks = try await set.items.project(\.stock, from: .sorted(by: \.id))
            #expect(try stocks == plain.values("SELECT stock FROM items ORDER BY id"))
            let total = try await set.items.findAll(total: 9)
            #expect(total.map { $0.id.rawValue } == [2])
        }
    }

    @Test("ignores case by an index with the collation NOCASE, and finds what only Unicode folds")
    func caseless() async throws {
        try await withTables(isWritten: true) { set, plain in
            try plain.run(
                """
                INSERT INTO items (id, title, price, name) VALUES
                (10, 't', 1, 'Kiosk'), (11, 't', 1, 'kioſK'), (12, 't', 1, 'KIOS\u{212A}'),
                (13, 't', 1, 'ÄNNE'), (14, 't', 1, 'änne'), (15, 't', 1, 'ſ')
                """)
            func ids(_ name: String) async throws -> [Int] {
                try await set.items.ids(.where { $0.name == name }.sorted(by: \.id))
                    .map(\.rawValue)
            }
            #expect(try await ids("ANNA") == [1, 2])
            #expect(try await ids("kiosk") == [10, 11, 12])
            #expect(try await ids("KIOſK") == [10, 11, 12])
            #expect(try await ids("änne") == [13, 14])
            #expect(try await ids("S") == [15])
            #expect(
                try await set.items.ids(.where { $0.name.in(["bob", "ANNA", "kiosk"]) })
                    .map(\.rawValue) == [1, 2, 3, 10, 11, 12])
            let plan = try await set.items.explain(.where { $0.name == "anna" })
            #expect("\(plan)".contains("USING INDEX items_name"), "\(plan)")
        }
    }

    @Test("is computed by the database when a record is written")
    func computed() async throws {
        try await withTables(isWritten: true) { set, plain in
            let item = try await set.items.create(Item(id: 20, title: "new", price: 2.5, count: 3))
            #expect(item.total == 7.5)
            #expect(item.label == "item 20")
            var changed = item
            changed.count = 4
            #expect(try await set.items.update(changed).total == 10)
            changed.price = 1
            #expect(try await set.items.save(changed).total == 4)
            let all = try await set.items.createAll([
                Item(id: 21, title: "x", price: 1, count: 2),
                Item(id: 22, title: "y", price: 2, count: 2),
            ])
            #expect(all.map(\.total) == [2, 4])
            #expect(try await set.items.saveAll(all).map(\.total) == [2, 4])
            #expect(try await set.items.update(20) { $0.count = 5 }.total == 5)
            var patch = RecordPatch<Item>()
            patch.count = 6
            #expect(try await set.items.update(20, patch).total == 6)
            #expect(
                try await set.items.updateAll(where: { $0.id == 20 }, set: { $0.count += 1 }) == 1)
            #expect(try await set.items.read(20).total == 7)
            let kept = try await set.items.replace(
                where: { $0.total == 7 }, with: [Item(id: 20, title: "z", price: 7)])
            #expect(kept.map(\.total) == [7])
            try await set.transaction { set in
                let saved = try await set.items.save(Item(id: 23, title: "t", price: 3))
                #expect(saved.total == 3)
            }
            // What is only read keeps its values, and their types.
            var first = try await set.items.read(2)
            first.title = "other"
            try await set.items.update(first)
            #expect(
                try plain.rows("SELECT anything, typeof(anything) FROM items WHERE id = 2")
                    == [["10", "integer"]])
        }
    }

    @Test("is refused in patches, drafts and updates")
    func refusals() async throws {
        try await withTables(isWritten: true) { set, _ in
            let body = Data(#"{"total": 5, "anything": "x", "title": "y"}"#.utf8)
            let error = #expect(throws: CRUDRepositoryError.self) {
                try JSONDecoder().decode(RecordPatch<Item>.self, from: body)
            }
            #expect(error?.violations.map(\.field) == ["total", "anything"])
            #expect(throws: CRUDRepositoryError.self) {
                try JSONDecoder().decode(RecordDraft<Item>.self, from: body)
            }
            let update = await #expect(throws: CRUDRepositoryError.self) {
                try await set.items.updateAll(where: { $0.id == 1 }, set: { $0.total = 1 })
            }
            #expect(update?.code == .invalidQuery)
        }
    }

    @Test("of a view is observed by the writes to its tables")
    func observed() async throws {
        try await withTables(isWritten: true) { set, _ in
            let seen = set.sales.observe(.where { $0.title == "c" })
            var values = seen.makeAsyncIterator()
            #expect(try await values.next()?.map(\.number) == [1])
            try await set.items.save(Item(id: 30, title: "c", price: 1))
            #expect(try await values.next()?.map(\.number) == [2])
            let one = set.sales.observeOne(id: "d")
            var records = one.makeAsyncIterator()
            #expect(try await records.next() == .some(nil))
            try await set.items.save(Item(id: 31, title: "d", price: 1))
            #expect(try await records.next()??.number == 1)
        }
    }

    @Test("is stored and read by the memory store like other records")
    func memory() async throws {
        let sale = Sale(title: "a", income: 1, number: 2, last: nil)
        let set = Awkward(
            context: RepositoryContext(
                store: InMemoryStore(seed: [sale]), schema: Awkward.schema, fullScans: .allow))
        #expect(try await set.sales.fetch() == [sale])
        #expect(try await set.sales.fetch(.where { $0.number == 2 }).count == 1)
    }
}

/// Tables and views that do not fit what a schema says.
@Suite("Opening what is only read")
struct OnlyReadOpeningTests {
    /// Returns the differences that opening a database reports.
    private func differences(_ sql: String) async throws -> [String] {
        let database = try RealDatabase.awkward()
        defer { database.file.map { try? FileManager.default.removeItem(at: $0) } }
        var found: [String] = []
        try await database.withCopy(isWritten: true) { path in
            try PlainFile(path).run(sql)
            let set = Awkward(context: database.context(path, Awkward.schema))
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await set.sales.count()
            }
            #expect(error?.code == .schemaMismatch)
            found = [error.map { "\($0.localizedDescription)" } ?? ""]
        }
        return found
    }

    @Test(
        "names what is missing",
        arguments: [
            ("DROP VIEW sales", "the table 'sales' is declared and not there"),
            (
                "DROP VIEW sales; CREATE VIEW sales AS SELECT title, 1 AS income FROM items",
                "the column 'number' of 'sales' is declared and not there"
            ),
            (
                "DROP TABLE visits; CREATE TABLE visits (page TEXT PRIMARY KEY, at TEXT, amount) WITHOUT ROWID",
                "the column 'rowid' of 'visits' is declared and not there"
            ),
            (
                "DROP VIEW item_pages; DROP TABLE visits; CREATE VIEW visits AS SELECT title AS page, title AS at, 1 AS amount FROM items",
                "the column 'rowid' of 'visits' is declared and not there"
            ),
            (
                "DROP TABLE authors; CREATE VIEW authors AS SELECT 1 AS id, 'a' AS name",
                "'authors' is a view and cannot be written: declare 'readOnly: true'"
            ),
            (
                "DROP INDEX items_name; CREATE INDEX items_name ON items (name COLLATE BINARY)",
                "an index over"
            ),
        ])
    func mismatch(sql: String, message: String) async throws {
        let found = try await differences(
            "PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON;" + sql)
        #expect(found.contains { $0.contains(message) }, "\(found)")
    }
}
