internal import RepositoryRuntime
internal import RepositorySQLCore

extension Session: SQLMigrationSession, ChunkSession {
    @discardableResult
    func change(_ text: String, _ parameters: [SQLParameter]) throws -> Int {
        try execute(text, plain(parameters))
    }

    func tableNames() throws -> [String] { Array(try tables().keys) }

    func runControl(_ text: String) throws { try execute(text) }

    func texts(_ query: String) throws -> [String] { try self.query(query).map { $0[0].text } }

    func isViolation(_ error: any Error) -> Bool {
        (error as? SQLDriverError)?.isViolation == true
    }

    func holds(_ value: StoredValue, _ form: SQLColumnForm) -> Bool {
        form.plain(value) ?? .null != .null
    }

    func short(_ name: String) -> String { name }

    func storedTable(_ entity: EntityTable, in schema: StoreSchema) throws -> SQLTable {
        let table = SQLTable(entity, in: schema, for: .plain, encryption: encryption)
        try addNotes(to: table)
        return table
    }

    func createStatement(of table: SQLTable, hasRules: Bool) -> String {
        table.createStatement(dialect)
    }

    func dropStatement(of name: String) -> String { "DROP TABLE \(name)" }

    func reader(of table: SQLStoredTable, withKeys: Bool) -> SQLStoredTable.Reader {
        { [self] in try rows(of: table, where: $0, withKeys: withKeys) }
    }

    func writer(of table: SQLTable) -> any SQLConvertedRecordWriter {
        ConvertedRecords(table, self)
    }

    /// The number of records that are read at a time.
    private static let page = 500

    /// Returns a closure that returns one record after another, in the order of the ids.
    private func rows(
        of table: SQLStoredTable, where condition: SQLStoredTable.Condition?, withKeys: Bool
    ) throws -> () throws -> SQLStoredRecord? {
        let parameters = try plain(condition?.parameters ?? [])
        let keyNames = table.table.key.map { dialect.quoted(table.columnNames[$0]) }
        let key = keyNames.joined(separator: ", ")
        let places = keyNames.indices.map { dialect.placeholder(parameters.count + $0 + 1) }
            .joined(separator: ", ")
        let isAfter = keyNames.count == 1 ? "\(key) > \(places)" : "(\(key)) > (\(places))"
        let columns = table.columns
        var page: [[SQLValue]] = []
        var next = 0
        var last: [SQLValue]?
        var isOver = false
        return { [self] in
            if next == page.count {
                if isOver { return nil }
                let conditions = [condition?.text, last == nil ? nil : isAfter].compactMap(\.self)
                let filter =
                    conditions.isEmpty
                    ? "" : " WHERE " + conditions.map { "(\($0))" }.joined(separator: " AND ")
                page = try query(
                    "SELECT \(columns) FROM \(table.name)\(filter) ORDER BY \(key) LIMIT \(Self.page)",
                    parameters + (last ?? []))
                next = 0
                isOver = page.count < Self.page
                last = page.last.map { row in table.table.key.map { row[$0] } }
                if page.isEmpty { return nil }
            }
            defer { next += 1 }
            return try record(page[next], of: table, hasKey: withKeys)
        }
    }

    private func record(
        _ row: [SQLValue], of stored: SQLStoredTable, hasKey: Bool
    ) throws -> SQLStoredRecord {
        let table = stored.table
        return try SQLStoredRecord(hasKey: hasKey) {
            try stored.layout.values(of: row, table, self)
        } key: {
            table.key.map { (try? table.columns[$0].form.value(row[$0])) ?? .null }
        }
    }
}

extension SQLTable {
    /// Returns the statement that creates the table. The rules of fields, the checks and the
    /// references are tested by the store.
    func createStatement(_ dialect: DriverDialect) -> String {
        SQLSchemaText(self, dialect).createTable(where: { _ in false }, keeping: { _ in false })
    }
}
