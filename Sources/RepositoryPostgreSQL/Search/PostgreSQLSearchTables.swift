#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// Creates and drops the tables and triggers of search indexes.
    ///
    /// They are not part of the schema. An index that lacks a table or a trigger, or that was built
    /// for another definition, may have missed changes: all records are marked as changed, and the
    /// next search indexes them.
    struct PostgreSQLSearchTables: Sendable {
        private let tables: [SQLTable]
        private let indexes: [PostgreSQLSearchIndex]

        init(_ tables: [SQLTable]) {
            self.tables = tables
            indexes = tables.compactMap { PostgreSQLSearchIndex($0) }
        }

        /// What a database has of search indexes.
        private struct Found {
            /// The names of all relations.
            var relations: Set<String> = []
            /// The definition that each index was built for, and the triggers that it then had.
            var states: [String: (definition: String, triggers: String)] = [:]
            /// The triggers of each table, as text.
            var triggers: [String: String] = [:]

            /// Whether all tables and triggers of an index are there, and it was built for its
            /// definition.
            func isComplete(_ index: PostgreSQLSearchIndex) -> Bool {
                let name = index.table.name
                guard let state = states[name], let triggers = triggers[name] else { return false }
                return state.definition == index.definition && state.triggers == triggers
                    && PostgreSQLSearchIndex.tables(of: name).allSatisfy(relations.contains)
            }
        }

        /// Returns whether the database has exactly the needed tables and triggers.
        func areComplete(_ connection: PostgreSQLConnection) async throws -> Bool {
            // A database whose tables are all unmanaged has no indexes, and is not changed.
            if tables.isEmpty { return true }
            let found = try await found(connection)
            return unneeded(found).isEmpty && indexes.allSatisfy(found.isComplete)
        }

        /// Drops what no table needs, and rebuilds the indexes that are incomplete, inside a
        /// transaction.
        func complete(_ connection: PostgreSQLConnection) async throws {
            let found = try await found(connection)
            for name in unneeded(found) {
                for text in PostgreSQLSearchIndex.drop(of: name) { try await connection.run(text) }
                try await Self.removeState(of: name, connection)
            }
            for index in indexes where !found.isComplete(index) {
                try await build(index, connection)
            }
        }

        /// Drops the index of a table that is dropped, inside a transaction.
        static func drop(of table: String, _ connection: PostgreSQLConnection) async throws {
            for text in PostgreSQLSearchIndex.drop(of: table) { try await connection.run(text) }
            let relations = try await PostgreSQLCatalog.relations(connection)
            guard relations.contains(PostgreSQLSearchIndex.stateTable) else { return }
            try await removeState(of: table, connection)
        }

        /// Returns the statements that drop the triggers of tables before a change, which would run
        /// them with earlier names of columns. ``complete(_:)`` then rebuilds their indexes.
        static func release(_ steps: [SchemaStep], converting tables: Set<String>) -> [String] {
            var names = tables
            for case .renameColumn(let table, _, _) in steps { names.insert(table) }
            for case .renameTable(let from, let to) in steps where names.contains(to) {
                names.insert(from)
            }
            return names.sorted().map { PostgreSQLSearchIndex.dropTriggers(of: $0) }
        }

        private func build(
            _ index: PostgreSQLSearchIndex, _ connection: PostgreSQLConnection
        ) async throws {
            let name = index.table.name
            let schema = try await connection.run("SELECT current_schema()").text(0, 0) ?? ""
            let statements =
                PostgreSQLSearchIndex.drop(of: name) + index.dropOtherTriggers
                + index.createTables + index.createTriggers(in: schema)
                + [PostgreSQLSearchIndex.createState, index.markAll]
            for text in statements { try await connection.run(text) }
            let triggers = try await Self.triggers(connection)[name] ?? ""
            try await connection.run(
                """
                INSERT INTO "\(PostgreSQLSearchIndex.stateTable)" VALUES ($1, $2, $3) \
                ON CONFLICT ("name") DO UPDATE SET "definition" = excluded."definition", \
                "triggers" = excluded."triggers"
                """, PostgreSQLCatalog.parameters([name, index.definition, triggers]))
        }

        /// Returns the tables whose indexes are not needed any more: those that were dropped or
        /// renamed, and those of this schema that are no longer searched.
        private func unneeded(_ found: Found) -> [String] {
            let searched = Set(indexes.map(\.table.name))
            let own = Set(tables.map(\.name))
            return found.states.keys.filter { name in
                !searched.contains(name)
                    && (own.contains(name) || !found.relations.contains(name))
            }.sorted()
        }

        private static func removeState(
            of table: String, _ connection: PostgreSQLConnection
        ) async throws {
            try await connection.run(
                "DELETE FROM \"\(PostgreSQLSearchIndex.stateTable)\" WHERE \"name\" = $1",
                PostgreSQLCatalog.parameters([table]))
        }

        private func found(_ connection: PostgreSQLConnection) async throws -> Found {
            var found = Found()
            found.relations = try await PostgreSQLCatalog.relations(connection)
            guard found.relations.contains(PostgreSQLSearchIndex.stateTable) else { return found }
            let states = try await connection.run(
                "SELECT \"name\", \"definition\", \"triggers\" FROM \"\(PostgreSQLSearchIndex.stateTable)\""
            )
            for row in 0..<states.count {
                found.states[states.text(row, 0) ?? ""] = (
                    states.text(row, 1) ?? "", states.text(row, 2) ?? ""
                )
            }
            found.triggers = try await Self.triggers(connection)
            return found
        }

        /// Returns the triggers of search indexes with their functions, as one text for each table.
        private static func triggers(
            _ connection: PostgreSQLConnection
        ) async throws -> [String: String] {
            let result = try await connection.run(
                """
                SELECT c.relname::text, string_agg(concat_ws(' ', t.tgenabled::text, \
                pg_get_triggerdef(t.oid), p.prosrc, p.proconfig::text), E'\\n' ORDER BY t.tgname) \
                FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid \
                JOIN pg_namespace AS n ON n.oid = c.relnamespace \
                JOIN pg_proc AS p ON p.oid = t.tgfoid \
                WHERE n.nspname = current_schema() AND starts_with(t.tgname::text, $1) \
                GROUP BY c.relname
                """, PostgreSQLCatalog.parameters([PostgreSQLSearchIndex.prefix]))
            var triggers: [String: String] = [:]
            for row in 0..<result.count {
                triggers[result.text(row, 0) ?? ""] = result.text(row, 1) ?? ""
            }
            return triggers
        }
    }
#endif
