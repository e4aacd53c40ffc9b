#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// Reads from the catalog what a backup says about the tables of a store.
    enum PostgreSQLBackupCatalog {
        /// Returns the names of the tables that a backup contains, sorted: those that are described,
        /// and those that the store keeps for them. What other programs own is not in it.
        static func tables(_ connection: PostgreSQLConnection) async throws -> [String] {
            let description = try await PostgreSQLSchemaTable.description(connection)
            let tables = (description?.tables ?? []).map(\.table)
            let described = Set(tables.map(\.name))
            let found = try await PostgreSQLCatalog.relations(connection)
            let chunks = Set(
                tables.filter(\.hasExternalData).map {
                    ChunkTable.name(of: $0.name, PostgreSQLDialect())
                })
            return
                found.filter {
                    described.contains($0) || chunks.contains($0) || $0 == EncryptionNotes.table
                }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }

        /// Returns the manifest without files. Triggers and tables of search indexes are not in it: an
        /// opening makes them.
        static func manifest(
            _ connection: PostgreSQLConnection
        ) async throws -> PostgreSQLBackupManifest {
            let description = try await PostgreSQLSchemaTable.json(connection) ?? ""
            var manifest = PostgreSQLBackupManifest(description: description)
            var functions: [String: String] = [:]
            for name in try await tables(connection) {
                let quoted = PostgreSQLDialect().quoted(name)
                var table = PostgreSQLBackupManifest.CopiedTable(
                    name: name, columns: try await columns(of: quoted, connection))
                for (kind, part) in try await constraints(of: quoted, connection) {
                    if kind == "f" {
                        table.references.append(part)
                    } else {
                        table.constraints.append(part)
                    }
                }
                table.indexes = try await parts(
                    """
                    SELECT c.relname::text, pg_get_indexdef(i.indexrelid, 0, true) \
                    FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid \
                    WHERE i.indrelid = $1::regclass AND NOT EXISTS (SELECT 1 FROM pg_constraint AS k \
                    WHERE k.conindid = i.indexrelid AND k.conrelid = i.indrelid \
                    AND k.contype IN ('p', 'u', 'x')) ORDER BY c.relname
                    """, quoted, connection)
                table.triggers = try await parts(
                    """
                    SELECT t.tgname::text, pg_get_triggerdef(t.oid, true) FROM pg_trigger AS t \
                    WHERE t.tgrelid = $1::regclass AND t.tgname = 'repository_chunks'
                    """, quoted, connection)
                for part in try await parts(
                    """
                    SELECT p.proname::text, p.prosrc FROM pg_trigger AS t \
                    JOIN pg_proc AS p ON p.oid = t.tgfoid \
                    JOIN pg_language AS l ON l.oid = p.prolang AND l.lanname = 'plpgsql' \
                    WHERE t.tgrelid = $1::regclass AND t.tgname = 'repository_chunks'
                    """, quoted, connection)
                {
                    functions[part.name] = part.definition
                }
                manifest.tables.append(table)
            }
            manifest.functions = functions.sorted { $0.key < $1.key }.map {
                PostgreSQLBackupManifest.Part(name: $0.key, definition: $0.value)
            }
            return manifest
        }

        private static func columns(
            of table: String, _ connection: PostgreSQLConnection
        ) async throws -> [PostgreSQLBackupManifest.Column] {
            let result = try await connection.run(
                """
                SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), \
                coalesce(o.collname = 'C', false), a.attnotnull, \
                CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END, \
                CASE WHEN a.attgenerated = 's' THEN pg_get_expr(d.adbin, d.adrelid) END \
                FROM pg_attribute AS a LEFT JOIN pg_collation AS o ON o.oid = a.attcollation \
                LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum \
                WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped \
                ORDER BY a.attnum
                """, PostgreSQLCatalog.parameters([table]))
            return (0..<result.count).map { row in
                PostgreSQLBackupManifest.Column(
                    name: result.text(row, 0) ?? "", type: result.text(row, 1) ?? "",
                    isBinary: result.isTrue(row, 2), isRequired: result.isTrue(row, 3),
                    initial: result.text(row, 4), generated: result.text(row, 5))
            }
        }

        private static func constraints(
            of table: String, _ connection: PostgreSQLConnection
        ) async throws -> [(kind: String, part: PostgreSQLBackupManifest.Part)] {
            let result = try await connection.run(
                """
                SELECT k.conname::text, pg_get_constraintdef(k.oid), k.contype::text \
                FROM pg_constraint AS k WHERE k.conrelid = $1::regclass \
                AND k.contype IN ('p', 'u', 'x', 'c', 'f') \
                ORDER BY k.contype <> 'p', k.conname
                """, PostgreSQLCatalog.parameters([table]))
            return (0..<result.count).map { row in
                let part = PostgreSQLBackupManifest.Part(
                    name: result.text(row, 0) ?? "", definition: result.text(row, 1) ?? "")
                return (result.text(row, 2) ?? "", part)
            }
        }

        private static func parts(
            _ text: String, _ table: String, _ connection: PostgreSQLConnection
        ) async throws -> [PostgreSQLBackupManifest.Part] {
            let result = try await connection.run(text, PostgreSQLCatalog.parameters([table]))
            return (0..<result.count).map { row in
                PostgreSQLBackupManifest.Part(
                    name: result.text(row, 0) ?? "", definition: result.text(row, 1) ?? "")
            }
        }
    }
#endif
