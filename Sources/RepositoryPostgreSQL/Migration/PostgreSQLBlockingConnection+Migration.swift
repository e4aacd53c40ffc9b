#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    extension PostgreSQLBlockingConnection: SQLMigrationSession {
        var dialect: PostgreSQLDialect { PostgreSQLDialect() }

        @discardableResult
        func change(_ text: String, _ parameters: [SQLParameter]) throws -> Int {
            try run(text, PostgreSQLValues.parameters(parameters)).changed
        }

        func tableNames() throws -> [String] {
            try wait { try await Array(PostgreSQLCatalog.relations($0)) }
        }

        func runControl(_ text: String) throws { try runSimple(text) }

        func texts(_ query: String) throws -> [String] {
            let result = try run(query)
            return (0..<result.count).map { result.text($0, 0) ?? "" }
        }

        func isViolation(_ error: any Error) -> Bool {
            (error as? PostgreSQLError)?.isConstraint == true
        }

        func holds(_ value: StoredValue, _ form: SQLColumnForm) -> Bool { value != .null }

        func short(_ name: String) -> String { PostgreSQLNames.short(name) }

        func storedTable(_ entity: EntityTable, in schema: StoreSchema) throws -> SQLTable {
            let table = SQLTable(entity, in: schema, for: .native, encryption: encryption)
            try addNotes(to: table)
            return table
        }

        func createStatement(of table: SQLTable, hasRules: Bool) -> String {
            let text = SQLSchemaText(table, dialect)
            return hasRules
                ? text.createTable()
                : text.createTable(where: { _ in false }, keeping: { _ in false })
        }

        func dropStatement(of name: String) -> String { "DROP TABLE \(name) CASCADE" }

        func endConversion(_ migration: TableMigration, of table: SQLTable) throws {
            let aside = aside(table.name)
            let parts = PostgreSQLUnmanagedParts(migration.stored, table, self)
            // Citus copies distributed tables itself.
            if table.entity.distribution == nil, try !parts.found(on: aside).isEmpty {
                try parts.move(migration, table, from: aside)
            } else {
                try change(dropStatement(of: dialect.quoted(aside)))
            }
        }

        func requireReplaceable(_ table: StoredTable) throws {
            try PostgreSQLUnmanagedParts(table, nil, self)
                .requireNone(on: table.name, isReplaced: true)
        }

        func reader(of table: SQLStoredTable, withKeys: Bool) -> SQLStoredTable.Reader {
            let cursors = PostgreSQLCursors(self)
            return { condition in
                let filter = condition.map { " WHERE \($0.text)" } ?? ""
                let cursor = try cursors.open(
                    "SELECT \(table.columns) FROM \(table.name)\(filter)",
                    PostgreSQLValues.parameters(condition?.parameters ?? []))
                return {
                    try cursor.next().map { try Self.record($0, $1, of: table, hasKey: withKeys) }
                }
            }
        }

        private static func record(
            _ result: PostgreSQLResult, _ row: Int, of stored: SQLStoredTable, hasKey: Bool
        ) throws -> SQLStoredRecord {
            let table = stored.table
            return try SQLStoredRecord(hasKey: hasKey) {
                var row = PostgreSQLRow(record: result, row, table)
                guard let cipher = table.cipher else { return try stored.layout.values(from: &row) }
                let id = try stored.layout.values(of: table.entity.key, from: &row)
                var fields = OpeningDecoder(row, cipher, id: id) { cipher.isNoted($0) }
                return try stored.layout.values(from: &fields)
            } key: {
                table.key.map { column in
                    let form = table.columns[column].form
                    return (try? PostgreSQLValues.value(result, row, column, form)) ?? .null
                }
            }
        }

        func writer(of table: SQLTable) -> any SQLConvertedRecordWriter {
            PostgreSQLConvertedRecords(table, self)
        }
    }
#endif
