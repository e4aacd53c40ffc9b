#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import StoredSchema
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// Fields that begin to ignore case, in tables that a cluster has distributed.
    @Suite(
        "Citus: fields that ignore case", .serialized,
        .enabled(if: CitusCluster.isGiven, CitusCluster.reason))
    struct CitusFoldingTests {
        /// A version of the table of goods.
        enum Version: String, CaseIterable, Sendable {
            case exact, folded, unique, renamed, converted, exactAgain, foldedAgain

            /// The name of the text.
            var text: String {
                switch self {
                case .exact, .folded, .unique: "title"
                default: "headline"
                }
            }

            /// Whether the texts ignore case.
            var folds: Bool { self != .exact && self != .exactAgain }
            /// Whether the text is unique among those of an owner.
            var isUnique: Bool { [.unique, .renamed, .converted].contains(self) }
            /// Whether ratings are integers.
            var isConverted: Bool { [.converted, .exactAgain, .foldedAgain].contains(self) }

            /// What the version declares.
            var changes: [DataChange] {
                switch self {
                case .renamed: [.rename(DataPath("goods", ["title"]), to: "headline")]
                case .converted:
                    [
                        .convertByCode(
                            DataPath("goods", ["rating"]), .single("int64"), isOptional: false,
                            function: "ratingTo5")
                    ]
                default: []
                }
            }

            /// A record of this version.
            func row(
                _ owner: Int, _ number: Int64, _ text: String, note: String? = nil
            ) -> [StoredValue] {
                [
                    .text("o\(owner)"), .integer(number), .text(text),
                    note.map { .text($0) } ?? .null,
                    isConverted ? .integer(number) : .text("\(number)"),
                ]
            }
        }

        /// The number of owners, which are on different nodes.
        private static let owners = 12

        /// Owners and their goods.
        private static func tables(_ version: Version, everywhere: Bool) -> [EntityTable] {
            CitusCluster.ownersAndGoods(everywhere: everywhere) { goods in
                goods.field(version.text, .text, ignoringCase: version.folds)
                goods.field("note", .text, optional: true, ignoringCase: version.folds)
                goods.field("rating", version.isConverted ? .int64 : .text)
                if version.isUnique {
                    goods.index("goods_text", ["owner", version.text], unique: true)
                }
            }
        }

        /// The programs of all versions.
        private static func programs(everywhere: Bool) throws -> [Version: PlainProgram] {
            var versions = TableVersions()
            versions.functions = [
                "ratingTo5": { old, new in
                    new.set(Int64(try old.value("rating", as: String.self)) ?? -1, "rating")
                    return true
                }
            ]
            var programs: [Version: PlainProgram] = [:]
            for version in Version.allCases {
                versions.release(tables(version, everywhere: everywhere), version.changes)
                programs[version] = try versions.program()
            }
            return programs
        }

        @Test("keep their records and their unique index on all nodes", arguments: [false, true])
        func versions(everywhere: Bool) async throws {
            let name = "citus-folding-\(everywhere)"
            try await CitusCluster.drop(name)
            let programs = try Self.programs(everywhere: everywhere)
            var rows = (1...Self.owners).flatMap { owner in
                [
                    Version.exact.row(owner, 1, "Änne", note: owner == 1 ? nil : "Straße"),
                    Version.exact.row(owner, 2, "BERT\(owner)"),
                ]
            }
            for version in Version.allCases {
                let program = try #require(programs[version])
                let store = CitusCluster.store(name)
                if version == .exact {
                    try await program.write(
                        ["owners": (1...Self.owners).map { [.text("o\($0)")] }, "goods": rows],
                        to: store)
                }
                if version == .converted {
                    rows = rows.map { row in
                        var row = row
                        row[4] = row[1]
                        return row
                    }
                }
                try await Self.check(rows, version, program, store)
                try await Self.checkTables(name, version, everywhere)
                rows += try await Self.write(version, program, store)
                try await Self.check(rows, version, program, store)
                try await store.close()
            }
            try await CitusCluster.drop(name)
        }

        /// Checks that texts are found in any case, or in theirs only.
        private static func check(
            _ rows: [[StoredValue]], _ version: Version, _ program: PlainProgram,
            _ store: PostgreSQLStore
        ) async throws {
            let sorted = rows.sorted { "\($0)" < "\($1)" }
            #expect(try await program.rows("goods", in: store) == sorted, "\(version)")
            let new = "Cäsar \(version)"
            for (column, field, texts) in [
                (
                    2, version.text,
                    ["Änne", "ÄNNE", "änne", "BERT3", "bert3", new, new.uppercased()]
                ),
                (3, "note", ["Straße", "STRAßE", "straße", "n", "N"]),
            ] {
                for text in texts {
                    let expected = sorted.filter { row in
                        guard case .text(let stored) = row[column] else { return false }
                        return version.folds
                            ? CaseFolding.folded(stored) == CaseFolding.folded(text)
                            : stored == text
                    }
                    let found = try await program.rows(
                        "goods", where: field, is: .text(text), in: store)
                    #expect(found == expected, "\(version): \(field) \(text)")
                }
            }
        }

        /// Checks the columns and the distribution of the tables.
        private static func checkTables(
            _ name: String, _ version: Version, _ everywhere: Bool
        ) async throws {
            let columns = version.folds ? ["\(version.text)_folded", "note_folded"].sorted() : []
            #expect(
                try await CitusCluster.column(
                    """
                    SELECT attname::text FROM pg_attribute \
                    WHERE attrelid = '"\(name)".goods'::regclass AND NOT attisdropped \
                    AND attname LIKE '%folded' ORDER BY 1
                    """) == columns, "\(version)")
            #expect(
                try await CitusCluster.distributions(name)
                    == (everywhere
                        ? ["goods everywhere", "owners everywhere"] : ["goods owner", "owners id"]))
            if everywhere { return }
            #expect(try await CitusCluster.localBytes(name) == ["0"])
        }

        /// Stores records, and checks that those whose text is not unique are refused.
        ///
        /// - Returns: the records.
        private static func write(
            _ version: Version, _ program: PlainProgram, _ store: PostgreSQLStore
        ) async throws -> [[StoredValue]] {
            let number = Int64(10 + 2 * (Version.allCases.firstIndex(of: version) ?? 0))
            if version.isUnique {
                for owner in [1, owners] {
                    let error = await #expect(throws: CRUDRepositoryError.self) {
                        try await program.write(
                            ["goods": [version.row(owner, number, "äNNE")]], to: store)
                    }
                    #expect(error?.code == .constraintViolated)
                    #expect(error?.constraint == "goods_text")
                    #expect(error?.table == "goods")
                }
            }
            // Equal texts of several owners are no violation.
            var rows = [
                version.row(3, number, "Cäsar \(version)", note: "n"),
                version.row(4, number, "Cäsar \(version)", note: "N"),
            ]
            if version == .exactAgain { rows.append(version.row(3, number + 1, "ÄNNE")) }
            try await program.write(["goods": rows], to: store)
            return rows
        }

        @Test("refuse a unique index over texts that only differ in case")
        func duplicates() async throws {
            let name = "citus-folding-duplicates"
            try await CitusCluster.drop(name)
            let programs = try Self.programs(everywhere: false)
            let exact = try #require(programs[.exact])
            let unique = try #require(programs[.unique])
            let rows = [
                Version.exact.row(1, 1, "Änne"), Version.exact.row(1, 2, "ÄNNE"),
                Version.exact.row(2, 1, "Änne"),
            ]
            var store = CitusCluster.store(name)
            try await exact.write(
                ["owners": [[.text("o1")], [.text("o2")]], "goods": rows], to: store)
            try await store.close()
            store = CitusCluster.store(name)
            let error = await #expect(throws: CRUDRepositoryError.self) {
                _ = try await unique.rows("goods", in: store)
            }
            #expect(error?.code == .schemaMismatch)
            #expect(error?.message.contains("goods_text") ?? false)
            try await store.close()
            store = CitusCluster.store(name)
            try await Self.check(rows, .exact, exact, store)
            try await store.close()
            try await Self.checkTables(name, .exact, false)
            try await CitusCluster.drop(name)
        }

        @Test("get their folded texts again with their indexes", arguments: [false, true])
        func rebuilt(everywhere: Bool) async throws {
            let name = "citus-folding-rebuilt-\(everywhere)"
            try await CitusCluster.drop(name)
            let program = try #require(try Self.programs(everywhere: everywhere)[.unique])
            let rows = (1...Self.owners).map { Version.unique.row($0, 1, "Änne", note: "Straße") }
            let store = CitusCluster.store(name)
            try await program.write(
                ["owners": (1...Self.owners).map { [.text("o\($0)")] }, "goods": rows], to: store)
            try await CitusCluster.run("UPDATE \"\(name)\".goods SET title_folded = 'other'")
            #expect(
                try await program.rows("goods", where: "title", is: .text("ÄNNE"), in: store) == [])
            try await store.rebuildIndexes()
            try await Self.check(rows, .unique, program, store)
            try await store.close()
            try await CitusCluster.drop(name)
        }
    }
#endif
