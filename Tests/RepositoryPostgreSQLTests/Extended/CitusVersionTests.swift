#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import StoredSchema
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// Changes of versions to tables that a cluster has distributed.
    @Suite("Citus: versions", .serialized, .enabled(if: CitusCluster.isGiven, CitusCluster.reason))
    struct CitusVersionTests {
        /// A change of the tables.
        enum Change: String, CaseIterable, Sendable {
            case removedField, requiredField, convertedField, renamedTable
            case renamedTableAndConvertedField, renamedDistributionField
            case convertedOwner, changedOwnerID

            /// The name of the table of goods afterwards.
            var table: String {
                switch self {
                case .renamedTable, .renamedTableAndConvertedField: "wares"
                default: "goods"
                }
            }

            /// Whether ratings become integers.
            var converts: Bool {
                self == .convertedField || self == .renamedTableAndConvertedField
            }

            /// The name of the field by which parts are distributed afterwards.
            var partsField: String { self == .renamedDistributionField ? "holder" : "owner" }

            /// The type of the ids of owners afterwards.
            var idType: StoredType { self == .changedOwnerID ? .int64 : .text }

            /// What the version declares.
            var changes: [DataChange] {
                let conversion = DataChange.convertByCode(
                    DataPath(table, ["rating"]), .single("int64"), isOptional: false,
                    function: "ratingTo2")
                return switch self {
                case .removedField: [.remove(DataPath("goods", ["old"]))]
                case .requiredField: [.require(DataPath("goods", ["note"]), value: .text("none"))]
                case .convertedField: [conversion]
                case .renamedTable: [.renameTable(from: "goods", to: "wares")]
                case .renamedTableAndConvertedField:
                    [.renameTable(from: "goods", to: "wares"), conversion]
                case .renamedDistributionField:
                    [.rename(DataPath("parts", ["owner"]), to: "holder")]
                case .convertedOwner:
                    [
                        .convertByCode(
                            DataPath("owners", ["size"]), .single("int64"), isOptional: false,
                            function: "sizeTo2")
                    ]
                case .changedOwnerID:
                    [
                        .convertByCode(
                            DataPath("owners", ["id"]), .single("int64"), isOptional: false,
                            function: "idTo2")
                    ]
                        + [
                            ("goods", ["owner"]), ("parts", ["owner"]),
                            ("parts", ["good", "owner"]),
                        ]
                        .map { table, steps in
                            .followID(
                                DataPath(table, steps), .single("int64"), isOptional: false,
                                of: "owners")
                        }
                }
            }
        }

        /// Owners, their goods, and parts of goods, all on the node of the owner.
        ///
        /// - Parameter change: the change that was made; `nil` before it.
        private static func tables(_ change: Change?) -> [EntityTable] {
            var owners = EntityTable("owners", entity: "Owner")
            let idType = change?.idType ?? .text
            owners.field("id", idType, key: true)
            owners.field("size", change == .convertedOwner ? .int64 : .text)
            owners.distribute(by: "id")
            var goods = EntityTable(change?.table ?? "goods", entity: "Good")
            goods.field(
                "owner", idType, reference: TableReference("owners", onDelete: .restrict), key: true
            )
            goods.field("number", .int64, key: true)
            goods.field("label", .text)
            goods.field("note", .text, optional: change != .requiredField)
            if change != .removedField { goods.field("old", .text, optional: true) }
            goods.field("rating", change?.converts == true ? .int64 : .text)
            goods.index("goods_label", ["owner", "label"], unique: true)
            goods.distribute(by: "owner")
            var parts = EntityTable("parts", entity: "Part")
            let id = FieldLayout(
                "Good", [FieldDescription("owner", idType), FieldDescription("number", .int64)])
            let field = change?.partsField ?? "owner"
            parts.field(field, idType, key: true)
            parts.field("number", .int64, key: true)
            parts.field(
                "good", .composite(id),
                reference: TableReference(goods.name, onDelete: .restrict))
            parts.distribute(by: field)
            return [owners, goods, parts]
        }

        /// The programs of the version before a change and of the version with it.
        private static func programs(
            _ change: Change
        ) throws -> (old: PlainProgram, new: PlainProgram) {
            var versions = TableVersions()
            versions.release(tables(nil))
            let old = try versions.program()
            versions.release(tables(change), change.changes)
            versions.functions = [
                "ratingTo2": { old, new in
                    new.set(Int64(try old.value("rating", as: String.self)) ?? -1, "rating")
                    return true
                },
                "sizeTo2": { old, new in
                    new.set(Int64(try old.value("size", as: String.self)) ?? -1, "size")
                    return true
                },
                "idTo2": { old, new in
                    let text = try old.value("id", as: String.self)
                    new.set(Int64(text.dropFirst()) ?? -1, "id")
                    return true
                },
            ]
            return (old, try versions.program())
        }

        /// The number of owners, which are on different nodes.
        private static let owners = 12

        /// The id of an owner.
        ///
        /// - Parameter change: the change that was made; `nil` before it.
        private static func owner(_ number: Int, _ change: Change?) -> StoredValue {
            change == .changedOwnerID ? .integer(Int64(number)) : .text("o\(number)")
        }

        /// The records of owners.
        private static func owners(_ change: Change?) -> [[StoredValue]] {
            (1...owners).map { number in
                [
                    owner(number, change),
                    change == .convertedOwner ? .integer(Int64(number)) : .text("\(number)"),
                ]
            }
        }

        /// The records of parts.
        private static func parts(_ change: Change?) -> [[StoredValue]] {
            (1...owners).flatMap { owner in
                (1...2).map { part(self.owner(owner, change), $0) }
            }
        }

        /// A part of the goods with the same number.
        private static func part(_ owner: StoredValue, _ number: Int64) -> [StoredValue] {
            [owner, .integer(number), .object(["owner": owner, "number": .integer(number)])]
        }

        /// The records of goods.
        ///
        /// - Parameter change: the change that was made; `nil` before it.
        private static func goods(_ change: Change?) -> [[StoredValue]] {
            (1...owners).flatMap { owner in
                (1...3).map { number in
                    let hasNote = number == 2
                    var row = [
                        self.owner(owner, change), .integer(Int64(number)), .text("l\(number)"),
                    ]
                    row.append(
                        hasNote
                            ? .text("n\(owner)") : change == .requiredField ? .text("none") : .null)
                    if change != .removedField { row.append(hasNote ? .null : .text("x")) }
                    let rating = owner * 10 + number
                    let isNumber = number != 3
                    row.append(
                        change?.converts == true
                            ? .integer(isNumber ? Int64(rating) : -1)
                            : .text(isNumber ? "\(rating)" : "good"))
                    return row
                }
            }
        }

        /// Stores the records of the first version.
        private static func fill(_ program: PlainProgram, _ store: PostgreSQLStore) async throws {
            try await program.write(
                ["owners": owners(nil), "goods": goods(nil), "parts": parts(nil)], to: store)
        }

        @Test("keep the distribution, the records and the references", arguments: Change.allCases)
        func changes(_ change: Change) async throws {
            let name = "citus-\(change.rawValue.lowercased())"
            try await CitusCluster.drop(name)
            let (old, new) = try Self.programs(change)
            var store = CitusCluster.store(name)
            try await Self.fill(old, store)
            try await store.close()
            let distributions = ["goods owner", "owners id", "parts owner"]
            #expect(try await CitusCluster.distributions(name) == distributions)

            store = CitusCluster.store(name)
            let table = change.table
            let expected = [
                table: Self.goods(change), "owners": Self.owners(change),
                "parts": Self.parts(change),
            ]
            for (table, rows) in expected {
                #expect(try await new.rows(table, in: store) == rows.sorted { "\($0)" < "\($1)" })
            }
            #expect(
                try await CitusCluster.distributions(name)
                    == ["\(table) owner", "owners id", "parts \(change.partsField)"].sorted())
            #expect(try await CitusCluster.localBytes(name) == ["0"])
            // A migrated table is on the nodes of the tables that it belongs to.
            let groups = try await CitusCluster.column(
                """
                SELECT count(DISTINCT p.colocationid)::text FROM pg_dist_partition AS p \
                JOIN pg_class AS c ON c.oid = p.logicalrelid \
                JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = '\(name)'
                """)
            #expect(groups == ["1"])
            try await Self.checkQueries(new, change, store)
            try await Self.checkConstraints(new, change, store)
            try await store.close()

            // Nothing is left to do.
            store = CitusCluster.store(name)
            #expect(try await new.rows(table, in: store).count == expected[table]?.count)
            try await store.close()
            try await CitusCluster.drop(name)
        }

        /// Checks that queries which name an owner go to one node.
        private static func checkQueries(
            _ program: PlainProgram, _ change: Change, _ store: PostgreSQLStore
        ) async throws {
            for (table, field) in [(change.table, "owner"), ("parts", change.partsField)] {
                let one = try await program.explanation(
                    of: table, where: field, is: owner(1, change), in: store)
                #expect(one.contains("goes to one node"))
                let all = try await program.explanation(
                    of: table, where: "number", is: .integer(1), in: store)
                #expect(all.contains("shards."))
            }
        }

        /// Checks that the keys, unique indexes and references are enforced, and that errors name
        /// them.
        private static func checkConstraints(
            _ program: PlainProgram, _ change: Change, _ store: PostgreSQLStore
        ) async throws {
            func refusal(
                of row: [StoredValue], in table: String
            ) async -> CRUDRepositoryError? {
                await #expect(throws: CRUDRepositoryError.self, "\(table): \(row)") {
                    try await program.write([table: [row]], to: store)
                }
            }
            let table = change.table
            var row = try #require(goods(change).first)
            let exists = await refusal(of: row, in: table)
            #expect(exists?.code == .recordAlreadyExists)
            #expect(exists?.table == table)
            row[1] = .integer(9)
            let shared = await refusal(of: row, in: table)
            #expect(shared?.code == .constraintViolated)
            #expect(shared?.table == table)
            #expect(shared?.constraint == "goods_label")
            row[0] = owner(owners + 1, change)
            let dangling = await refusal(of: row, in: table)
            #expect(dangling?.code == .constraintViolated)
            #expect(dangling?.field == "owner")
            var part = part(owner(1, change), 9)
            let missing = await refusal(of: part, in: "parts")
            #expect(missing?.code == .constraintViolated)
            #expect(missing?.field == "good")
            part[2] = .object(["owner": owner(2, change), "number": .integer(1)])
            let other = await refusal(of: part, in: "parts")
            #expect(other?.code == .unsupported)
            #expect(other?.field == "good")
        }
    }
#endif
