import Foundation
import RepositoryRuntime
import Testing

@testable import RepositorySQLCore
@testable import RepositorySQLite
@testable import RepositoryTesting

/// Fields that ignore case in a database that others open too.
@Suite struct SQLiteCaseFoldingTests {
    @Test func queriesUseTheIndexOfFoldedTexts() async throws {
        let store = SQLiteStore.inMemory()
        try await Conformance(store).open()
        func lines(_ query: Query<Member>) async throws -> String {
            guard case .selection(let selection) = store.plan(query).access else { return "" }
            return try await store.explain(Member.self, selection).joined(separator: "\n")
        }
        let equal = try await lines(.where { $0.handle == "Anna" })
        #expect(equal.contains(#"WHERE "repository_folded_handle" = ?1"#), "\(equal)")
        #expect(
            equal.contains("USING INDEX members_handle (repository_folded_handle=?)"), "\(equal)")
        let prefix = try await lines(.where { $0.handle.hasPrefix("An") })
        #expect(
            prefix.contains(
                "USING INDEX members_handle (repository_folded_handle>? AND repository_folded_handle<?)"
            ), "\(prefix)")
        let sorted = try await lines(.sorted(by: \.handle))
        #expect(sorted.contains("USING INDEX members_handle"), "\(sorted)")
        #expect(!sorted.contains("TEMP B-TREE FOR ORDER BY"), "\(sorted)")
    }

    @Test func checksOfFoldedTextsStayWithTheRuntime() throws {
        let table = Listings.Folded.table
        let schema = StoreSchema("Listings", [table])
        let text = SQLSchemaText(SQLTable(table, in: schema), SQLiteDialect())
        #expect(!text.createTable().contains("repository_casefold"))
        #expect(
            table.indexes.map(text.createIndex) == [
                #"CREATE UNIQUE INDEX "listings_title" ON "listings" ("repository_folded_title") WHERE ("repository_folded_state" = 'gone') IS NOT TRUE"#,
                #"CREATE INDEX "listings_state" ON "listings" ("repository_folded_state" DESC, "count")"#,
            ])
    }

    @Test func whatIsNoTextIsLeftAsItIs() async throws {
        let store = SQLiteStore.inMemory()
        let row = try await store.sql(
            """
            SELECT repository_casefold('ÄB\u{1F600}ẞ'), repository_casefold(''),
                repository_casefold(NULL) IS NULL, typeof(repository_casefold(7)),
                typeof(repository_casefold(x'41')), typeof(repository_casefold(''))
            """
        ).first
        #expect(
            row?.values == [
                .text("äb\u{1F600}ß"), .text(""), .integer(1), .text("integer"), .text("blob"),
                .text("text"),
            ])
    }

    @Test func aTableOfSomebodyElsesNeedsTheIndexItself() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let table = Listings.Folded.table.reformed(managed: false) { _ in nil }
            let schema = StoreSchema("Listings", [table])
            let other = try PlainDatabase(path)
            let text = SQLSchemaText(SQLTable(table, in: schema), SQLiteDialect())
            try other.run(text.createTable())
            try other.run("CREATE UNIQUE INDEX one ON listings (title COLLATE NOCASE)")
            try other.run("CREATE INDEX two ON listings (lower(state), count)")
            let error = try await expectError(.schemaMismatch) {
                try await SQLiteStore(path: path).open(schema)
            }
            #expect(error.message.contains(#"'repository_casefold("title")'"#), "\(error)")
            #expect(error.message.contains(#"'repository_casefold("state")', 'count'"#), "\(error)")
        }
    }
}
