#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// What only a cluster does.
    @Suite("Citus", .enabled(if: CitusCluster.isGiven, CitusCluster.reason))
    struct CitusTests {
        /// Runs a test with a schema that is dropped afterwards.
        private func place(_ body: (String) async throws -> Void) async throws {
            let name = "citus-\(UUID().uuidString.prefix(8).lowercased())"
            do {
                try await body(name)
            } catch {
                try await CitusCluster.drop(name)
                throw error
            }
            try await CitusCluster.drop(name)
        }

        /// Tables of owners and of what belongs to them.
        private func tables(
            distributed: Bool = true, by field: String = "owner", label: String = "label"
        ) -> StoreSchema {
            var owners = EntityTable("owners", entity: "Owner")
            owners.field("id", .text, key: true)
            if distributed { owners.distribute(by: "id") }
            var goods = EntityTable("goods", entity: "Good")
            goods.field(
                "owner", .text, reference: TableReference("owners", onDelete: .cascade), key: true)
            goods.field("number", .int64, key: true)
            goods.field(label, .text, default: .text(""))
            if distributed { goods.distribute(by: field) }
            return StoreSchema("Goods", [owners, goods])
        }

        @Test("distributes the tables that the schema distributes")
        func distributes() async throws {
            try await place { name in
                let store = CitusCluster.store(name)
                #expect(!store.capabilities.has(.distribution))
                try await store.open(Conformance.schema)
                #expect(store.capabilities.has(.distribution))
                #expect(
                    try await CitusCluster.distributions(name) == [
                        "accounts company_id", "companies id", "currencies everywhere",
                        "payments company_id",
                    ])
                try await store.close()
            }
        }

        @Test("says in a query's plan which node it goes to")
        func explains() async throws {
            try await place { name in
                let set = Conformance(CitusCluster.store(name))
                let one = try await set.accounts.explain(.where { $0.companyID == "a" })
                #expect("\(one)".contains("goes to one node"))
                let all = try await set.accounts.explain(.where { $0.balance == 1 })
                #expect("\(all)".contains("shards."))
            }
        }

        @Test("throws unsupported for a reference to another node, and names the field")
        func otherNode() async throws {
            try await place { name in
                let set = Conformance(CitusCluster.store(name))
                try await set.companies.createAll([Company(id: "a"), Company(id: "b")])
                try await set.accounts.createAll([
                    Account(companyID: "a", number: 1), Account(companyID: "b", number: 1),
                ])
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await set.payments.create(
                        Payment(
                            number: 1, companyID: "a",
                            accountID: .init(companyID: "b", number: 1)))
                }
                #expect(error?.code == .unsupported)
                #expect(error?.field == "accountID")
                #expect(try await set.payments.count() == 0)
            }
        }

        @Test("throws unsupported for an exchange of unique values in a cycle")
        func cycle() async throws {
            try await place { name in
                let set = Conformance(CitusCluster.store(name))
                try await set.companies.create(Company(id: "a"))
                try await set.accounts.createAll([
                    Account(companyID: "a", number: 1, label: "x"),
                    Account(companyID: "a", number: 2, label: "y"),
                ])
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await set.accounts.saveAll([
                        Account(companyID: "a", number: 1, label: "y"),
                        Account(companyID: "a", number: 2, label: "x"),
                    ])
                }
                #expect(error?.code == .unsupported)
                #expect(error?.table == "accounts")
            }
        }

        @Test("lets many stores open one schema and other schemas at once")
        func openings() async throws {
            let names = (0..<3).map { "citus-open-\($0)" }
            for name in names { try await CitusCluster.drop(name) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<9 {
                    group.addTask {
                        let store = CitusCluster.store(names[number % 3])
                        try await store.open(tables())
                        try await store.close()
                    }
                }
                try await group.waitForAll()
            }
            for name in names {
                #expect(try await CitusCluster.distributions(name) == ["goods owner", "owners id"])
                try await CitusCluster.drop(name)
            }
        }

        @Test("distributes stored records when the schema says so, and not in another way")
        func later() async throws {
            try await place { name in
                var store = CitusCluster.store(name)
                try await store.open(tables(distributed: false))
                try await CitusCluster.run(
                    """
                    INSERT INTO "\(name)".owners SELECT 'o' || n FROM generate_series(1, 50) AS n; \
                    INSERT INTO "\(name)".goods SELECT 'o' || n, 1, 'l' \
                    FROM generate_series(1, 50) AS n
                    """)
                try await store.close()
                store = CitusCluster.store(name)
                let plan = try await store.migrationPlan(tables())
                #expect(plan.isNeeded)
                try await store.open(tables())
                #expect(try await CitusCluster.distributions(name) == ["goods owner", "owners id"])
                // The records are on the nodes only.
                #expect(try await CitusCluster.localBytes(name) == ["0"])
                #expect(
                    try await CitusCluster.column("SELECT count(*)::text FROM \"\(name)\".goods")
                        == ["50"])
                await #expect(throws: (any Error).self) {
                    try await CitusCluster.run(
                        "INSERT INTO \"\(name)\".goods VALUES ('nobody', 1, 'l')")
                }
                try await store.close()
                store = CitusCluster.store(name)
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await store.open(tables(by: "number"))
                }
                #expect(error?.code == .schemaMismatch)
                // A program that does not know of the distribution can use the tables.
                try await store.open(tables(distributed: false))
                #expect(store.capabilities.has(.distribution))
                try await store.reset(tables(distributed: false))
                #expect(try await CitusCluster.distributions(name) == [])
                try await store.close()
            }
        }

        @Test("distributes tables beside those of programs that compare texts in another way")
        func collations() async throws {
            try await place { name in
                let other = "\(name)-other"
                // No other test has tables with that number of shards.
                let shards = Int.random(in: 5...30)
                try await CitusCluster.run(
                    """
                    BEGIN; \(CitusCatalog.lock); SET LOCAL citus.shard_count TO \(shards); \
                    CREATE SCHEMA "\(other)"; CREATE TABLE "\(other)".things (id text PRIMARY KEY); \
                    SELECT create_distributed_table('"\(other)".things', 'id'); COMMIT
                    """)
                let separator = CitusCluster.address.contains("?") ? "&" : "?"
                let store = PostgreSQLStore(
                    CitusCluster.address
                        + "\(separator)options=-c%20citus.shard_count%3D\(shards)",
                    schema: name)
                try await store.open(tables())
                try await store.close()
                #expect(try await CitusCluster.distributions(name) == ["goods owner", "owners id"])
                try await CitusCluster.drop(other)
            }
        }

        @Test("throws unsupported for a distributed table with a search")
        func searched() async throws {
            try await place { name in
                var table = EntityTable("texts", entity: "Text")
                table.field("id", .text, key: true)
                table.field("text", .text)
                table.search(["text"])
                table.distribute(by: "id")
                let store = CitusCluster.store(name)
                let schema = StoreSchema("Texts", [table])
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await store.open(schema)
                }
                #expect(error?.code == .unsupported)
                try await store.close()
            }
        }
    }

    /// What is read of the texts of a cluster.
    @Suite("Texts of Citus")
    struct CitusTextTests {
        @Test("names in messages, in several languages")
        func names() {
            #expect(
                CitusErrors.quoted(
                    in: "new row for relation \"a_102\" violates check constraint \"check x\"")
                    == ["a_102", "check x"])
            #expect(CitusErrors.quoted(in: "la clé « a_pkey_1 » existe") == ["a_pkey_1"])
            #expect(CitusErrors.quoted(in: "verletzt »a_102«: „b“") == ["a_102", "b"])
            #expect(CitusErrors.quoted(in: "none") == [])
        }

        @Test("names without the number of a shard")
        func shards() {
            #expect(CitusErrors.withoutShard("books_title_102065") == "books_title")
            #expect(CitusErrors.withoutShard("books_title") == "books_title")
            #expect(CitusErrors.withoutShard("books_") == "books_")
            #expect(CitusErrors.withoutShard("books") == "books")
        }

        @Test("names that leave room for the number of a shard")
        func lengths() {
            let long = String(repeating: "n", count: 60)
            #expect(PostgreSQLNames.short(long) == long)
            #expect(PostgreSQLNames.short(long, to: 40).utf8.count == 40)
        }

        @Test("a commit that a node may have made")
        func commits() {
            func error(_ state: String) -> PostgreSQLError {
                PostgreSQLError(
                    state: state, message: "", constraint: nil, table: nil, column: nil,
                    isConnectionLost: false, routine: nil)
            }
            #expect(error("XX000").ofDistributedCommit.leavesOutcomeOpen)
            #expect(!error("XX000").leavesOutcomeOpen)
            #expect(!error("23503").ofDistributedCommit.leavesOutcomeOpen)
        }

        @Test("query plans")
        func plans() {
            let one = [
                "Custom Scan (Citus Adaptive)  (cost=0..0)", "  Task Count: 1", "  ->  Task",
                "        Node: host=127.0.0.1 port=5433 dbname=postgres",
            ]
            #expect(
                CitusExplanation.summary(of: one) == ["The query goes to one node: 127.0.0.1:5433."]
            )
            #expect(
                CitusExplanation.summary(of: ["  Task Count: 32"]) == [
                    "The query goes to 32 shards."
                ])
            #expect(CitusExplanation.summary(of: ["Seq Scan on books"]) == [])
            let secret = ["  ->  Seq Scan on a_1 a  (cost=1..2)", "  Filter: (c = 'secret'::text)"]
            #expect(CitusExplanation.withoutValues(one + secret) == one + [secret[0]])
        }
    }
#endif
