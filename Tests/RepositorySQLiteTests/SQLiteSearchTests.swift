import Foundation
import RepositoryRuntime
import Testing

@testable import RepositorySQLite
@testable import RepositoryTesting

/// Search indexes in a database that other programs write to.
@Suite struct SQLiteSearchTests {
    /// Runs a body with 100 essays, `Essay 0` and so on, which are indexed.
    private func withEssays(
        _ body: (Conformance, SQLiteStore, PlainDatabase, String) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let store = SQLiteStore(path: path)
            let set = Conformance(store)
            try await set.essays.createAll(
                (0..<100).map { Essay(number: .init($0), title: "Essay \($0)") })
            #expect(try await set.essays.count(searching: "essay") == 100)
            try await body(set, store, try PlainDatabase(path), path)
        }
    }

    private static let words = "\"repository_search words: \"\"essays\"\"\""
    private static let changes = "\"repository_search changes: \"\"essays\"\"\""
    private static let triggers = ["insert", "delete", "update"].map {
        "\"repository_search \($0): \"\"essays\"\"\""
    }

    private func count(_ table: String, _ database: PlainDatabase) throws -> Int? {
        try database.value("SELECT count(*) FROM \(table)").flatMap { Int($0) }
    }

    private func ids(_ set: Conformance, _ text: String) async throws -> [Int] {
        try await set.essays.search(text).map(\.number.rawValue)
    }

    @Test func aSearchReadsTheIndex() async throws {
        try await withEssays { set, _, other, _ in
            // A block for the word that all have, and one for each number.
            #expect(try count(Self.words, other) == 101)
            #expect(try count(Self.changes, other) == 0)
            #expect(try await ids(set, "7") == [7])
            // A word that only the index has shows that the index is read.
            try other.run("UPDATE \(Self.words) SET word = 'other' WHERE word = '7'")
            #expect(try await ids(set, "7") == [])
            #expect(try await ids(set, "other") == [])
        }
    }

    @Test func whatOtherProgramsWriteIsFound() async throws {
        try await withEssays { set, _, other, _ in
            try other.run(
                """
                UPDATE essays SET title = 'Novel' WHERE number = 3;
                DELETE FROM essays WHERE number = 4;
                UPDATE essays SET number = 1000 WHERE number = 5;
                INSERT INTO essays (number, title, tags, year, revision)
                    VALUES (2000, 'Novel', '["essay"]', 1, 1);
                INSERT OR REPLACE INTO essays (number, title, tags, year, revision)
                    VALUES (6, 'Novel', '[]', 1, 1);
                """)
            #expect(try await ids(set, "novel") == [3, 6, 2000])
            #expect(try await ids(set, "3") == [])
            #expect(try await ids(set, "4") == [])
            #expect(try await ids(set, "5") == [1000])
            #expect(try await set.essays.count(searching: "essay") == 98)
            #expect(try count(Self.changes, other) == 6)
            try other.run("UPDATE essays SET title = 'Saga' WHERE number >= 20")
            #expect(try await set.essays.count(searching: "saga") == 82)
            #expect(try count(Self.changes, other) == 0)
            #expect(try await ids(set, "novel") == [3, 6])
        }
    }

    @Test func aTransactionAndASnapshotSearchWhatTheySee() async throws {
        try await withEssays { set, store, other, _ in
            let snapshot = Conformance(try await store.snapshot())
            try await set.transaction { inside in
                try await inside.essays.updateAll(
                    where: { $0.number >= 10 }, set: { $0.title = "Saga" })
                #expect(try await inside.essays.count(searching: "saga") == 90)
                #expect(try await inside.essays.count(searching: "essay") == 10)
            }
            #expect(try await snapshot.essays.count(searching: "essay") == 100)
            #expect(try await set.essays.count(searching: "essay") == 10)
            #expect(try count(Self.changes, other) == 0)
        }
    }

    @Test func anIndexThatMissedChangesIsRebuilt() async throws {
        for damage in [
            "DROP TRIGGER \(Self.triggers[2])", "DROP TABLE \(Self.words)",
            "UPDATE repository_search SET definition = '1 13.0.0 title summary tags'",
            "DROP TABLE repository_search",
        ] {
            try await withEssays { _, _, other, path in
                try other.run(damage)
                if !damage.contains("TABLE \(Self.words)") {
                    for trigger in Self.triggers {
                        try other.run("DROP TRIGGER IF EXISTS \(trigger)")
                    }
                    try other.run("UPDATE essays SET title = 'Saga' WHERE number < 10")
                }
                let later = Conformance(SQLiteStore(path: path))
                let saga = try await later.essays.count(searching: "saga")
                #expect(saga == (damage.contains("TABLE \(Self.words)") ? 0 : 10), "\(damage)")
                #expect(try await later.essays.count(searching: "essay") == 100 - saga)
                #expect(try count(Self.changes, other) == 0)
            }
        }
    }

    @Test func anIndexOfAnotherDefinitionIsNotRead() async throws {
        try await withEssays { set, _, other, _ in
            try other.run("UPDATE repository_search SET definition = '1 99.0.0 title'")
            try other.run("DELETE FROM \(Self.words)")
            #expect(try await ids(set, "7") == [7])
        }
    }

    @Test func aTableThatIsNoLongerSearchedHasNoIndex() async throws {
        try await withEssays { set, store, other, path in
            let found = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'repository_search %'"
            let tables = set.context.schema.tables.count { !$0.searchedFields.isEmpty }
            #expect(try other.value(found) == "\(6 * tables)")
            try await store.reset(set.context.schema)
            #expect(try other.value(found) == "0")
            let things = { (store: SQLiteStore, schema: StoreSchema) in
                RepositoryContext(store: store, schema: schema)
            }
            let first = SQLiteStore(path: path)
            let searched = things(first, StoreSchema("Changing", [Shaped<Shapes.Searched>.self]))
            try await searched.open()
            #expect(try other.value(found) == "6")
            let second = SQLiteStore(path: path)
            let plain = things(second, StoreSchema("Changing", [Shaped<Shapes.First>.self]))
            try await plain.open()
            #expect(try other.value(found) == "0")
        }
    }

    @Test func aReadOnlyDatabaseIsSearched() async throws {
        try await withEssays { set, _, other, path in
            try await set.essays.updateAll(
                where: { $0.number >= 10 }, set: { $0.title = "Saga" })
            // Another program holds the lock of writers: the search reads the records instead.
            let store = SQLiteStore(path: path, busyTimeout: .milliseconds(1))
            let later = Conformance(store)
            try await later.open()
            try other.run("BEGIN IMMEDIATE")
            #expect(try await later.essays.count(searching: "saga") == 90)
            try other.run("ROLLBACK")
            #expect(try await later.essays.count(searching: "saga") == 90)
            #expect(try count(Self.changes, other) == 0)
        }
    }
}
