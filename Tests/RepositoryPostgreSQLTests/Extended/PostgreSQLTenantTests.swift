#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import RepositoryTesting
    import Testing

    @testable import RepositoryPostgreSQL

    @Suite("PostgreSQL: tenants", .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLTenantTests {
        /// Names that differ only in what some systems treat as equal, that mean something in SQL, and
        /// long ones that begin alike.
        private static let names = [
            "acme", "ACME", "../x", ".", "a\u{0}", "\u{0}", "%41", "A", "a", "\u{e9}", "e\u{301}",
            " ",
            "\"; DROP SCHEMA public CASCADE; --", "public", "pg_catalog", "it's",
            String(repeating: "\u{c4}", count: 30),
            String(repeating: "\u{c4}", count: 29) + "\u{d6}",
            String(repeating: "x", count: 60), String(repeating: "x", count: 59) + "y",
        ]

        /// Drops the schemas of a store and of its tenants.
        private func drop(_ schema: String) async throws {
            try await TestServer.run(
                """
                DO $$ DECLARE name text; BEGIN
                FOR name IN SELECT nspname FROM pg_namespace
                    WHERE nspname = '\(schema)' OR nspname LIKE '\(schema).%' LOOP
                EXECUTE format('DROP SCHEMA %I CASCADE', name); END LOOP; END $$
                """)
        }

        @Test("Each name has its own records, also for another store of the same database")
        func areApart() async throws {
            let schema = "t\(UUID().uuidString.prefix(8).lowercased())"
            let store = try TestServer.store(schema)
            #expect(try await store.tenants() == [])
            for (number, name) in Self.names.enumerated() {
                let tenant = try store.tenant(name, connections: 1)
                let library = Conformance.plain(tenant)
                #expect(try await library.notes.count() == 0, "\(name.debugDescription)")
                try await library.notes.create(Note(id: "note", text: "\(number)"))
                try await tenant.close()
            }
            #expect(
                try await store.tenants().map { Array($0.utf8) }
                    == Self.names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
            )
            for (number, name) in Self.names.enumerated() {
                let other = try TestServer.store(schema).tenant(name, connections: 1)
                #expect(try await Conformance.plain(other).notes.read("note").text == "\(number)")
                try await other.close()
            }
            #expect(try await Conformance.plain(store).notes.count() == 0)
            // The tenants of a store with another schema are others.
            #expect(try await TestServer.store("\(schema).tenant").tenants() == [])
            try await store.close()
            try await drop(schema)
        }

        @Test("Many programs that open a tenant at once create it once")
        func openedAtOnce() async throws {
            let schema = "t\(UUID().uuidString.prefix(8).lowercased())"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let tenant = try TestServer.store(schema).tenant("acme", connections: 1)
                        let library = Conformance.plain(tenant)
                        try await library.notes.create(Note(id: .init("\(number)"), text: "x"))
                        try await tenant.close()
                    }
                }
                try await group.waitForAll()
            }
            let store = try TestServer.store(schema)
            #expect(try await store.tenants() == ["acme"])
            #expect(try await Conformance.plain(store.tenant("acme")).notes.count() == 8)
            try await drop(schema)
        }

        @Test("A schema of somebody else with the name of a tenant's is refused")
        func foreignSchema() async throws {
            let schema = "t\(UUID().uuidString.prefix(8).lowercased())"
            try await TestServer.run("CREATE SCHEMA \"\(schema).tenant.acme\"")
            let tenant = try TestServer.store(schema).tenant("acme", connections: 1)
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await Conformance.plain(tenant).notes.count()
            }
            #expect(error?.code == .schemaMismatch)
            try await drop(schema)
        }

        @Test("Names of other lengths are refused")
        func lengths() throws {
            for name in ["", String(repeating: "x", count: 61)] {
                let error = #expect(throws: CRUDRepositoryError.self) {
                    try TestServer.store("x").tenant(name)
                }
                #expect(error?.code == .invalidIdentifier)
            }
        }
    }
#endif
