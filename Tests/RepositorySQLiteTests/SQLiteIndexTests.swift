import Foundation
import Generated
import RepositoryRuntime
import Testing

@testable import RepositorySQLCore
@testable import RepositorySQLite
@testable import RepositoryTesting

/// Which indexes there are, and that they are used.
@Suite struct SQLiteIndexTests {
    @Test func queriesUseTheDeclaredIndex() async throws {
        let store = SQLiteStore.inMemory()
        try await Library(store).open()
        func lines(_ query: Query<Book>) async throws -> [String] {
            guard case .selection(let selection) = store.plan(query).access else { return [] }
            return try await store.explain(Book.self, selection)
        }
        let title = try await lines(.where { $0.title == "T" })
        #expect(title.first?.contains(#"WHERE "title" = ?1"#) == true)
        #expect(title.contains { $0.contains("USING INDEX by_title (title=?)") }, "\(title)")
        let prefix = try await lines(.where { $0.title.hasPrefix("T") })
        #expect(prefix.contains { $0.contains("USING INDEX by_title (title>? AND title<?)") })
        let status = try await lines(.where { $0.status.in([.available, .withdrawn]) })
        #expect(status.contains { $0.contains("USING INDEX books_status (status=?)") })
        let pages = try await lines(.where { $0.pages > 3 })
        #expect(pages.contains { $0.hasPrefix("SCAN") }, "\(pages)")
    }

    @Test func explanationsShowTheStatementAndTheIndex() async throws {
        let library = Library(SQLiteStore.inMemory())
        let query = Query<Book>.where {
            $0.title == "secret" && $0.subtitle.contains("secret", ignoringCase: true)
        }
        let lines = try await library.books.explain(query).description
        #expect(lines.contains(#"SQLite: SELECT "isbn", "#))
        #expect(lines.contains("USING INDEX by_title (title=?)"))
        #expect(lines.contains("runtime: tests contains(subtitle, ?)"))
        #expect(!lines.contains("secret"))
    }

    /// The indexes of a database that are the store's own.
    private func ownIndexes(_ path: String) throws -> [String] {
        try PlainDatabase(path).rows(
            "SELECT name FROM sqlite_schema WHERE name LIKE 'repository_reference%' ORDER BY name"
        ).map { $0[0] }
    }

    @Test func referencesHaveIndexesInFilesOfEarlierVersionsToo() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            try await Conformance(SQLiteStore(path: path)).open()
            let names = try ownIndexes(path)
            #expect(
                names == [
                    #"repository_reference: "bookings" ("seat_hall_id", "seat_row", "seat_letter")"#,
                    #"repository_reference: "claims" ("seat_hall_id", "seat_row", "seat_letter")"#,
                    #"repository_reference: "folders" ("parent_id")"#,
                    #"repository_reference: "links" ("anchor_id")"#,
                    #"repository_reference: "links" ("friend_id")"#,
                    #"repository_reference: "links" ("keeper_id")"#,
                    #"repository_reference: "payments" ("reserve_company_id", "reserve_number")"#,
                    #"repository_reference: "replies" ("parent_id")"#,
                    #"repository_reference: "stalls" ("hall_id")"#,
                ], "\(names)")
            let database = try PlainDatabase(path)
            for name in names { try database.run("DROP INDEX \(SQLiteDialect().quoted(name))") }
            let before = try database.rows("SELECT * FROM repository_schema")
            try await Conformance(SQLiteStore(path: path)).open()
            #expect(try ownIndexes(path) == names)
            #expect(try database.rows("SELECT * FROM repository_schema") == before)
            let plan = try database.rows(
                "EXPLAIN QUERY PLAN SELECT 1 FROM links WHERE anchor_id = 'a'")
            #expect(plan.contains { $0.last?.contains("repository_reference") == true })
        }
    }

    @Test func declaredIndexesLeaveNothingToAdd() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            try await Library(SQLiteStore(path: path)).open()
            #expect(try ownIndexes(path).isEmpty)
        }
    }

    @Test func indexesCanBeMadeAnew() async throws {
        let store = SQLiteStore.inMemory()
        let library = Library(store)
        try await library.authors.create(Author(name: "A"))
        try await store.rebuildIndexes()
        #expect(try await library.authors.count() == 1)
    }

    /// Names of tables, columns and indexes, whatever they hold, are names.
    @Test func everyNameIsQuoted() async throws {
        let names = Array(Set(HostileNames.all.filter { !$0.isEmpty })).sorted()
        #expect(names.count >= 200)
        let dialect = SQLiteDialect()
        let connection = try SQLiteConnection(.inMemory(), .writing)
        for (number, name) in names.enumerated() {
            // No two names of a table may differ in ASCII case alone.
            var entity = EntityTable("t\(number) \(name)", entity: "E")
            entity.field("id", .text, column: "i \(name)", key: true)
            entity.field("value", .int64, column: name)
            entity.index("x\(number) \(name)", ["-value"])
            let table = SQLTable(entity, in: StoreSchema("S", [entity]))
            let text = SQLSchemaText(table, dialect)
            try connection.execute(text.createTable())
            try connection.execute(text.createIndex(entity.indexes[0]))
            let insert = try connection.statement(SQLStatements(table, dialect).insert)
            try insert.bind(name, at: 1)
            try insert.bind(Int64(number), at: 2)
            try insert.run()
            let selection = StoreSelection(
                [
                    .compare(FieldPath(1), .equal, .integer(Int64(number))),
                    .isIn(FieldPath(0), [.text(name), .null]),
                ], sortKeys: [SortKey(path: FieldPath(1), direction: .descending)])
            let query = try #require(SQLSelectionWriter.select(selection, table, dialect))
            let statement = try connection.statement(query)
            defer { statement.reset() }
            #expect(try statement.step(), "\(name)")
            #expect(statement.text(at: 0) == name && statement.integer(at: 1) == Int64(number))
            let scan = try #require(
                SQLSelectionWriter.find(
                    IndexScan(0, lower: .init(.integer(0), isIncluded: true)), limit: 1, table,
                    dialect))
            let found = try connection.statement(scan)
            defer { found.reset() }
            #expect(try found.step() && found.text(at: 0) == name)
        }
        #expect(try SQLiteCatalog.tables(connection).count == names.count)
    }
}
