#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import RepositoryTesting
    import Testing

    @testable import RepositoryPostgreSQL

    /// Settings that the server has for a role or a database.
    @Suite(
        "PostgreSQL: settings of roles and databases",
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct ServerSettingsTests {
        /// Creates a store in whose sessions a setting begins with a value, as by `ALTER ROLE`.
        private func store(
            _ setting: String, _ schema: String? = nil, connections: Int = 6
        ) throws -> PostgreSQLStore {
            let value = setting.replacing("=", with: "%3D").replacing(" ", with: "%5C%20")
            return PostgreSQLStore(
                try TestServer.address("options=-c%20\(value)"), schema: schema,
                connections: connections, waitTimeout: .seconds(600),
                lockTimeout: .seconds(600))
        }

        @Test(
            "Statements are READ COMMITTED, whatever the default is",
            arguments: ["serializable", "repeatable read"])
        func isolation(level: String) async throws {
            let setting = "default_transaction_isolation=\(level)"
            let schema = "isolation-\(UUID().uuidString)"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let store = try store(setting, schema, connections: 2)
                        let library = Conformance.plain(store)
                        try await library.notes.create(Note(id: Note.ID("\(number)"), text: ""))
                        let rows = try await store.sql(
                            "SELECT current_setting('transaction_isolation') AS level")
                        #expect(
                            try rows.map { try $0.value(String.self, at: 0) } == ["read committed"])
                        try await store.close()
                    }
                }
                try await group.waitForAll()
            }
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        @Test("A role that may only read and write records opens tables that are there")
        func rights() async throws {
            let schema = "rights-\(UUID().uuidString)"
            let role = "role-\(UUID().uuidString)"
            func library(_ address: String) -> (PostgreSQLStore, Conformance) {
                let store = PostgreSQLStore(
                    address, schema: schema, connections: 4, waitTimeout: .seconds(600),
                    exactlyOnce: true, observing: true)
                return (store, Conformance.plain(store))
            }
            let (owner, owned) = library(try TestServer.address.get())
            try await owned.open()
            let before = try await owner.changeState()
            try await TestServer.run(
                """
                CREATE ROLE "\(role)" LOGIN; GRANT USAGE ON SCHEMA "\(schema)" TO "\(role)"; \
                GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "\(schema)" \
                TO "\(role)"
                """)
            let (store, library) = library(try TestServer.address("user=\(role)"))
            try await library.notes.create(Note(id: "a", text: ""))
            try await library.transaction { inside in
                try await inside.notes.createAll(
                    (0..<200).map { Note(id: Note.ID("\($0)"), text: "") })
                try await inside.counters.create(Counter(number: 1, label: ""))
            }
            try await library.notes.update(Note(id: "a", text: "changed"))
            #expect(try await owner.changeState() != before)
            #expect(try await owned.notes.count() == 201)
            try await store.close()
            try await owner.close()
            try await TestServer.run(
                "DROP SCHEMA \"\(schema)\" CASCADE; DROP ROLE \"\(role)\"")
        }

        @Test("Names of schemas that the server would cut are refused")
        func longSchema() async throws {
            for name in ["", "a\u{0}b", String(repeating: "s", count: 64)] {
                let store = PostgreSQLStore(try TestServer.address.get(), schema: name)
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await store.open(StoreSchema("empty", []))
                }
                #expect(error?.code == .unsupported)
                try await store.close()
            }
        }

        @Test("Sessions in which the server checks no references are refused")
        func replica() async throws {
            let store = try store("session_replication_role=replica")
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await store.open(StoreSchema("empty", []))
            }
            #expect(error?.isRetryable == false)
            #expect(
                error?.message.contains("'session_replication_role'") ?? false,
                "\(error?.message ?? "")")
            try await store.close()
        }
    }
#endif
