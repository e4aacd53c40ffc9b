#if PostgreSQL
    import CPostgreSQL
    import Foundation
    import RepositoryRuntime
    import Synchronization
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    @Suite("PostgreSQL: own SQL", .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLOwnStatementTests {
        private func withStore(
            connections: Int = 3,
            _ body: (PostgreSQLStore, Conformance) async throws -> Void
        ) async throws {
            let schema = "sql-\(UUID().uuidString)"
            let store = try TestServer.store(schema, connections: connections)
            let library = Conformance.plain(store)
            try await library.open()
            try await body(store, library)
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        private func expectError<R>(
            _ code: CRUDRepositoryError.Code, _ body: () async throws -> R,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async {
            let error = await #expect(
                throws: CRUDRepositoryError.self, sourceLocation: sourceLocation
            ) { _ = try await body() }
            #expect(error?.code == code, sourceLocation: sourceLocation)
        }

        @Test func valuesAreBound() async throws {
            try await withStore { store, library in
                try await library.notes.createAll([
                    Note(id: "a", text: "'; DROP TABLE notes; --"), Note(id: "b", text: "x"),
                ])
                let evil = "'; DROP TABLE notes; --"
                let rows = try await store.sql("SELECT id FROM notes WHERE text = \(evil)")
                #expect(try rows.map { try $0.value(String.self, named: "id") } == ["a"])
                let found = try await store.sql(
                    "SELECT text, rank, id FROM \(table: Note.self) WHERE id <> \(evil) ORDER BY id",
                    as: Note.self)
                #expect(found.map(\.id) == ["a", "b"])
                #expect(
                    try await store.execute("UPDATE notes SET text = \(evil) WHERE id = 'b'") == 1)
                #expect(try await library.notes.read("b").text == evil)
                #expect(try await store.execute("SELECT * FROM notes") == 0)
                let returned = try await store.sql(
                    "INSERT INTO notes (id, text) VALUES ('c', coalesce(\(nil as String?), 'x')) ON CONFLICT DO NOTHING RETURNING id"
                )
                #expect(returned.count == 1)
                await expectError(.invalidRecord) {
                    try await store.sql("SELECT id FROM notes", as: Note.self)
                }
                await expectError(.invalidItem) {
                    try await store.sql("SELECT id FROM notes WHERE id = \("a\0")")
                }
            }
        }

        @Test func typesOfValues() async throws {
            try await withStore { store, _ in
                let id = UUID()
                let date = Date(timeIntervalSince1970: 1_000_000.25)
                let row = try #require(
                    try await store.sql(
                        """
                        SELECT \(true) AS a, \(7) AS b, \(1.5) AS c, \(Decimal(string: "1.25")!) AS d, \
                        \(date) AS e, \(id) AS f, \(Data([1, 0, 2])) AS g, \("t") AS h, \
                        '{"a": 1}'::jsonb AS i, '{"a":1}'::json AS j, 5::oid AS k, NULL AS l, \
                        '2026-11-22'::date AS m, 'x'::char(2) AS n, current_schema() AS o, \
                        pg_advisory_unlock_all() AS p
                        """
                    ).first)
                #expect(try row.value(Bool.self, named: "a"))
                #expect(try row.value(Int.self, named: "b") == 7)
                #expect(try row.value(Double.self, named: "c") == 1.5)
                #expect(try row.value(Decimal.self, named: "d") == Decimal(string: "1.25"))
                #expect(try row.value(Date.self, named: "e") == date)
                #expect(try row.value(UUID.self, named: "f") == id)
                #expect(try row.value(Data.self, named: "g") == Data([1, 0, 2]))
                #expect(try row.value(String.self, named: "h") == "t")
                #expect(try row.value(String.self, named: "i") == #"{"a": 1}"#)
                #expect(try row.value(String.self, named: "j") == #"{"a":1}"#)
                #expect(try row.value(Int.self, named: "k") == 5)
                #expect(row.values[11] == .null)
                #expect(try row.value(LocalDate.self, named: "m") == LocalDate("2026-11-22"))
                #expect(try row.value(String.self, named: "n") == "x ")
                #expect(row.values[15] == .null)
                // Text is compared with any type, as a literal would be.
                let days = try await store.sql(
                    "SELECT 1 AS one WHERE '2026-11-22'::date = \("2026-11-22") AND '{}'::jsonb = \("{}")"
                )
                #expect(days.count == 1)
                await expectError(.unsupported) { try await store.sql("SELECT '1 day'::interval") }
                await expectError(.unsupported) { try await store.sql("SELECT ARRAY[1]") }
                await expectError(.invalidRecord) { try await store.sql("SELECT 'NaN'::numeric") }
            }
        }

        @Test func refusals() async throws {
            try await withStore { store, library in
                for text in [
                    "", " -- nothing", "/* a /* b */ c */", "BEGIN", "/* x */ commit", "(rollback",
                    "SELECT 1; SELECT 2", "START TRANSACTION", "SAVEPOINT a",
                    "COPY notes TO STDOUT",
                    "; ABORT",
                ] {
                    await expectError(.unsupported) { try await store.sql("\(raw: text)") }
                }
                await expectError(.databaseError) {
                    try await store.sql("SELECT nothing FROM notes")
                }
                await expectError(.databaseError) { try await store.sql("SELEC 1") }
                await expectError(.databaseError) {
                    try await store.execute("INSERT INTO notes (id) VALUES ('a')")
                }
                await expectError(.databaseError) { try await store.sql("DO 'BEGIN COMMIT; END'") }
                #expect(try await library.notes.count() == 0)
                try await store.sql("VACUUM notes")
            }
        }

        /// What a statement changes in its session does not reach other operations.
        @Test func sessionsAreNotChanged() async throws {
            try await withStore(connections: 1) { store, library in
                try await library.notes.create(Note(id: "a", text: ""))
                for text in [
                    "SET search_path TO pg_catalog", "PREPARE mine AS SELECT 1",
                    "SELECT set_config('search_path', 'pg_catalog', false)",
                    "CREATE TEMPORARY TABLE notes (id text)", "SELECT pg_advisory_lock(7)",
                    "SET default_transaction_read_only = on", "LISTEN something",
                    "WITH a AS (SELECT set_config('search_path', '', false)) INSERT INTO notes (id, text) SELECT 'b', 'b' FROM a",
                ] {
                    try await store.sql("\(raw: text)")
                    #expect(try await library.notes.read("a").id == "a", "\(text)")
                    let kept = try await store.sql(
                        "SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
                    )
                    #expect(try kept[0].value(Int.self, at: 0) == 0, "\(text)")
                    try await library.transaction { library in
                        try await store.sql("\(raw: text.replacing("'b'", with: "'c'"))")
                    }
                    try await library.notes.save(Note(id: "d", text: ""))
                    #expect(try await library.notes.read("a").id == "a", "\(text)")
                }
            }
        }

        /// The text of a statement does not tell what the functions do that it calls.
        @Test func functionsChangeNoSession() async throws {
            try await withStore(connections: 1) { store, library in
                try await library.notes.create(Note(id: "a", text: ""))
                _ = try await store.execute(
                    """
                    CREATE FUNCTION changing() RETURNS text LANGUAGE plpgsql AS 'BEGIN \
                    SET search_path TO pg_catalog; PERFORM pg_advisory_lock(70011); \
                    RETURN ''changed''; END'
                    """)
                let locks = """
                    SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 70011
                    """
                #expect(try await library.notes.count() == 1)
                let opened = store.statistics.openedConnections
                _ = try await store.sql("SELECT changing()")
                #expect(try await library.notes.count() == 1)
                #expect(try await store.execute("UPDATE notes SET text = changing()") == 1)
                #expect(try await library.notes.read("a").text == "changed")
                #expect(try await TestServer.number(locks) == 0)
                try await library.transaction { library in
                    _ = try await store.execute("UPDATE notes SET text = changing() || text")
                }
                #expect(try await library.notes.read("a").text == "changedchanged")
                await expectError(.databaseError) {
                    try await store.sql("SELECT 1 / length(left(changing(), 0))")
                }
                #expect(try await library.notes.count() == 1)
                #expect(try await TestServer.number(locks) == 0)
                #expect(store.statistics.openedConnections == opened)
            }
        }

        @Test func partOfATransaction() async throws {
            try await withStore { store, library in
                struct Stop: Error {}
                try await library.transaction { library in
                    try await library.notes.create(Note(id: "a", text: ""))
                    #expect(try await store.sql("SELECT * FROM notes").count == 1)
                    await expectError(.databaseError) { try await store.sql("SELECT 1/0") }
                    #expect(try await store.execute("UPDATE notes SET text = \("new")") == 1)
                }
                #expect(try await library.notes.read("a").text == "new")
                await #expect(throws: Stop.self) {
                    try await library.transaction { _ in
                        #expect(try await store.execute("DELETE FROM notes") == 1)
                        throw Stop()
                    }
                }
                #expect(try await library.notes.count() == 1)
            }
        }

        @Test func observersAreTold() async throws {
            try await withStore { store, library in
                let told = Atomic(0)
                let number = store.changes.add { change in
                    #expect(change == .anything)
                    told.add(1, ordering: .relaxed)
                }
                try await store.sql("SELECT * FROM notes")
                #expect(told.load(ordering: .relaxed) == 0)
                try await store.sql("INSERT INTO notes (id, text) VALUES ('a', '')")
                #expect(told.load(ordering: .relaxed) == 1)
                try await library.transaction { _ in try await store.sql("SELECT * FROM notes") }
                #expect(told.load(ordering: .relaxed) == 1)
                try await library.transaction { _ in
                    try await store.sql(
                        "WITH a AS (DELETE FROM notes RETURNING id) SELECT * FROM a")
                }
                #expect(told.load(ordering: .relaxed) == 2)
                try await store.withConnection { _ in }
                #expect(told.load(ordering: .relaxed) == 3)
                store.changes.remove(number)
            }
        }

        /// Runs statements by libpq itself.
        private static func run(_ handle: borrowing PostgreSQLHandle, _ text: String) throws {
            let result = PQexec(handle.pointer, text)
            defer { PQclear(result) }
            let status = PQresultStatus(result)
            struct Failed: Error {}
            guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else { throw Failed() }
        }

        @Test func connectionIsLent() async throws {
            try await withStore(connections: 1) { store, library in
                try await store.withConnection { connection in
                    try Self.run(connection, "BEGIN; INSERT INTO notes VALUES ('a', ''); COMMIT")
                    try Self.run(connection, "SET search_path TO pg_catalog")
                }
                #expect(try await library.notes.ids() == ["a"])
                await expectError(.unsupported) {
                    try await store.withConnection {
                        try Self.run($0, "BEGIN; INSERT INTO notes VALUES ('b', '')")
                    }
                }
                await expectError(.unsupported) {
                    try await store.withConnection { _ = PQsendQuery($0.pointer, "SELECT 1") }
                }
                #expect(try await library.notes.ids() == ["a"])
                try await library.transaction { library in
                    try await library.notes.create(Note(id: "c", text: ""))
                    await #expect(throws: (any Error).self) {
                        try await store.withConnection {
                            try Self.run($0, "INSERT INTO notes VALUES ('d', '')")
                            try Self.run($0, "SELECT 1/0")
                        }
                    }
                    try await store.withConnection {
                        try Self.run($0, "INSERT INTO notes VALUES ('e', '')")
                    }
                }
                #expect(try await library.notes.ids() == ["a", "c", "e"])
                // A transaction that the closure ends does not go on.
                await #expect(throws: CRUDRepositoryError.self) {
                    try await library.transaction { library in
                        await expectError(.unsupported) {
                            try await store.withConnection { try Self.run($0, "ROLLBACK") }
                        }
                        try await library.notes.create(Note(id: "f", text: ""))
                    }
                }
                await #expect(throws: CRUDRepositoryError.self) {
                    try await library.transaction { _ in
                        try? await store.withConnection { try Self.run($0, "COMMIT") }
                    }
                }
                #expect(try await library.notes.ids() == ["a", "c", "e"])
            }
        }
    }
#endif
