#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Reads the parts of a table that only matter where another program has created it.
    extension PostgreSQLCatalog {
        /// A column of a table or view.
        struct Column {
            let name: String
            /// The declared type, as SQL writes it.
            let declaredType: String
            /// The type; that of the values if the column has a domain.
            let type: UInt32
            /// `e` for an enum, `b` for a base type.
            let kind: String
            /// The name of the type without arguments.
            let typeName: String
            /// The digits after the point of a `numeric`; `nil` if it has none declared.
            let scale: Int?
            let isNotNull: Bool
            /// Whether the database supplies the value of a row that is stored without one.
            let hasDefault: Bool
            let isGenerated: Bool
            /// Whether an identity column is `GENERATED ALWAYS`.
            let isAlwaysIdentity: Bool
            /// The collation, if strings of different bytes may be equal by it.
            let looseCollation: String?
        }

        /// An index, a unique constraint or a primary key.
        struct Index {
            let name: String
            /// The columns; an empty string for an expression.
            let columns: [String]
            let isUnique: Bool
            let isPrimary: Bool
            let isPartial: Bool
        }

        /// A foreign key.
        struct ForeignKey {
            let table: String
            /// The columns and those that they refer to.
            let pairs: [(column: String, target: String)]
            /// The `ON DELETE` action.
            let action: String
        }

        /// Returns the kind of a relation: `r` for a table, `v` for a view, for example; `nil` if
        /// the search path leads to none.
        static func kind(
            of table: String, _ connection: any PostgreSQLRunner
        ) async throws -> String? {
            let result = try await connection.run(
                "SELECT c.relkind::text FROM pg_class AS c WHERE c.oid = to_regclass($1)",
                parameters([PostgreSQLDialect().quoted(table)]))
            return result.count > 0 ? result.text(0, 0) : nil
        }

        /// Returns the columns of a relation, in their order.
        static func details(
            ofColumnsOf table: String, _ connection: any PostgreSQLRunner
        ) async throws -> [Column] {
            let result = try await connection.run(
                """
                SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), base.oid::bigint, \
                base.typtype::text, base.typname::text, base.typmod, \
                a.attnotnull OR t.typnotnull, \
                a.atthasdef OR a.attidentity <> '' OR t.typdefault IS NOT NULL, \
                a.attgenerated <> '', a.attidentity = 'a', l.collname::text \
                FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid \
                CROSS JOIN LATERAL (WITH RECURSIVE d(oid, typmod) AS (\
                SELECT t.oid, a.atttypmod UNION ALL SELECT p.typbasetype, p.typtypmod \
                FROM d JOIN pg_type AS p ON p.oid = d.oid WHERE p.typtype = 'd') \
                SELECT p.oid, p.typtype, p.typname, d.typmod \
                FROM d JOIN pg_type AS p ON p.oid = d.oid WHERE p.typtype <> 'd') AS base \
                LEFT JOIN pg_collation AS l ON l.oid = a.attcollation AND NOT l.collisdeterministic \
                WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped \
                ORDER BY a.attnum
                """, parameters([PostgreSQLDialect().quoted(table)]))
            return (0..<result.count).map { row in
                let modifier = Int(result.integer(row, 5) ?? -1)
                let type = UInt32(truncatingIfNeeded: result.integer(row, 2) ?? 0)
                return Column(
                    name: result.text(row, 0) ?? "", declaredType: result.text(row, 1) ?? "",
                    type: type, kind: result.text(row, 3) ?? "",
                    typeName: result.text(row, 4) ?? "",
                    scale: type == PostgreSQLType.numeric ? Self.scale(modifier) : nil,
                    isNotNull: result.isTrue(row, 6), hasDefault: result.isTrue(row, 7),
                    isGenerated: result.isTrue(row, 8), isAlwaysIdentity: result.isTrue(row, 9),
                    looseCollation: result.text(row, 10))
            }
        }

        /// Returns the scale in the modifier of a `numeric`: an integer of 11 bits with a sign.
        private static func scale(_ modifier: Int) -> Int? {
            guard modifier >= 4 else { return nil }
            return (((modifier - 4) & 0x7FF) ^ 1024) - 1024
        }

        /// Returns the valid indexes of a table.
        static func indexes(
            of table: String, _ connection: any PostgreSQLRunner
        ) async throws -> [Index] {
            let result = try await connection.run(
                """
                SELECT c.relname::text, i.indisunique OR i.indisexclusion AND m.amname = 'btree', \
                i.indisprimary, i.indpred IS NOT NULL, \
                coalesce(a.attname::text, '') FROM pg_index AS i \
                JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_am AS m ON m.oid = c.relam \
                CROSS JOIN generate_series(0, i.indnkeyatts - 1) AS k(place) \
                LEFT JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[k.place] \
                WHERE i.indrelid = to_regclass($1) AND i.indisvalid \
                ORDER BY c.relname, k.place
                """, parameters([PostgreSQLDialect().quoted(table)]))
            var indexes: [Index] = []
            for row in 0..<result.count {
                let (name, column) = (result.text(row, 0) ?? "", result.text(row, 4) ?? "")
                let earlier = indexes.last?.name == name ? indexes.removeLast().columns : []
                indexes.append(
                    Index(
                        name: name, columns: earlier + [column], isUnique: result.isTrue(row, 1),
                        isPrimary: result.isTrue(row, 2), isPartial: result.isTrue(row, 3)))
            }
            return indexes
        }

        /// Returns the foreign keys of a table.
        static func foreignKeys(
            of table: String, _ connection: any PostgreSQLRunner
        ) async throws -> [ForeignKey] {
            let result = try await connection.run(
                """
                SELECT c.conname::text, t.relname::text, c.confdeltype::text, a.attname::text, \
                b.attname::text FROM pg_constraint AS c \
                JOIN pg_class AS t ON t.oid = c.confrelid \
                CROSS JOIN LATERAL unnest(c.conkey, c.confkey) WITH ORDINALITY AS k(own, other, place) \
                JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = k.own \
                JOIN pg_attribute AS b ON b.attrelid = c.confrelid AND b.attnum = k.other \
                WHERE c.contype = 'f' AND c.conrelid = to_regclass($1) AND c.convalidated \
                ORDER BY c.conname, k.place
                """, parameters([PostgreSQLDialect().quoted(table)]))
            var keys: [(name: String, key: ForeignKey)] = []
            for row in 0..<result.count {
                let name = result.text(row, 0) ?? ""
                let earlier = keys.last?.name == name ? keys.removeLast().key.pairs : []
                let pair = (result.text(row, 3) ?? "", result.text(row, 4) ?? "")
                let key = ForeignKey(
                    table: result.text(row, 1) ?? "", pairs: earlier + [pair],
                    action: Self.action(result.text(row, 2) ?? ""))
                keys.append((name, key))
            }
            return keys.map(\.key)
        }

        /// Returns the `ON DELETE` action of a letter in the catalog.
        private static func action(_ letter: String) -> String {
            switch letter {
            case "a": "NO ACTION"
            case "r": "RESTRICT"
            case "c": "CASCADE"
            case "n": "SET NULL"
            default: "SET DEFAULT"
            }
        }
    }
#endif
