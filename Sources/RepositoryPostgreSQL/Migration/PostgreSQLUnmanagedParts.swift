#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// What other programs made on a table of the schema: columns, indexes, constraints, triggers,
    /// rules, policies, privileges, views and the like.
    ///
    /// A table that a conversion replaces would lose it. Therefore the converted records are moved
    /// into the old table, which is changed in place.
    struct PostgreSQLUnmanagedParts {
        private let stored: StoredTable
        /// The declared table; nil if it is removed or made by a function.
        private let table: SQLTable?
        private let connection: PostgreSQLBlockingConnection
        private let dialect = PostgreSQLDialect()

        /// - Parameters:
        ///   - stored: the stored description of the table.
        ///   - table: the declared table, if there is one.
        init(
            _ stored: StoredTable, _ table: SQLTable?, _ connection: PostgreSQLBlockingConnection
        ) {
            self.stored = stored
            self.table = table
            self.connection = connection
        }

        // MARK: - What is there

        /// The names of the store's own columns.
        private var ownColumns: [String] {
            let columns = stored.fields.flatMap(\.columns) + (table?.columns.map(\.name) ?? [])
            return columns + columns.map(SQLColumn.foldedName)
        }

        /// The names of the store's own indexes, as they are declared.
        private var ownIndexes: [String] {
            stored.indexes.map(\.name) + (table?.entity.indexes.map(\.name) ?? [])
        }

        /// The names of the store's own constraints and indexes in the database.
        private var ownConstraints: [String] {
            let names = ownIndexes
            return names + names.map { PostgreSQLNames.short($0) }
                + (table.map { table in names.map(table.constraintName) } ?? [])
                + stored.fields.map(\.name) + ownColumns
                + (table?.entity.layout.fields.map(\.name) ?? [])
        }

        /// Returns what other programs made on a table, in words.
        ///
        /// - Parameter name: the name of the table in the database.
        func found(on name: String) throws -> [String] {
            var parameters = PostgreSQLCatalog.parameters([dialect.quoted(name)])
            PostgreSQLValues.append(ownColumns, to: &parameters)
            PostgreSQLValues.append(ownConstraints, to: &parameters)
            let result = try connection.run(Self.query, parameters)
            return (0..<result.count).map { result.text($0, 0) ?? "" }
        }

        private static let query = """
            WITH t AS (SELECT $1::regclass AS oid) \
            SELECT 'the trigger ''' || tgname || '''' FROM pg_trigger, t \
            WHERE tgrelid = t.oid AND NOT tgisinternal AND tgname NOT LIKE 'repository%' \
            UNION ALL SELECT 'the rule ''' || rulename || '''' FROM pg_rewrite, t \
            WHERE ev_class = t.oid \
            UNION ALL SELECT 'the policy ''' || polname || '''' FROM pg_policy, t \
            WHERE polrelid = t.oid \
            UNION ALL SELECT CASE WHEN c.relrowsecurity OR c.relforcerowsecurity \
            THEN 'row-level security' WHEN c.relacl IS NOT NULL THEN 'privileges' \
            WHEN c.relreplident <> 'd' THEN 'the replica identity' \
            WHEN NOT o.is_own THEN 'another owner' \
            ELSE 'storage options' END FROM pg_class AS c, t, LATERAL (SELECT EXISTS ( \
            SELECT 1 FROM pg_roles AS r WHERE r.oid = c.relowner AND r.rolname = current_user)) \
            AS o(is_own) WHERE c.oid = t.oid \
            AND (c.relrowsecurity OR c.relforcerowsecurity OR c.relacl IS NOT NULL \
            OR c.relreplident <> 'd' OR NOT o.is_own \
            OR c.reloptions IS NOT NULL) \
            UNION ALL SELECT DISTINCT 'the view ''' || v.relname || '''' FROM pg_depend AS d \
            JOIN pg_rewrite AS r ON r.oid = d.objid JOIN pg_class AS v ON v.oid = r.ev_class, t \
            WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass \
            AND d.refobjid = t.oid AND r.ev_class <> t.oid \
            UNION ALL SELECT 'privileges of the column ''' || attname || '''' \
            FROM pg_attribute, t WHERE attrelid = t.oid AND attacl IS NOT NULL \
            UNION ALL SELECT 'a comment' FROM pg_description AS d, t \
            WHERE d.objoid = t.oid AND d.classoid = 'pg_class'::regclass \
            UNION ALL SELECT 'a security label' FROM pg_seclabel AS l, t \
            WHERE l.objoid = t.oid AND l.classoid = 'pg_class'::regclass \
            UNION ALL SELECT 'the publication ''' || p.pubname || '''' \
            FROM pg_publication_rel AS r JOIN pg_publication AS p ON p.oid = r.prpubid, t \
            WHERE r.prrelid = t.oid \
            UNION ALL SELECT 'the statistics ''' || stxname || '''' FROM pg_statistic_ext, t \
            WHERE stxrelid = t.oid \
            UNION ALL SELECT 'the column ''' || attname || '''' FROM pg_attribute, t \
            WHERE attrelid = t.oid AND attnum > 0 AND NOT attisdropped AND attname <> ALL($2::name[]) \
            UNION ALL SELECT 'the constraint ''' || conname || '''' FROM pg_constraint, t \
            WHERE conrelid = t.oid AND contype IN ('c', 'u', 'x', 'f', 't') \
            AND conname <> ALL($3::name[]) AND conname NOT LIKE 'check %' \
            UNION ALL SELECT 'the foreign key ''' || conname || ''' of ''' \
            || conrelid::regclass::text || '''' FROM pg_constraint, t \
            WHERE confrelid = t.oid AND conrelid <> t.oid \
            UNION ALL SELECT 'the index ''' || c.relname || '''' FROM pg_index AS i \
            JOIN pg_class AS c ON c.oid = i.indexrelid, t WHERE i.indrelid = t.oid \
            AND c.relname <> ALL($3::name[]) \
            AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = i.indexrelid) \
            UNION ALL SELECT 'inheritance' FROM pg_inherits, t \
            WHERE inhparent = t.oid OR inhrelid = t.oid
            """

        /// Checks that dropping a table takes nothing along that other programs made on it.
        ///
        /// - Parameters:
        ///   - name: the name of the table in the database.
        ///   - isReplaced: whether a function makes a new table of the name. Otherwise a version
        ///     removes the table, with what cannot be without it.
        /// - Throws: `schemaMismatch` that names it.
        func requireNone(on name: String, isReplaced: Bool) throws {
            let parts = try found(on: name).filter { part in
                isReplaced || part.hasPrefix("the view") || part.hasPrefix("the foreign key")
            }
            guard parts.isEmpty else {
                throw refusal(
                    name, parts.joined(separator: ", "),
                    isReplaced
                        ? "a function makes the table anew" : "a version removes the table")
            }
        }

        private func refusal(
            _ name: String, _ parts: String, _ reason: String
        ) -> CRUDRepositoryError {
            .schemaMismatch(
                store: "PostgreSQL",
                differences: [
                    "what other programs made on '\(name)' cannot be kept, because \(reason): \(parts)"
                ])
        }
    }

    // MARK: - Changing a table in place

    extension PostgreSQLUnmanagedParts {
        /// Moves converted records into the old table, and gives it the declared columns.
        ///
        /// Indexes, rules and references follow, as for a new table.
        ///
        /// - Parameters:
        ///   - migration: the changes of the records.
        ///   - table: the declared table.
        ///   - aside: the name of the old table. The new one has the declared name.
        /// - Throws: `schemaMismatch` that names what does not fit.
        func move(_ migration: TableMigration, _ table: SQLTable, from aside: String) throws {
            let name = dialect.quoted(table.name)
            let fresh = dialect.quoted(PostgreSQLNames.short("repository_new_\(table.name)"))
            try run("ALTER TABLE \(name) RENAME TO \(fresh)")
            try run("ALTER TABLE \(dialect.quoted(aside)) RENAME TO \(name)")
            let keys = table.entity.key.map { table.entity.layout.fields[$0].name }
            guard !migration.program.changesIDs,
                keys.allSatisfy({ !migration.program.rewrittenFields.contains($0) })
            else {
                throw refusal(
                    table.name, try found(on: table.name).joined(separator: ", "),
                    "the ids of the records change")
            }
            do {
                try dropOwn(table)
                try changeColumns(migration, table, fresh)
                try fill(table, fresh)
                try complete(table)
                try run("DROP TABLE \(fresh)")
            } catch let error as PostgreSQLError
                where ["0A", "2B", "23", "42", "55"].contains(error.state?.prefix(2) ?? "")
            {
                throw refusal(
                    table.name, error.message, "it does not fit the changes of the table")
            }
        }

        private func run(_ text: String) throws { try connection.run(text) }

        /// Drops the store's own indexes, checks and folded columns.
        private func dropOwn(_ table: SQLTable) throws {
            let name = dialect.quoted(table.name)
            for index in Set(ownIndexes).sorted() {
                for text in PostgreSQLSchemaText(table).dropIndex(index) { try run(text) }
            }
            let own = Set(ownConstraints)
            let constraints = try connection.wait {
                try await PostgreSQLCatalog.constraints(of: table.name, $0)
            }
            for constraint in constraints
            where constraint.kind == "c"
                && (own.contains(constraint.name) || constraint.name.hasPrefix("check "))
            {
                try run("ALTER TABLE \(name) DROP CONSTRAINT \(dialect.quoted(constraint.name))")
            }
            // They are filled again where they are missing.
            let declared = stored.fields.flatMap(\.columns)
            let folded = Set(declared.map(SQLColumn.foldedName)).subtracting(declared)
            let found = try connection.wait {
                try await PostgreSQLCatalog.columns(of: table.name, $0)
            }
            for column in folded.intersection(found).sorted() {
                try run("ALTER TABLE \(name) DROP COLUMN \(dialect.quoted(column))")
            }
        }

        /// Renames, drops, adds and retypes the columns that the changes concern.
        private func changeColumns(
            _ migration: TableMigration, _ table: SQLTable, _ fresh: String
        ) throws {
            let name = dialect.quoted(table.name)
            var renamed: [(old: String, new: String)] = []
            var added: [SQLColumn] = []
            var left = Set(stored.fields.flatMap(\.columns))
            for field in table.entity.layout.fields.indices {
                let columns = table.columns(ofField: field).map { table.columns[$0] }
                let old = migration.storedColumns(ofField: field) ?? []
                guard old.count == columns.count, left.isSuperset(of: old) else {
                    added += columns
                    continue
                }
                left.subtract(old)
                renamed += zip(old, columns).map { ($0, $1.name) }
            }
            try requireFree(left, table, "is removed")
            for column in left.sorted() {
                try run("ALTER TABLE \(name) DROP COLUMN \(dialect.quoted(column))")
            }
            // One field may have got the name of another.
            renamed = renamed.filter { $0.old != $0.new }
            func between(_ number: Int) -> String { "repository_column_\(number)" }
            for (number, column) in renamed.enumerated() {
                try run(dialect.renameColumn(table.name, from: column.old, to: between(number)))
            }
            for (number, column) in renamed.enumerated() {
                try run(dialect.renameColumn(table.name, from: between(number), to: column.new))
            }
            for column in added {
                try run(
                    "ALTER TABLE \(name) ADD COLUMN \(dialect.quoted(column.name)) \(dialect.typeName(column.form))"
                )
            }
            let retyped = try retyped(table, fresh)
            try requireFree(retyped, table, "gets another type")
            for column in table.columns where !table.keyNames.contains(column.name) {
                let quoted = dialect.quoted(column.name)
                try run("ALTER TABLE \(name) ALTER COLUMN \(quoted) DROP NOT NULL")
                if !retyped.contains(column.name) { continue }
                try run("ALTER TABLE \(name) ALTER COLUMN \(quoted) DROP DEFAULT")
                try run(
                    "ALTER TABLE \(name) ALTER COLUMN \(quoted) TYPE \(dialect.typeName(column.form)) USING NULL"
                )
            }
        }

        /// Returns the columns that have another type in the new table.
        private func retyped(_ table: SQLTable, _ fresh: String) throws -> Set<String> {
            let result = try connection.run(
                """
                SELECT a.attname::text FROM pg_attribute AS a JOIN pg_attribute AS b \
                ON b.attname = a.attname AND b.attrelid = $2::regclass AND b.attnum > 0 \
                WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped \
                AND (a.atttypid, a.atttypmod, a.attcollation) \
                IS DISTINCT FROM (b.atttypid, b.atttypmod, b.attcollation)
                """, PostgreSQLCatalog.parameters([dialect.quoted(table.name), fresh]))
            return Set((0..<result.count).compactMap { result.text($0, 0) })
        }

        /// Checks that nothing of other programs depends on columns.
        ///
        /// - Throws: `schemaMismatch` that names it.
        private func requireFree(
            _ columns: Set<String>, _ table: SQLTable, _ change: String
        ) throws {
            if columns.isEmpty { return }
            var parameters = PostgreSQLCatalog.parameters([dialect.quoted(table.name)])
            PostgreSQLValues.append(columns.sorted(), to: &parameters)
            let result = try connection.run(
                """
                SELECT pg_describe_object(d.classid, d.objid, d.objsubid), \
                string_agg(DISTINCT a.attname::text, ', ') FROM pg_depend AS d \
                JOIN pg_attribute AS a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid \
                WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = $1::regclass \
                AND a.attname = ANY($2::name[]) AND d.deptype <> 'i' \
                AND NOT EXISTS (SELECT 1 FROM pg_attrdef AS x WHERE d.classid = 'pg_attrdef'::regclass \
                AND x.oid = d.objid AND x.adrelid = d.refobjid AND x.adnum = d.refobjsubid) \
                AND NOT EXISTS (SELECT 1 FROM pg_trigger AS x WHERE d.classid = 'pg_trigger'::regclass \
                AND x.oid = d.objid AND (x.tgisinternal OR x.tgname LIKE 'repository%')) \
                GROUP BY 1 ORDER BY 1
                """, parameters)
            let parts = (0..<result.count).map { result.text($0, 0) ?? "" }
            guard parts.isEmpty else {
                let names = (0..<result.count).compactMap { result.text($0, 1) }
                let columns = Set(names).sorted().map { "'\($0)'" }.joined(separator: ", ")
                throw refusal(
                    table.name, parts.joined(separator: ", "), "the column \(columns) \(change)")
            }
        }

        /// Writes the converted records, without the triggers and rules of the table.
        private func fill(_ table: SQLTable, _ fresh: String) throws {
            let name = dialect.quoted(table.name)
            let isSame = table.keyNames.map(dialect.quoted).map { "o.\($0) = n.\($0)" }
                .joined(separator: " AND ")
            let enabling = try disableTriggers(of: name)
            try run(
                "DELETE FROM \(name) AS o WHERE NOT EXISTS (SELECT 1 FROM \(fresh) AS n WHERE \(isSame))"
            )
            let values = table.columns.map(\.name).filter { !table.keyNames.contains($0) }
                .map(dialect.quoted).map { "\($0) = n.\($0)" }
            if !values.isEmpty {
                try run(
                    "UPDATE \(name) AS o SET \(values.joined(separator: ", ")) FROM \(fresh) AS n WHERE \(isSame)"
                )
            }
            // A table with checks that wait for the end of the transaction cannot be changed.
            try run("SET CONSTRAINTS ALL IMMEDIATE")
            for text in enabling { try run(text) }
        }

        /// Disables the triggers and rules of a table.
        ///
        /// - Returns: the statements that restore their states.
        private func disableTriggers(of name: String) throws -> [String] {
            let result = try connection.run(
                """
                SELECT 'TRIGGER', tgname::text, tgenabled::text FROM pg_trigger \
                WHERE tgrelid = $1::regclass AND NOT tgisinternal AND tgenabled <> 'D' \
                UNION ALL SELECT 'RULE', rulename::text, ev_enabled::text FROM pg_rewrite \
                WHERE ev_class = $1::regclass AND ev_enabled <> 'D'
                """, PostgreSQLCatalog.parameters([name]))
            return try (0..<result.count).map { row in
                let part =
                    "\(result.text(row, 0) ?? "") \(dialect.quoted(result.text(row, 1) ?? ""))"
                try run("ALTER TABLE \(name) DISABLE \(part)")
                let state = ["A": "ALWAYS ", "R": "REPLICA "][result.text(row, 2) ?? ""] ?? ""
                return "ALTER TABLE \(name) ENABLE \(state)\(part)"
            }
        }

        /// Adds the rules of the columns that a new table has from the beginning.
        private func complete(_ table: SQLTable) throws {
            let name = dialect.quoted(table.name)
            for column in table.columns where !table.keyNames.contains(column.name) {
                let change = "ALTER TABLE \(name) ALTER COLUMN \(dialect.quoted(column.name))"
                if !column.isOptional { try run("\(change) SET NOT NULL") }
                let literal = column.defaultValue.flatMap {
                    $0 == .null ? nil : dialect.literal($0, as: column.form)
                }
                try run("\(change) " + (literal.map { "SET DEFAULT \($0)" } ?? "DROP DEFAULT"))
            }
            for field in table.counts.indices where table.counts[field] > 1 {
                guard let check = PostgreSQLSchemaText(table).togetherCheck(field) else { continue }
                try run("ALTER TABLE \(name) ADD \(check)")
            }
        }
    }
#endif
