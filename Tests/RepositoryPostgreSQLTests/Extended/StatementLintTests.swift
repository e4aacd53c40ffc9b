#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Synchronization
    import Testing

    @testable import RepositorySQLCore
    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    @Suite("PostgreSQL: statements for other engines")
    struct StatementLintTests {
        /// A statement that breaks a rule on purpose.
        private struct Exception {
            let rule: StatementLint.Rule
            /// What is in the statement.
            let part: String
            let reason: String
        }

        /// What breaks a rule on purpose.
        private static let exceptions = [
            Exception(
                rule: .sessionState, part: "SELECT pg_backend_pid()::text",
                reason: "It finds out whether the session is that of a pooler."),
            Exception(
                rule: .sessionState, part: "SET standard_conforming_strings = on",
                reason: "It sets a session up that is known to be that of the connection."),
            Exception(
                rule: .sessionState, part: "SET lock_timeout",
                reason: "It sets a shared connection up, which is closed afterwards."),
            Exception(
                rule: .sessionState, part: "DEALLOCATE ALL",
                reason: "Prepared statements are those of a connection that no pooler shares."),
            Exception(
                rule: .sessionState, part: "EXPLAIN EXECUTE",
                reason: "Only `explain` does it, and undoes it in the same message."),
            Exception(
                rule: .sessionState, part: "pg_notify",
                reason: "It is a wake-up: where it fails, others poll."),
            Exception(
                rule: .sessionState, part: "LISTEN \"repository ",
                reason: "It is a wake-up on a connection of its own: without it, the store polls."),
            Exception(
                rule: .sessionState, part: "backend_start",
                reason: "Only `exactlyOnce` does it, whose sessions are those of PostgreSQL."),
            Exception(
                rule: .tableLock, part: PostgreSQLSchemaTable.waitForMigration,
                reason: "It is not sent to CockroachDB, whose transactions conflict instead."),
        ]

        @Test(
            "finds wrong statements",
            arguments: [
                ("SELECT nextval('numbers')", StatementLint.Rule.sequence),
                ("SET search_path TO a", .sessionState),
                ("BEGIN; SET a = 1", .sessionState), ("LISTEN a", .sessionState),
                ("SELECT pg_advisory_xact_lock(1)", .sessionState),
                ("CREATE TEMP TABLE a ()", .sessionState), ("BEGIN; LOCK TABLE a", .tableLock),
                ("SELECT \"a\" / 2 FROM \"t\"", .division),
                ("INSERT INTO \"t\" VALUES ($1) ON CONFLICT DO NOTHING", .conflict),
                ("INSERT INTO \"t\" VALUES ($1) ON CONFLICT (\"b\") DO NOTHING", .conflict),
                ("INSERT INTO \"t\" VALUES ($1) ON CONFLICT ON CONSTRAINT c DO NOTHING", .conflict),
            ])
        func wrong(_ text: String, _ rule: StatementLint.Rule) {
            var lint = StatementLint()
            lint.add(key: ["a"], of: "t")
            #expect(lint.broken(by: text) == [rule])
        }

        @Test("finds nothing in correct statements")
        func right() {
            var lint = StatementLint()
            lint.add(key: ["a", "b"], of: "t")
            for text in [
                "SELECT '1 / 2', \"a / b\" FROM \"t\"", "BEGIN; SET LOCAL lock_timeout = 300",
                "INSERT INTO \"t\" VALUES (1) ON CONFLICT (\"b\", \"a\") DO UPDATE SET \"a\" = 1",
                "UPDATE \"t\" SET \"a\" = 1",
            ] {
                #expect(lint.broken(by: text) == [])
            }
        }

        /// What stores have sent, and the keys of the tables that they have opened.
        private final class Seen: Sendable {
            let statements = Mutex<Set<String>>([])
            let lint = Mutex(StatementLint())

            init() {
                lint.withLock { lint in
                    lint.add(key: ["session"], of: PostgreSQLWriteTokens.name)
                    lint.add(key: ["name"], of: PostgreSQLSearchIndex.stateTable)
                    lint.add(key: ["kind", "name"], of: EncryptionNotes.table)
                    lint.add(key: ["name"], of: PostgreSQLSchemaTable.name)
                }
            }

            func note(_ schema: StoreSchema) {
                lint.withLock { lint in
                    for table in schema.tables {
                        let columns = table.key.map { table.fields[$0].column }
                        lint.add(key: columns, of: table.name)
                        if table.externalFields.isEmpty { continue }
                        lint.add(
                            key: table.key.indices.map { "k\($0)" } + ["content", "number"],
                            of: ChunkTable.name(of: table.name, PostgreSQLDialect()))
                    }
                }
            }
        }

        private struct SeenStore: EntityStoreWrapper {
            let store: any EntityStore
            let seen: Seen

            func open(_ schema: StoreSchema) async throws {
                seen.note(schema)
                try await store.open(schema)
            }
        }

        /// Lets prepared statements be out of date, so that a store forgets them.
        private static func forget(_ store: PostgreSQLStore) async throws {
            let library = Conformance.plain(store)
            try await library.open()
            let note = Note(id: "a", text: "text")
            try await library.notes.create(note)
            #expect(try await library.notes.fetch() == [note])
            let schema = try #require(store.options.schema)
            try await TestServer.run(
                "ALTER TABLE \"\(schema)\".notes ALTER COLUMN text TYPE varchar COLLATE \"C\"")
            #expect(try await library.notes.fetch() == [note])
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        @Test(
            "finds nothing in what the package sends",
            .enabled(if: TestServer.isAvailable, TestServer.reason), arguments: [false, true])
        func sent(journal: Bool) async throws {
            let address = try TestServer.address.get()
            let seen = Seen()
            @Sendable func store(_ schema: String, connections: Int = 6) -> PostgreSQLStore {
                var options = PostgreSQLStoreOptions(
                    address: address, schema: schema, connections: connections,
                    connectTimeout: .seconds(10), waitTimeout: .seconds(600),
                    lockTimeout: .seconds(600), exactlyOnce: journal, observing: journal)
                // Also the statements of long streams.
                options.streams.fewPages = 1
                options.streams.pageSize = 2
                options.onStatement = { text in
                    _ = seen.statements.withLock { $0.insert(text) }
                }
                return PostgreSQLStore(options)
            }
            let harness = StoreHarness(
                damage: TestServer.harness.damage, cleanUp: TestServer.harness.cleanUp
            ) { place in
                SeenStore(store: store(place.name), seen: seen)
            }
            // A behaviour of each area and those that explain; without a journal one of every third
            // area; all with `REPOSITORY_LONG=1`.
            let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
            let areas = Dictionary(grouping: StoreBehaviour.all, by: \.area)
            let first = areas.keys.sorted().enumerated()
                .filter { journal || $0.offset % 3 == 0 }
                .compactMap { areas[$0.element]?.first?.id }
            let chosen = StoreBehaviour.all.filter {
                isLong || first.contains($0.id) || journal && $0.id.contains(".explain")
            }
            _ = await StoreBehaviour.checkAll(chosen) { try await $0.check(harness) }
            // A notification would lease the only connection that has prepared the statement.
            try await Self.forget(store("lint-\(UUID().uuidString)", connections: 1))
            let statements = seen.statements.withLock { $0 }
            let lint = seen.lint.withLock { $0 }
            #expect(statements.count > 100)
            var used: Set<String> = []
            for text in statements.sorted() {
                for rule in lint.broken(by: text) {
                    let exception = Self.exceptions.first {
                        $0.rule == rule && text.contains($0.part)
                    }
                    #expect(exception != nil, "\(rule): \(text)")
                    if let exception { used.insert(exception.part) }
                }
            }
            // An exception that nothing needs would hide a mistake.
            if journal { #expect(used == Set(Self.exceptions.map(\.part))) }
            print("PostgreSQL: \(statements.count) statements were checked")
        }
    }
#endif
