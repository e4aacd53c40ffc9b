#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// Applies the steps of an opening, inside a transaction that holds the lock of the description.
    ///
    /// PostgreSQL changes tables in place, also those changes for which other databases copy them.
    /// Only tables whose records a version converts are copied.
    struct PostgreSQLSchemaUpgrade: SQLSchemaUpgrade {
        let opening: SchemaOpening
        let schema: StoreSchema
        let tables: [String: SQLTable]
        let session: PostgreSQLBlockingConnection
        let reporter: MigrationReporter
        let setAside: SQLSetAside?
        /// The distributed tables, and those that have to be distributed.
        let distributed: CitusTables

        init(
            _ opening: SchemaOpening, _ schema: StoreSchema, _ tables: [SQLTable],
            _ session: PostgreSQLBlockingConnection, _ reporter: MigrationReporter,
            _ setAside: SQLSetAside?, _ distributed: CitusTables
        ) {
            self.distributed = distributed
            self.reporter = reporter
            self.setAside = setAside
            self.opening = opening
            self.schema = schema
            self.tables = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
            self.session = session
        }

        var connection: PostgreSQLBlockingConnection { session }

        /// Whether records are converted. A table is distributed without its references.
        private var converts: Bool { opening.convertsRecords || distributesStoredTables }

        /// Prepares the conversion of records: locks the stored tables, so that no other program
        /// writes what is read here, and drops their references, which would check every record.
        func begin() throws {
            guard converts else { return }
            let found = try connection.wait { try await PostgreSQLCatalog.relations($0) }
            let names = opening.stored.tables.map(\.name).filter(found.contains).sorted()
            if names.isEmpty { return }
            try run("LOCK TABLE \(dialect.list(names)) IN ACCESS EXCLUSIVE MODE")
            for name in names {
                for constraint in try constraints(of: name) where constraint.kind == "f" {
                    try run(
                        "ALTER TABLE \(dialect.quoted(name)) DROP CONSTRAINT \(dialect.quoted(constraint.name))"
                    )
                }
            }
        }

        func drop(_ table: String) throws {
            if let stored = opening.stored.tables.first(where: { $0.name == table }),
                try connection.wait({
                    try await PostgreSQLCatalog.hasTable(PostgreSQLDialect().quoted(table), $0)
                })
            {
                try PostgreSQLUnmanagedParts(stored, nil, connection)
                    .requireNone(on: table, isReplaced: false)
            }
            try run("DROP TABLE IF EXISTS \(dialect.quoted(table)) CASCADE")
        }

        func dropIndex(_ name: String, of table: SQLTable) throws {
            for text in PostgreSQLSchemaText(table).dropIndex(name) { try run(text) }
        }

        func renameColumn(_ table: String, from: String, to: String) throws {
            try run(dialect.renameColumn(table, from: from, to: to))
            try renameFoldedColumn(table, from, to)
        }

        func change(_ steps: [SchemaStep]) throws -> Set<String> {
            for case .changeField(let table, let field, .folding) in steps {
                try changeFolding(table, field)
            }
            for step in steps { try add(step) }
            for step in steps { try change(step) }
            return []
        }

        func completeColumns() throws {
            try distribute()
            try completeFoldedColumns()
        }

        func createStatement(of index: TableIndex, _ table: SQLTable) throws -> String {
            try dropIndex(index.name, of: table)
            try IndexHashes(table, connection).complete(for: index)
            return PostgreSQLSchemaText(table).createIndex(index)
        }

        func finish(_ converted: Set<String>) throws {
            for table in opening.migrations.keys.sorted().compactMap({ tables[$0] }) {
                for column in table.columns { try changeRules(of: column, table) }
                try changeChecks(of: table)
            }
            if converts {
                try addAllReferences(converted)
            } else {
                for step in steps { try addReferences(step) }
                for name in opening.unverifiedTables.sorted() {
                    guard let table = tables[name] else { continue }
                    try replaceReferences(of: table)
                }
            }
        }

        func run(_ text: String) throws { try connection.run(text) }

        func constraints(of table: String) throws -> [PostgreSQLCatalog.Constraint] {
            try connection.wait { try await PostgreSQLCatalog.constraints(of: table, $0) }
        }

        private func add(_ step: SchemaStep) throws {
            switch step {
            case .createTable(let name):
                guard let table = tables[name] else { return }
                for text in PostgreSQLSchemaText(table).create() { try run(text) }
            case .addField(let name, let field):
                guard let table = tables[name],
                    let index = table.entity.layout.fields.firstIndex(where: { $0.name == field })
                else { return }
                for text in PostgreSQLSchemaText(table).addField(index) { try run(text) }
            default: break
            }
        }

        private func change(_ step: SchemaStep) throws {
            switch step {
            case .changeField(let name, let field, let change):
                guard let table = tables[name],
                    let index = table.entity.layout.fields.firstIndex(where: { $0.name == field })
                else { return }
                try self.change(table, index, change)
            case .changeChecks(let name):
                guard let table = tables[name] else { return }
                try changeChecks(of: table)
            default: break
            }
        }

        private func change(
            _ table: SQLTable, _ field: Int, _ change: SchemaStep.FieldChange
        ) throws {
            let name = dialect.quoted(table.name)
            let columns = table.columns(ofField: field).map { table.columns[$0] }
            switch change {
            case .becameOptional:
                for column in columns {
                    try run(
                        "ALTER TABLE \(name) ALTER COLUMN \(dialect.quoted(column.name)) DROP NOT NULL"
                    )
                }
                if columns.count > 1, let check = PostgreSQLSchemaText(table).togetherCheck(field) {
                    try run("ALTER TABLE \(name) ADD \(check)")
                }
            case .widened:
                for column in columns {
                    try run(
                        "ALTER TABLE \(name) ALTER COLUMN \(dialect.quoted(column.name)) TYPE \(dialect.typeName(column.form))"
                    )
                }
            case .rules:
                for column in columns { try changeRules(of: column, table) }
            case .referenceRemoved, .deleteRule:
                try replaceReferences(of: table, columns: columns.map(\.name))
            case .defaultValue:
                for column in columns {
                    let literal = column.defaultValue.flatMap {
                        $0 == .null ? nil : dialect.literal($0, as: column.form)
                    }
                    try run(
                        "ALTER TABLE \(name) ALTER COLUMN \(dialect.quoted(column.name)) "
                            + (literal.map { "SET DEFAULT \($0)" } ?? "DROP DEFAULT"))
                }
            default: break
            }
        }

        /// Replaces the check of a column's rules. A check that stored records violate is left out:
        /// the generated code enforces it for records that are written.
        private func changeRules(of column: SQLColumn, _ table: SQLTable) throws {
            let name = dialect.quoted(table.name)
            let constraint = dialect.quoted(column.name)
            try run("ALTER TABLE \(name) DROP CONSTRAINT IF EXISTS \(constraint)")
            guard let check = PostgreSQLSchemaText(table).check(of: column),
                try !connection.hasRow("SELECT 1 FROM \(name) WHERE NOT (\(check))")
            else { return }
            try run("ALTER TABLE \(name) ADD CONSTRAINT \(constraint) CHECK (\(check))")
        }

        /// Replaces the checks of a table.
        private func changeChecks(of table: SQLTable) throws {
            let name = dialect.quoted(table.name)
            for constraint in try constraints(of: table.name)
            where constraint.kind == "c" && constraint.name.hasPrefix("check ") {
                try run(
                    "ALTER TABLE \(name) DROP CONSTRAINT \(dialect.quoted(constraint.name))")
            }
            for check in table.entity.checks {
                guard let condition = PostgreSQLSchemaText(table).condition(of: check),
                    try !connection.hasRow("SELECT 1 FROM \(name) WHERE NOT (\(condition))")
                else { continue }
                let constraint = dialect.quoted(SQLSchemaText.name(of: check))
                try run(
                    "ALTER TABLE \(name) ADD CONSTRAINT \(constraint) CHECK (\(condition))")
            }
        }

        /// Renames or drops the folded column of a column that was renamed. Its indexes follow.
        private func renameFoldedColumn(_ table: String, _ from: String, _ to: String) throws {
            let (old, new) = (SQLColumn.foldedName(of: from), SQLColumn.foldedName(of: to))
            let isDeclared = opening.stored.tables.flatMap(\.fields)
                .contains { $0.columns.contains(old) }
            let found = try connection.wait {
                try await PostgreSQLCatalog.columns(of: table, $0)
            }
            guard found.contains(old), !isDeclared, let declared = tables[table] else { return }
            let name = dialect.quoted(table)
            if declared.columns.contains(where: { $0.foldedName == new }) {
                try run("ALTER TABLE \(name) DROP COLUMN IF EXISTS \(dialect.quoted(new))")
                try run(dialect.renameColumn(table, from: old, to: new))
            } else {
                try run("ALTER TABLE \(name) DROP COLUMN \(dialect.quoted(old))")
            }
        }

        /// Drops the folded column of a field that no longer ignores case. Empties that of a field
        /// that begins to do so: the programs in between did not write it.
        private func changeFolding(_ table: String, _ field: String) throws {
            guard let declared = tables[table] else { return }
            let name = dialect.quoted(table)
            let found = try connection.wait {
                try await PostgreSQLCatalog.columns(of: table, $0)
            }
            for column in declared.columns where declared.fieldName(column.field) == field {
                let folded = SQLColumn.foldedName(of: column.name)
                guard found.contains(folded) else { continue }
                let quoted = dialect.quoted(folded)
                try run(
                    column.foldedName == nil
                        ? "ALTER TABLE \(name) DROP COLUMN \(quoted)"
                        : "UPDATE \(name) SET \(quoted) = NULL WHERE \(quoted) IS NOT NULL")
            }
        }

        /// Adds the folded columns that are missing, and fills those that are null.
        private func completeFoldedColumns() throws {
            for table in tables.values {
                let folded = table.columns.filter { $0.foldedName != nil }
                if folded.isEmpty { continue }
                let found = try connection.wait {
                    try await PostgreSQLCatalog.columns(of: table.name, $0)
                }
                for column in folded {
                    guard let name = column.foldedName else { continue }
                    if !found.contains(name) {
                        try run(
                            "ALTER TABLE \(dialect.quoted(table.name)) ADD COLUMN \(dialect.quoted(name)) \(dialect.typeName(column.form))"
                        )
                    }
                    try connection.wait { try await PostgreSQLFolding(table, column, $0).fill() }
                }
            }
        }
    }
#endif
