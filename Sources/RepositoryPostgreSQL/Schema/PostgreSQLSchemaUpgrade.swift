#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import StoredSchema

    /// Applies the steps of an opening, inside a transaction that holds the lock of the description.
    ///
    /// PostgreSQL changes tables in place, also those changes for which other databases copy them.
    struct PostgreSQLSchemaUpgrade {
        private let opening: SchemaOpening
        private let schema: StoreSchema
        private let tables: [String: SQLTable]
        private let connection: PostgreSQLConnection
        private let dialect = PostgreSQLDialect()

        init(
            _ opening: SchemaOpening, _ schema: StoreSchema, _ tables: [SQLTable],
            _ connection: PostgreSQLConnection
        ) {
            self.opening = opening
            self.schema = schema
            self.tables = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
            self.connection = connection
        }

        /// Applies the steps: drops, renames, additions, changes, folded columns, indexes,
        /// references.
        ///
        /// - Throws: `schemaMismatch` if a new unique index or reference does not fit the records.
        func run() async throws {
            for forgotten in opening.forgottenDeletions {
                let result = try await connection.run(
                    "SELECT count(*) FROM \(dialect.quoted(forgotten.table)) WHERE \(dialect.quoted(forgotten.column)) IS NOT NULL"
                )
                try forgotten.require(
                    noneOf: Int(result.integer(0, 0) ?? 0), in: "PostgreSQL")
            }
            for name in opening.removedTables {
                try await run("DROP TABLE IF EXISTS \(dialect.quoted(name)) CASCADE")
                for text in PostgreSQLExternalData.drop(of: name, isThere: false) {
                    try await run(text)
                }
            }
            try await renameTables()
            for case .renameColumn(let table, let from, let to) in opening.steps {
                try await run(
                    "ALTER TABLE \(dialect.quoted(table)) RENAME COLUMN \(dialect.quoted(from)) TO \(dialect.quoted(to))"
                )
            }
            for case .dropIndex(let table, let index) in opening.steps {
                guard let table = tables[table] else { continue }
                for text in PostgreSQLSchemaText(table).dropIndex(index) { try await run(text) }
            }
            for step in opening.steps { try await add(step) }
            for step in opening.steps { try await change(step) }
            try await completeFoldedColumns()
            for case .createIndex(let name, let index) in opening.steps {
                guard let table = tables[name],
                    let declared = table.entity.indexes.first(where: { $0.name == index })
                else { continue }
                try await create(declared, table)
            }
            for step in opening.steps { try await addReferences(step) }
            for name in opening.unverifiedTables.sorted() {
                guard let table = tables[name] else { continue }
                try await replaceReferences(of: table)
            }
            try await completeExternalData()
        }

        /// Creates, renames and drops the tables and triggers of external data.
        private func completeExternalData() async throws {
            let found = try await PostgreSQLCatalog.relations(connection)
            for table in tables.values {
                let name = PostgreSQLExternalData.name(of: table.name)
                guard let data = PostgreSQLExternalData(table) else {
                    if found.contains(name) {
                        for text in PostgreSQLExternalData.drop(of: table.name, isThere: true) {
                            try await run(text)
                        }
                    }
                    continue
                }
                for earlier in table.entity.renamedFrom where !found.contains(name) {
                    let old = PostgreSQLExternalData.name(of: earlier)
                    guard found.contains(old), !found.contains(earlier) else { continue }
                    try await run(
                        "ALTER TABLE \(dialect.quoted(old)) RENAME TO \(dialect.quoted(name))")
                    break
                }
                try await run(data.createTable)
                for text in data.replaceTrigger { try await run(text) }
                try await run(data.removeStray)
            }
        }

        @discardableResult
        private func run(_ text: String) async throws -> PostgreSQLResult {
            try await connection.run(text)
        }

        /// Renames tables, all of them first to names that no other table has: one may get the name
        /// of another.
        private func renameTables() async throws {
            for case .renameTable(let from, let to) in opening.steps {
                let between = dialect.quoted(PostgreSQLNames.short("repository_rename_\(to)"))
                try await run("ALTER TABLE \(dialect.quoted(from)) RENAME TO \(between)")
            }
            for case .renameTable(_, let to) in opening.steps {
                let between = dialect.quoted(PostgreSQLNames.short("repository_rename_\(to)"))
                try await run("ALTER TABLE \(between) RENAME TO \(dialect.quoted(to))")
            }
        }

        private func add(_ step: SchemaStep) async throws {
            switch step {
            case .createTable(let name):
                guard let table = tables[name] else { return }
                for text in PostgreSQLSchemaText(table).create() { try await run(text) }
            case .addField(let name, let field):
                guard let table = tables[name],
                    let index = table.entity.layout.fields.firstIndex(where: { $0.name == field })
                else { return }
                for text in PostgreSQLSchemaText(table).addField(index) { try await run(text) }
            default: break
            }
        }

        private func change(_ step: SchemaStep) async throws {
            switch step {
            case .changeField(let name, let field, let change):
                guard let table = tables[name],
                    let index = table.entity.layout.fields.firstIndex(where: { $0.name == field })
                else { return }
                try await self.change(table, index, change)
            case .changeChecks(let name):
                guard let table = tables[name] else { return }
                try await changeChecks(of: table)
            default: break
            }
        }

        private func change(
            _ table: SQLTable, _ field: Int, _ change: SchemaStep.FieldChange
        ) async throws {
            let name = dialect.quoted(table.name)
            let columns = table.columns(ofField: field).map { table.columns[$0] }
            switch change {
            case .becameOptional:
                for column in columns {
                    try await run(
                        "ALTER TABLE \(name) ALTER COLUMN \(dialect.quoted(column.name)) DROP NOT NULL"
                    )
                }
                if columns.count > 1, let check = PostgreSQLSchemaText(table).togetherCheck(field) {
                    try await run("ALTER TABLE \(name) ADD \(check)")
                }
            case .widened:
                for column in columns {
                    try await run(
                        "ALTER TABLE \(name) ALTER COLUMN \(dialect.quoted(column.name)) TYPE \(dialect.typeName(column.form))"
                    )
                }
            case .rules:
                for column in columns { try await changeRules(of: column, table) }
            case .referenceRemoved, .deleteRule:
                try await replaceReferences(of: table, columns: columns.map(\.name))
            case .defaultValue:
                for column in columns {
                    let literal = column.defaultValue.flatMap {
                        $0 == .null ? nil : dialect.literal($0, as: column.form)
                    }
                    try await run(
                        "ALTER TABLE \(name) ALTER COLUMN \(dialect.quoted(column.name)) "
                            + (literal.map { "SET DEFAULT \($0)" } ?? "DROP DEFAULT"))
                }
            default: break
            }
        }

        /// Replaces the check of a column's rules. A check that stored records violate is left out:
        /// the generated code enforces it for records that are written.
        private func changeRules(of column: SQLColumn, _ table: SQLTable) async throws {
            let name = dialect.quoted(table.name)
            let constraint = dialect.quoted(column.name)
            try await run("ALTER TABLE \(name) DROP CONSTRAINT IF EXISTS \(constraint)")
            guard let check = PostgreSQLSchemaText(table).check(of: column),
                try await !PostgreSQLCatalog.hasRow(
                    "SELECT 1 FROM \(name) WHERE NOT (\(check))", connection)
            else { return }
            try await run("ALTER TABLE \(name) ADD CONSTRAINT \(constraint) CHECK (\(check))")
        }

        /// Replaces the checks of a table.
        private func changeChecks(of table: SQLTable) async throws {
            let name = dialect.quoted(table.name)
            for constraint in try await PostgreSQLCatalog.constraints(of: table.name, connection)
            where constraint.kind == "c" && constraint.name.hasPrefix("check ") {
                try await run(
                    "ALTER TABLE \(name) DROP CONSTRAINT \(dialect.quoted(constraint.name))")
            }
            for check in table.entity.checks {
                guard let condition = PostgreSQLSchemaText(table).condition(of: check),
                    try await !PostgreSQLCatalog.hasRow(
                        "SELECT 1 FROM \(name) WHERE NOT (\(condition))", connection)
                else { continue }
                let constraint = dialect.quoted(SQLSchemaText.name(of: check))
                try await run(
                    "ALTER TABLE \(name) ADD CONSTRAINT \(constraint) CHECK (\(condition))")
            }
        }

        /// Adds the folded columns that are missing, and fills those that are null.
        private func completeFoldedColumns() async throws {
            for table in tables.values {
                let folded = table.columns.filter { $0.foldedName != nil }
                if folded.isEmpty { continue }
                let found = try await PostgreSQLCatalog.columns(of: table.name, connection)
                for column in folded {
                    guard let name = column.foldedName else { continue }
                    if !found.contains(name) {
                        try await run(
                            "ALTER TABLE \(dialect.quoted(table.name)) ADD COLUMN \(dialect.quoted(name)) \(dialect.typeName(column.form))"
                        )
                    }
                    try await PostgreSQLFolding(table, column, connection).fill()
                }
            }
        }

        /// Creates an index over the stored records.
        ///
        /// - Throws: `schemaMismatch` if records share the values of a unique index.
        private func create(_ index: TableIndex, _ table: SQLTable) async throws {
            do {
                for text in PostgreSQLSchemaText(table).dropIndex(index.name) {
                    try await run(text)
                }
                try await run(PostgreSQLSchemaText(table).createIndex(index))
            } catch let error as PostgreSQLError where error.isUnique {
                throw CRUDRepositoryError.schemaMismatch(
                    store: "PostgreSQL",
                    differences: [
                        "the unique index '\(index.name)' of '\(table.name)' cannot be built: stored records share its values"
                    ])
            }
        }

        /// Adds the references of a new table or field.
        private func addReferences(_ step: SchemaStep) async throws {
            switch step {
            case .createTable(let name):
                guard let table = tables[name] else { return }
                for reference in table.references { try await add(reference, table) }
            case .addField(let name, let field):
                guard let table = tables[name] else { return }
                for reference in table.references
                where table.fieldName(reference.field) == field
                    && !opening.unverifiedTables.contains(name)
                {
                    try await add(reference, table)
                }
            default: break
            }
        }

        /// - Throws: `schemaMismatch` if records refer to others that are not there.
        private func add(_ reference: SQLReference, _ table: SQLTable) async throws {
            do {
                try await run(PostgreSQLSchemaText(table).add(reference))
            } catch let error as PostgreSQLError where error.isForeignKey {
                throw CRUDRepositoryError.schemaMismatch(
                    store: "PostgreSQL",
                    differences: [
                        "records of '\(table.name)' refer to records that are not there"
                    ])
            }
        }

        /// Replaces the references of some columns, or of all.
        private func replaceReferences(
            of table: SQLTable, columns: [String]? = nil
        ) async throws {
            for constraint in try await PostgreSQLCatalog.constraints(of: table.name, connection)
            where constraint.kind == "f" && (columns == nil || constraint.columns == columns) {
                try await run(
                    "ALTER TABLE \(dialect.quoted(table.name)) DROP CONSTRAINT \(dialect.quoted(constraint.name))"
                )
            }
            for reference in table.references
            where columns == nil || reference.columns == columns {
                try await add(reference, table)
            }
        }
    }

    /// Fills a folded column where it is null: in tables that existed before the column, and for
    /// records that another program wrote.
    struct PostgreSQLFolding {
        private let table: SQLTable
        private let column: SQLColumn
        private let connection: PostgreSQLConnection
        private let dialect = PostgreSQLDialect()

        init(_ table: SQLTable, _ column: SQLColumn, _ connection: PostgreSQLConnection) {
            self.table = table
            self.column = column
            self.connection = connection
        }

        /// Fills the column in pages: all rows with the same text at once.
        func fill() async throws {
            guard let foldedName = column.foldedName else { return }
            let (name, source, folded) = (
                dialect.quoted(table.name), dialect.quoted(column.name), dialect.quoted(foldedName)
            )
            while true {
                let found = try await connection.run(
                    "SELECT DISTINCT \(source) FROM \(name) WHERE \(folded) IS NULL AND \(source) IS NOT NULL LIMIT 1000"
                )
                if found.count == 0 { return }
                let steps = (0..<found.count).compactMap { found.text($0, 0) }.map { text in
                    PostgreSQLConnection.Step(
                        text:
                            "UPDATE \(name) SET \(folded) = $1 WHERE \(source) = $2 AND \(folded) IS NULL",
                        parameters: PostgreSQLCatalog.parameters([CaseFolding.folded(text), text]))
                }
                do {
                    _ = try await connection.runAll(steps)
                } catch let error as PostgreSQLStepError {
                    throw error.error
                }
            }
        }
    }
#endif
