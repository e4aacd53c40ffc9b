internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// The records that a migration sets aside, and the references to them.
extension Session {
    func readRows(
        of table: SQLTable, named names: [String], from source: String,
        _ parameters: [SQLParameter],
        _ body: (_ id: String, _ columns: [String: SetAsideValue]) throws -> Void
    ) throws -> Int {
        try rows(of: table, named: names, from: source, plain(parameters), body).count
    }

    func moveRows(
        of table: SQLTable, where condition: String,
        _ body: (_ id: String, _ columns: [String: SetAsideValue]) throws -> Void
    ) throws -> Int {
        let rows = try rows(
            of: table, named: table.columns.map(\.name),
            from: "\(dialect.quoted(table.name)) AS t WHERE \(condition)", [], body)
        let delete = SQLStatements(table, dialect).delete
        for row in rows { try execute(delete, table.key.map { row[$0] }) }
        return rows.count
    }

    /// Reads rows.
    ///
    /// - Parameter body: gets the id and the columns of each row.
    private func rows(
        of table: SQLTable, named names: [String], from source: String, _ parameters: [SQLValue],
        _ body: (_ id: String, _ columns: [String: SetAsideValue]) throws -> Void
    ) throws -> [[SQLValue]] {
        let columns = names.map { "t.\(dialect.quoted($0))" }.joined(separator: ", ")
        let rows = try query("SELECT \(columns) FROM \(source)", parameters)
        for row in rows {
            var values: [String: SetAsideValue] = [:]
            for (name, value) in zip(names, row) {
                values[name] =
                    switch value {
                    case .null: .null
                    case .integer(let value): .integer(value)
                    case .double(let value): .real(value)
                    case .text(let value): .text(value)
                    case .data(let value): .data(value)
                    }
            }
            try body(table.key.map { row[$0].text }.joined(separator: ","), values)
        }
        return rows
    }

    func clear(_ reference: SQLReference, of table: SQLTable, where condition: String) throws {
        let names = table.columns.map { "t.\(dialect.quoted($0.name))" }
        let key = table.keyNames.map { "t.\(dialect.quoted($0))" }
        let rows = try query(
            "SELECT \(names.joined(separator: ", ")) FROM \(dialect.quoted(table.name)) AS t WHERE \(condition) ORDER BY \(key.joined(separator: ", "))"
        )
        let values = reference.columns.map { "\(dialect.quoted($0)) = NULL" }
        let isRecord = table.keyNames.enumerated().map {
            "\(dialect.quoted($1)) = \(dialect.placeholder($0 + 1))"
        }
        let update =
            "UPDATE \(dialect.quoted(table.name)) SET \(values.joined(separator: ", ")) WHERE \(isRecord.joined(separator: " AND "))"
        let layout = try StoredRowLayout(
            StoredTable(table.entity, in: StoreSchema("table", [table.entity])))
        for row in rows {
            if !table.entity.checks.isEmpty {
                var record = try layout.values(of: row, table, self)
                record[reference.field] = .null
                if table.entity.checks.contains(where: { !$0.condition.matches(record) }) {
                    continue
                }
            }
            _ = try unlessViolated("repository_reference") {
                try execute(update, table.key.map { row[$0] })
            }
        }
    }
}
