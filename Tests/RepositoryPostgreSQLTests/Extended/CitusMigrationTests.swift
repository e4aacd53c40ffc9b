#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import StoredSchema
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
            let tables = CitusCluster.ownersAndGoods(everywhere: everywhere) { goods in
                if isNew {
                    goods.field("title", .text, default: .text(""), renamedFrom: ["label"])
                    goods.field("count", .int64, default: .integer(7))
                    goods.field("note", .text, optional: true)
                } else {
                    goods.field("label", .text, default: .text(""))
                    goods.field("note", .text, optional: true)
                }
            }
            return StoreSchema("Goods", tables)
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

        /// The programs of two versions, which do not know of the distribution.
        private static func programs(
            renamed name: String
        ) throws -> (old: PlainProgram, new: PlainProgram) {
            func table(isNew: Bool) -> [EntityTable] {
                var goods = EntityTable(isNew ? name : "goods", entity: "Good")
                goods.field("owner", .text, key: true)
                goods.field("number", .int64, key: true)
                goods.field("note", .text, optional: !isNew)
                if !isNew { goods.field("old", .text, optional: true) }
                goods.field("rating", isNew ? .int64 : .text)
                return [goods]
            }
            var versions = TableVersions()
            versions.release(table(isNew: false))
            let old = try versions.program()
            var changes: [DataChange] = [
                .remove(DataPath(name, ["old"])),
                .require(DataPath(name, ["note"]), value: .text("none")),
                .convert(
                    DataPath(name, ["rating"]), .single("int64"), isOptional: false,
                    otherwise: .integer(0)),
            ]
            if name != "goods" { changes.insert(.renameTable(from: "goods", to: name), at: 0) }
            versions.release(table(isNew: true), changes)
            return (old, try versions.program())
        }

        @Test(
            "does not copy a table whose distribution the program does not declare",
            arguments: ["create_distributed_table('$', 'owner')", "create_reference_table('$')"],
            ["goods", "wares"])
        func versions(_ distribution: String, renamed: String) async throws {
            let name = "citus-versions-\(distribution.count)-\(renamed)"
            try await CitusCluster.drop(name)
            let (old, new) = try Self.programs(renamed: renamed)
            var store = CitusCluster.store(name)
            try await old.write(
                [
                    "goods": [
                        [.text("a"), .integer(1), .null, .text("x"), .text("5")],
                        [.text("b"), .integer(1), .text("n"), .null, .text("?")],
                    ]
                ], to: store)
            try await store.close()
            let table = "\"\(name)\".goods"
            try await CitusCluster.run(
                "SELECT \(distribution.replacing("$", with: table))")
            store = CitusCluster.store(name)
            // The copy of the table would not be distributed.
            let error = await #expect(throws: CRUDRepositoryError.self) {
                _ = try await new.rows(renamed, in: store)
            }
            #expect(error?.code == .unsupported)
            try await store.close()
            store = CitusCluster.store(name)
            let rows = try await old.rows("goods", in: store)
            try await store.close()
            #expect(rows.count == 2)
            let isDistributed = try await CitusCluster.column(
                "SELECT count(*)::text FROM pg_dist_partition WHERE logicalrelid = '\(table)'::regclass"
            )
            #expect(isDistributed == ["1"])
            try await CitusCluster.drop(name)
        }

        /// Owners, and what belongs to them in a table that gets another name.
        ///
        /// - Parameter field: the field by which it is distributed; `nil` if no table is.
        private static func renamed(_ name: String, by field: String?) -> StoreSchema {
            var owners = EntityTable("owners", entity: "Owner")
            owners.field("id", .text, key: true)
            var goods = EntityTable(name, entity: "Good", renamedFrom: ["goods"])
            goods.field("owner", .text, reference: TableReference("owners"), key: true)
            goods.field("number", .int64, key: true)
            if let field {
                owners.distribute(by: "id")
                goods.distribute(by: field)
            }
            return StoreSchema("Goods", [owners, goods])
        }

        @Test("keeps the distribution of a renamed table that the program does not declare")
        func renamedUndeclared() async throws {
            func schema(_ name: String, isDistributed: Bool) -> StoreSchema {
                var goods = EntityTable(name, entity: "Good", renamedFrom: ["goods"])
                goods.field("owner", .text, key: true)
                if isDistributed { goods.distribute(by: "owner") }
                return StoreSchema("Goods", [goods])
            }
            let name = "citus-renamed"
            try await CitusCluster.drop(name)
            var store = CitusCluster.store(name)
            try await store.open(schema("goods", isDistributed: true))
            try await store.close()
            store = CitusCluster.store(name)
            try await store.open(schema("wares", isDistributed: false))
            // The store knows that a transaction can need several nodes.
            #expect(store.capabilities.has(.distribution))
            try await store.close()
            #expect(try await CitusCluster.distributions(name) == ["wares owner"])
            try await CitusCluster.drop(name)
        }

        @Test("refuses another distribution of a renamed table")
        func renamedDifference() async throws {
            let name = "citus-renamed-difference"
            try await CitusCluster.drop(name)
            var store = CitusCluster.store(name)
            try await store.open(Self.renamed("goods", by: "owner"))
            try await store.close()
            store = CitusCluster.store(name)
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await store.open(Self.renamed("wares", by: "number"))
            }
            #expect(error?.code == .schemaMismatch)
            try await store.close()
            #expect(
                try await CitusCluster.distributions(name) == ["goods owner", "owners id"])
            try await CitusCluster.drop(name)
        }

        @Test("renames and distributes a stored table at once")
        func renamedAndDistributed() async throws {
            let name = "citus-renamed-distributed"
            try await CitusCluster.drop(name)
            var store = CitusCluster.store(name)
            try await store.open(Self.renamed("goods", by: nil))
            try await CitusCluster.run(
                """
                INSERT INTO "\(name)".owners SELECT 'o' || n FROM generate_series(1, 20) AS n; \
                INSERT INTO "\(name)".goods (owner, number) \
                SELECT 'o' || n, 1 FROM generate_series(1, 20) AS n
                """)
            try await store.close()
            store = CitusCluster.store(name)
            try await store.open(Self.renamed("wares", by: "owner"))
            try await store.close()
            #expect(
                try await CitusCluster.distributions(name) == ["owners id", "wares owner"])
            #expect(
                try await CitusCluster.column("SELECT count(*)::text FROM \"\(name)\".wares")
                    == ["20"])
            await #expect(throws: (any Error).self) {
                try await CitusCluster.run("INSERT INTO \"\(name)\".wares VALUES ('nobody', 1)")
            }
            try await CitusCluster.drop(name)
        }
    }
#endif
