#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// Search indexes in a database that other programs write to.
    @Suite("PostgreSQL: search", .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLSearchTests {
        /// A schema of the database with 100 essays, `Essay 0` and so on.
        private struct Place {
            let schema = "s\(UUID().uuidString.prefix(8).lowercased())"

            func store(_ connections: Int = 6) throws -> PostgreSQLStore {
                try TestServer.store(schema, connections: connections)
            }

            /// Runs statements of another program.
            func run(_ statements: String) async throws {
                try await TestServer.run(
                    "SET search_path TO \(schema); \(statements); RESET search_path")
            }

            func count(_ table: String) async throws -> Int? {
                try await TestServer.value("SELECT count(*) FROM \(schema).\(table)")
                    .flatMap { Int($0) }
            }

            /// The number of tables, functions and triggers of search indexes.
            func objects() async throws -> Int? {
                let count = """
                    SELECT (SELECT count(*) FROM pg_class WHERE relkind = 'r' \
                    AND relnamespace = '\(schema)'::regnamespace \
                    AND relname LIKE 'repository_search_%') \
                    + (SELECT count(*) FROM pg_proc WHERE pronamespace = '\(schema)'::regnamespace \
                    AND proname LIKE 'repository_search_%') \
                    + (SELECT count(*) FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid \
                    WHERE c.relnamespace = '\(schema)'::regnamespace \
                    AND tgname LIKE 'repository_search_%')
                    """
                return try await TestServer.value(count).flatMap { Int($0) }
            }
        }

        private static let words = "repository_search_words_essays"
        private static let changes = "repository_search_changes_essays"

        /// Runs a body with the essays, which are indexed.
        private func withEssays(
            _ body: (Conformance, PostgreSQLStore, Place) async throws -> Void
        ) async throws {
            let place = Place()
            let store = try place.store()
            let set = Conformance(store)
            try await set.essays.createAll(
                (0..<100).map { Essay(number: .init($0), title: "Essay \($0)") })
            #expect(try await set.essays.count(searching: "essay") == 100)
            try await body(set, store, place)
            try await store.close()
            try await TestServer.run("DROP SCHEMA \(place.schema) CASCADE")
        }

        private func ids(_ set: Conformance, _ text: String) async throws -> [Int] {
            try await set.essays.search(text).map(\.number.rawValue)
        }

        @Test("A search reads the index")
        func readsTheIndex() async throws {
            try await withEssays { set, _, place in
                #expect(try await place.count(Self.words) == 200)
                #expect(try await place.count(Self.changes) == 0)
                #expect(try await ids(set, "7") == [7])
                // A word that only the index has shows that the index is read.
                try await place.run("UPDATE \(Self.words) SET word = 'other' WHERE word = '7'")
                #expect(try await ids(set, "7") == [])
                #expect(try await ids(set, "other") == [])
            }
        }

        @Test("Only changes of searched fields are recorded")
        func otherFields() async throws {
            try await withEssays { set, _, place in
                try await set.essays.updateAll(where: { $0.number < 50 }, set: { $0.year = 1900 })
                #expect(try await place.count(Self.changes) == 0)
                try await set.essays.updateAll(where: { $0.number < 3 }, set: { $0.tags = ["x"] })
                #expect(try await place.count(Self.changes) == 3)
                #expect(try await ids(set, "x") == [0, 1, 2])
                var essay = try await set.essays.read(3)
                essay.summary = "x"
                try await set.essays.save(essay)
                #expect(try await place.count(Self.changes) == 4)
                #expect(try await ids(set, "x") == [3, 0, 1, 2])
            }
        }

        @Test("What other programs write is found")
        func otherPrograms() async throws {
            try await withEssays { set, _, place in
                try await place.run(
                    """
                    UPDATE essays SET title = 'Novel' WHERE number = 3;
                    DELETE FROM essays WHERE number = 4;
                    UPDATE essays SET number = 1000 WHERE number = 5;
                    INSERT INTO essays (number, title, tags, year, revision)
                        VALUES (2000, 'Novel', '["essay"]', 1, 1), (6, 'x', '[]', 1, 1)
                        ON CONFLICT (number) DO UPDATE SET title = 'Novel'
                    """)
                #expect(try await ids(set, "novel") == [3, 6, 2000])
                #expect(try await ids(set, "3") == [])
                #expect(try await ids(set, "4") == [])
                #expect(try await ids(set, "5") == [1000])
                #expect(try await set.essays.count(searching: "essay") == 98)
                #expect(try await place.count(Self.changes) == 6)
                try await place.run("UPDATE essays SET title = 'Saga' WHERE number >= 20")
                #expect(try await set.essays.count(searching: "saga") == 82)
                #expect(try await place.count(Self.changes) == 0)
                #expect(try await ids(set, "novel") == [3, 6])
                try await place.run("TRUNCATE essays CASCADE")
                #expect(try await ids(set, "novel") == [])
            }
        }

        @Test("A role that may only write the records need not know of the index")
        func otherRoles() async throws {
            try await withEssays { set, _, place in
                let role = place.schema
                try await TestServer.run(
                    """
                    CREATE ROLE \(role); GRANT USAGE ON SCHEMA \(place.schema) TO \(role);
                    GRANT SELECT, INSERT, UPDATE, DELETE ON \(place.schema).essays TO \(role);
                    SET ROLE \(role);
                    CREATE TEMPORARY TABLE \(Self.changes) (k0 bigint);
                    UPDATE \(place.schema).essays SET title = 'Novel' WHERE number = 3;
                    DELETE FROM \(place.schema).essays WHERE number = 4;
                    INSERT INTO \(place.schema).essays (number, title, tags, year, revision)
                        VALUES (1000, 'Novel', '[]', 1, 1);
                    RESET ROLE; DROP TABLE pg_temp.\(Self.changes)
                    """)
                #expect(try await ids(set, "novel") == [3, 1000])
                #expect(try await place.count(Self.changes) == 3)
                try await TestServer.run("DROP OWNED BY \(role); DROP ROLE \(role)")
            }
        }

        @Test("A transaction and a snapshot search what they see")
        func transactions() async throws {
            try await withEssays { set, store, place in
                let snapshot = Conformance(try await store.snapshot())
                try await set.transaction { inside in
                    try await inside.essays.updateAll(
                        where: { $0.number >= 10 }, set: { $0.title = "Saga" })
                    #expect(try await inside.essays.count(searching: "saga") == 90)
                    #expect(try await inside.essays.count(searching: "essay") == 10)
                }
                #expect(try await snapshot.essays.count(searching: "essay") == 100)
                #expect(try await set.essays.count(searching: "essay") == 10)
                #expect(try await snapshot.essays.count(searching: "essay") == 100)
                #expect(try await place.count(Self.changes) == 0)
            }
        }

        @Test(
            "An index that has missed changes is rebuilt by the next opening",
            arguments: [
                "DROP TRIGGER repository_search_update ON essays",
                "ALTER TABLE essays DISABLE TRIGGER repository_search_update",
                """
                CREATE OR REPLACE FUNCTION repository_search_changed_essays() RETURNS trigger
                LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'
                """,
                "DROP TABLE \(Self.words)",
                "UPDATE repository_search SET definition = '1 13.0.0 title summary tags'",
                "DROP TABLE repository_search",
            ])
        func missedChanges(_ damage: String) async throws {
            try await withEssays { _, _, place in
                try await place.run(damage)
                try await place.run(
                    """
                    ALTER TABLE essays DISABLE TRIGGER USER;
                    UPDATE essays SET title = 'Saga' WHERE number < 10
                    """)
                let store = try place.store()
                let later = Conformance(store)
                #expect(try await later.essays.count(searching: "saga") == 10)
                #expect(try await later.essays.count(searching: "essay") == 90)
                #expect(try await place.count(Self.changes) == 0)
                try await place.run("UPDATE essays SET title = 'Novel' WHERE number < 3")
                #expect(try await ids(later, "novel") == [0, 1, 2])
                try await store.close()
            }
        }

        @Test("Tables of a program without the index get one at the next opening")
        func earlierPrograms() async throws {
            try await withEssays { set, _, place in
                let complete = try await place.objects()
                try await place.run(
                    """
                    DROP FUNCTION repository_search_changed_essays CASCADE;
                    DROP TABLE repository_search, \(Self.words), \(Self.changes)
                    """)
                let revision = "SELECT revision FROM \(place.schema).repository_schema"
                let before = try await TestServer.value(revision)
                // The program that is open reads every record.
                #expect(try await ids(set, "7") == [7])
                let inside = try await set.transaction { inside in
                    try await inside.essays.search("7").map(\.number)
                }
                #expect(inside == [7])
                let store = try place.store()
                let refusing = set.context.schema.opening(.refuse)
                await #expect(throws: CRUDRepositoryError.self) { try await store.open(refusing) }
                #expect(try await store.migrationPlan(set.context.schema).isNeeded)
                let later = Conformance(store)
                #expect(try await ids(later, "7") == [7])
                #expect(try await place.objects() == complete)
                #expect(try await !store.migrationPlan(set.context.schema).isNeeded)
                // The schema is the same: other programs need not compare it again.
                #expect(try await TestServer.value(revision) == before)
                try await store.close()
            }
        }

        @Test("An index of another definition is not read")
        func otherDefinition() async throws {
            try await withEssays { set, _, place in
                try await place.run("UPDATE repository_search SET definition = '1 99.0.0 title'")
                try await place.run("DELETE FROM \(Self.words)")
                #expect(try await ids(set, "7") == [7])
            }
        }

        @Test("The index follows its table: renamed, renamed fields, no longer searched, dropped")
        func changedSchemas() async throws {
            try await withEssays { set, store, place in
                try await store.reset(set.context.schema)
                #expect(try await place.objects() == 0)
                func search<S: Shape>(_ shape: S.Type) async throws -> Int {
                    let store = try place.store()
                    defer { Task { try await store.close() } }
                    try await store.open(StoreSchema("Changing", [Shaped<S>.self]))
                    let hits = try await store.search(Shaped<S>.self, SearchQuery("first"))
                    return try #require(hits).ranked.count + #require(hits).unranked.count
                }
                #expect(try await search(Shapes.Searched.self) == 0)
                #expect(try await place.objects() == 7)
                // A search reads so few changed records.
                try await place.run("INSERT INTO things VALUES ('a', 'first', 1), ('b', 'x', 1)")
                #expect(try await search(Shapes.Searched.self) == 2)
                #expect(try await search(Shapes.SearchedObjects.self) == 2)
                #expect(try await place.objects() == 7)
                #expect(try await place.count("repository_search_words_objects") == 0)
                #expect(try await place.count("repository_search_changes_objects") == 2)
                #expect(
                    try await TestServer.value(
                        "SELECT string_agg(name, ',') FROM \(place.schema).repository_search")
                        == "objects")
                let renamed = try place.store()
                try await renamed.reset(
                    StoreSchema("Changing", [Shaped<Shapes.SearchedObjects>.self]))
                try await renamed.close()
                #expect(try await place.objects() == 0)
                #expect(try await search(Shapes.Searched.self) == 0)
                try await place.run("INSERT INTO things VALUES ('a', 'first', 1), ('b', 'x', 1)")
                #expect(try await search(Shapes.SearchedHeadline.self) == 2)
                #expect(try await place.objects() == 7)
                try await place.run("UPDATE things SET headline = 'x y'; DELETE FROM things")
                #expect(try await place.count("repository_search_changes_things") == 6)
                let plain = try place.store()
                try await plain.open(StoreSchema("Changing", [Shaped<Shapes.Renamed>.self]))
                try await plain.close()
                #expect(try await place.objects() == 0)
            }
        }
    }
#endif
