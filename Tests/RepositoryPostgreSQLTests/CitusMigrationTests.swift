#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// Changes of the fields of tables that a cluster has distributed.
    @Suite(
        "Citus: migrations", .serialized, .enabled(if: CitusCluster.isGiven, CitusCluster.reason))
    struct CitusMigrationTests {
        /// Owners, which are on every node or on one each, and what belongs to them.
        private static func tables(
            everywhere: Bool, isNew: Bool
        ) -> StoreSchema {
            var owners = EntityTable("owners", entity: "Owner")
            owners.field("id", .text, key: true)
            var goods = EntityTable("goods", entity: "Good")
            goods.field(
                "owner", .text, reference: TableReference("owners", onDelete: .restrict), key: true)
            goods.field("number", .int64, key: true)
            if isNew {
                goods.field("title", .text, default: .text(""), renamedFrom: ["label"])
                goods.field("count", .int64, default: .integer(7))
                goods.field("note", .text, optional: true)
            } else {
                goods.field("label", .text, default: .text(""))
                goods.field("note", .text, optional: true)
            }
            if everywhere {
                owners.distributeEverywhere()
                goods.distributeEverywhere()
            } else {
                owners.distribute(by: "id")
                goods.distribute(by: "owner")
            }
            return StoreSchema("Goods", [owners, goods])
        }

        @Test(
            "adds and renames fields, and keeps the distribution",
            arguments: [false, true])
        func fields(everywhere: Bool) async throws {
            let name = "citus-fields-\(everywhere)"
            try await CitusCluster.drop(name)
            var store = CitusCluster.store(name)
            try await store.open(Self.tables(everywhere: everywhere, isNew: false))
            try await CitusCluster.run(
                """
                INSERT INTO "\(name)".owners SELECT 'o' || n FROM generate_series(1, 20) AS n; \
                INSERT INTO "\(name)".goods (owner, number, label, note) \
                SELECT 'o' || n, 1, 'l' || n, CASE WHEN n > 10 THEN 'n' END \
                FROM generate_series(1, 20) AS n
                """)
            try await store.close()
            store = CitusCluster.store(name)
            try await store.open(Self.tables(everywhere: everywhere, isNew: true))
            try await store.close()
            let rows = try await CitusCluster.column(
                """
                SELECT concat_ws(' ', owner, title, "count", note) FROM "\(name)".goods \
                WHERE owner IN ('o1', 'o11') ORDER BY owner
                """)
            #expect(rows == ["o1 l1 7", "o11 l11 7 n"])
            let columns = try await CitusCluster.column(
                """
                SELECT attname::text FROM pg_attribute \
                WHERE attrelid = '"\(name)".goods'::regclass AND attnum > 0 AND NOT attisdropped \
                ORDER BY 1
                """)
            #expect(columns == ["count", "note", "number", "owner", "title"])
            let distributed = try await CitusCluster.column(
                """
                SELECT count(*)::text FROM pg_dist_partition WHERE logicalrelid IN \
                ('"\(name)".goods'::regclass, '"\(name)".owners'::regclass)
                """)
            #expect(distributed == ["2"])
            await #expect(throws: (any Error).self) {
                try await CitusCluster.run(
                    "INSERT INTO \"\(name)\".goods VALUES ('nobody', 1, 'l')")
            }
            try await CitusCluster.drop(name)
        }
    }
#endif
