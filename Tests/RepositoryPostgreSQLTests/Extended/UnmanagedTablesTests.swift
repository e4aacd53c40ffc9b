#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// The behaviours of the suite on tables that another program has made: with `REPOSITORY_LONG=1`
    /// all of them, otherwise every twelfth, because each makes its tables twice.
    @Suite(
        "Behaviours on unmanaged tables of PostgreSQL",
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct UnmanagedTablesTests {
        /// Areas that ask for what only a store's own tables have: fields that ignore case (so do the
        /// random queries), values that break a declared rule of a column, external data, resets,
        /// versions of schemas, and the exchange of unique values.
        private static let others: Set = [
            "damage", "exchange", "external", "ignoringCase", "kinds", "random", "reset", "search",
            "sets", "upkeep",
        ]

        /// Behaviours of other areas that ask for the same, and one whose index is over an expression:
        /// its owner has named it, so that the error names no field.
        private static let beyond: Set = [
            "indexes.damaged", "indexes.values.unique", "evolution.ignoringCase",
            "evolution.ignoringCaseBeside", "evolution.ignoringCaseRenamed",
        ]

        private static let harness = StoreHarness(
            damage: TestServer.harness.damage, cleanUp: TestServer.harness.cleanUp
        ) { place in
            UnmanagedStore(store: try TestServer.store(place.name)) { schema in
                let owner = try TestServer.store(place.name)
                let tables = schema.tables.map { $0.reformed(folds: false) { _ in nil } }
                try await owner.open(StoreSchema(schema.name, tables))
                try await owner.close()
            }
        }

        @Test func all() async throws {
            _ = try TestServer.address.get()
            let all = PostgreSQLBehaviourTests.chosen.filter {
                !Self.others.contains($0.area) && !Self.beyond.contains($0.id)
            }
            let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
            let chosen = isLong ? all : all.indices.filter { $0 % 12 == 0 }.map { all[$0] }
            let passed = await checkAll(chosen, Self.harness)
            #expect(passed > chosen.count / 2)
        }
    }

    /// A store whose tables their owner has made before each opening.
    private struct UnmanagedStore: EntityStoreWrapper {
        let store: any EntityStore
        let make: @Sendable (StoreSchema) async throws -> Void

        var capabilities: StoreCapabilities {
            let all = StoreCapability.all.map { ($0, store.capabilities[$0]) }
            return StoreCapabilities(
                Dictionary(uniqueKeysWithValues: all).merging(
                    [.reset: .absent, .uniqueExchange: .absent, .externalData: .absent]
                ) { $1 })
        }

        func open(_ schema: StoreSchema) async throws {
            try await make(schema)
            try await store.open(StoreSchema(schema.name, schema.tables.map(\.unmanaged)))
        }

        func begin() async throws -> any StoreTransaction {
            UnmanagedTransaction(transaction: try await store.begin())
        }

        func snapshot() async throws -> any StoreTransaction {
            UnmanagedTransaction(transaction: try await store.snapshot())
        }
    }

    private struct UnmanagedTransaction: EntityStoreWrapper, StoreTransaction {
        let transaction: any StoreTransaction
        var store: any EntityStore { transaction }

        func open(_ schema: StoreSchema) async throws {
            try await transaction.open(StoreSchema(schema.name, schema.tables.map(\.unmanaged)))
        }

        func begin() async throws -> any StoreTransaction {
            UnmanagedTransaction(transaction: try await transaction.begin())
        }

        func commit() async throws { try await transaction.commit() }
        func rollBack() async { await transaction.rollBack() }
    }

    extension EntityTable {
        fileprivate var unmanaged: EntityTable {
            reformed(managed: false, folds: false) { _ in nil }
        }
    }
#endif
