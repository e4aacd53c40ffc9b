#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// The coordinator of a Citus cluster, which nothing in this package starts.
    enum CitusCluster {
        /// The address; empty if there is none.
        static let address = ProcessInfo.processInfo.environment["REPOSITORY_CITUS"] ?? ""
        static var isGiven: Bool { !address.isEmpty }
        static let reason: Comment =
            "No Citus cluster is given: run `make conformance-citus URL=postgresql://…`."

        /// A store whose tables are in a schema of its own.
        static func store(
            _ schema: String, exactlyOnce: Bool = false, observing: Bool = false
        ) -> PostgreSQLStore {
            PostgreSQLStore(
                address, schema: schema, connections: 6, waitTimeout: .seconds(600),
                lockTimeout: .seconds(600), exactlyOnce: exactlyOnce, observing: observing)
        }

        /// The tables of owners and of the goods that belong to them, on every node or each owner
        /// with what is his on one.
        ///
        /// - Parameter declare: declares the fields of goods besides those of the id.
        static func ownersAndGoods(
            everywhere: Bool, _ declare: (_ goods: inout EntityTable) -> Void
        ) -> [EntityTable] {
            var owners = EntityTable("owners", entity: "Owner")
            owners.field("id", .text, key: true)
            var goods = EntityTable("goods", entity: "Good")
            goods.field(
                "owner", .text, reference: TableReference("owners", onDelete: .restrict), key: true)
            goods.field("number", .int64, key: true)
            declare(&goods)
            if everywhere {
                owners.distributeEverywhere()
                goods.distributeEverywhere()
            } else {
                owners.distribute(by: "id")
                goods.distribute(by: "owner")
            }
            return [owners, goods]
        }

        private static let admin = TestServer.pool(address)

        /// Runs statements outside a store.
        static func run(_ statements: String) async throws {
            _ = try await admin.leasing { try await $0.runSimple(statements) }
        }

        /// Returns the first column of a query outside a store.
        static func column(_ query: String) async throws -> [String] {
            try await admin.leasing { connection in
                let result = try await connection.run(query)
                return (0..<result.count).map { result.text($0, 0) ?? "" }
            }
        }

        /// Returns the distributed tables of a schema with their columns.
        static func distributions(_ schema: String) async throws -> [String] {
            try await column(
                """
                SELECT c.relname || ' ' || coalesce(\
                column_to_column_name(p.logicalrelid, p.partkey), 'everywhere') \
                FROM pg_dist_partition AS p JOIN pg_class AS c ON c.oid = p.logicalrelid \
                JOIN pg_namespace AS n ON n.oid = c.relnamespace \
                WHERE n.nspname = '\(schema)' AND (p.partmethod = 'h' OR p.repmodel = 't') ORDER BY 1
                """)
        }

        /// Returns the bytes on the coordinator of the distributed tables of a schema.
        static func localBytes(_ schema: String) async throws -> [String] {
            try await column(
                """
                SELECT sum(pg_relation_size(c.oid))::text \
                FROM pg_dist_partition AS p JOIN pg_class AS c ON c.oid = p.logicalrelid \
                JOIN pg_namespace AS n ON n.oid = c.relnamespace \
                WHERE n.nspname = '\(schema)' AND (p.partmethod = 'h' OR p.repmodel = 't')
                """)
        }

        /// Drops the schema of a place. Nothing else changes distributed tables meanwhile.
        static func drop(_ schema: String) async throws {
            try await run(
                "BEGIN; \(CitusCatalog.lock); DROP SCHEMA IF EXISTS \"\(schema)\" CASCADE; COMMIT")
        }

        /// Stores of the conformance suite.
        ///
        /// - Parameters:
        ///   - lacks: what the store cannot do with these tables.
        ///   - spread: returns the tables of a schema, with the distribution that they get.
        static func harness(
            _ store: @escaping @Sendable (String) -> PostgreSQLStore,
            lacks: Set<StoreCapability> = [],
            spread: @escaping @Sendable ([EntityTable]) -> [EntityTable] = { $0 }
        ) -> StoreHarness {
            StoreHarness(
                damage: TestServer.harness.damage, cleanUp: { try await drop($0.name) }
            ) { place in
                CitusStore(store: store(place.name), lacks: lacks, spread: spread)
            }
        }

        /// Lets every node have all records of the tables that are not distributed, where Citus can
        /// do so.
        static func everywhere(_ tables: [EntityTable]) -> [EntityTable] {
            var tables = tables
            var names = Set(
                tables.filter { table in
                    table.isManaged && table.distribution == nil && table.searchedFields.isEmpty
                        && table.externalFields.isEmpty && !table.hasEncryptedFields
                }.map(\.name))
            var isChanged = true
            while isChanged {
                isChanged = false
                for table in tables where names.contains(table.name) {
                    let isHeld = table.fields.contains { field in
                        guard let reference = field.reference else { return false }
                        return [.cascade, .setNull].contains(reference.onDelete)
                            && !names.contains(reference.table)
                    }
                    if isHeld {
                        names.remove(table.name)
                        isChanged = true
                    }
                }
            }
            for index in tables.indices where names.contains(tables[index].name) {
                tables[index].distributeEverywhere()
            }
            return tables
        }

        /// Distributes the tables by the first field of their ids, where they neither refer to others
        /// nor are referred to.
        static func byID(_ tables: [EntityTable]) -> [EntityTable] {
            let targets = Set(tables.flatMap(\.fields).compactMap { $0.reference?.table })
            return tables.map { table in
                let key = table.key[0]
                let isAlone =
                    !targets.contains(table.name) && !table.fields.contains { $0.reference != nil }
                let isChecked = table.indexes.allSatisfy { index in
                    !index.isUnique || index.keys.contains { $0.field == key }
                }
                guard table.isManaged, isAlone, isChecked, table.searchedFields.isEmpty,
                    table.externalFields.isEmpty, !table.hasEncryptedFields
                else { return table }
                var table = table
                table.distribute(by: table.layout.fields[key].name)
                return table
            }
        }

        /// Checks behaviours and records those that fail.
        static func check(
            _ behaviours: [StoreBehaviour], _ harness: StoreHarness, _ words: String
        ) async {
            var passed = 0
            await withTaskGroup(of: (String, (any Error)?).self) { group in
                var waiting = behaviours[...]
                func start(_ group: inout TaskGroup<(String, (any Error)?)>) {
                    guard let behaviour = waiting.popFirst() else { return }
                    group.addTask {
                        do {
                            _ = try await behaviour.check(harness)
                            return (behaviour.id, nil)
                        } catch {
                            return (behaviour.id, error)
                        }
                    }
                }
                for _ in 0..<4 { start(&group) }
                for await (id, error) in group {
                    if let error {
                        Issue.record("\(id): \(error)")
                    } else {
                        passed += 1
                    }
                    start(&group)
                }
            }
            print("Citus, \(words): \(passed) of \(behaviours.count) behaviours")
        }
    }

    /// A store that declares what it has on a cluster before it is opened.
    private struct CitusStore: EntityStoreWrapper {
        let store: any EntityStore
        let lacks: Set<StoreCapability>
        let spread: @Sendable ([EntityTable]) -> [EntityTable]

        var capabilities: StoreCapabilities {
            store.capabilities.adding(.distribution).without(lacks)
        }

        func open(_ schema: StoreSchema) async throws {
            try await store.open(StoreSchema(schema, tables: spread(schema.tables)))
        }

        func migrationPlan(_ schema: StoreSchema) async throws -> MigrationPlan {
            try await store.migrationPlan(StoreSchema(schema, tables: spread(schema.tables)))
        }

        func begin() async throws -> any StoreTransaction {
            CitusTransaction(transaction: try await store.begin(), spread: spread)
        }

        func snapshot() async throws -> any StoreTransaction {
            CitusTransaction(transaction: try await store.snapshot(), spread: spread)
        }
    }

    private struct CitusTransaction: EntityStoreWrapper, StoreTransaction {
        let transaction: any StoreTransaction
        let spread: @Sendable ([EntityTable]) -> [EntityTable]
        var store: any EntityStore { transaction }

        func open(_ schema: StoreSchema) async throws {
            try await transaction.open(StoreSchema(schema, tables: spread(schema.tables)))
        }

        func begin() async throws -> any StoreTransaction {
            CitusTransaction(transaction: try await transaction.begin(), spread: spread)
        }

        func commit() async throws { try await transaction.commit() }
        func rollBack() async { await transaction.rollBack() }
    }
#endif
