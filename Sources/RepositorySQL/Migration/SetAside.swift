internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Sets aside the records that a migration cannot migrate, and what refers to them.
struct SetAside {
    /// The file that receives the records.
    let file: SetAsideFile
    private let session: Session

    init(_ file: SetAsideFile, _ session: Session) {
        self.file = file
        self.session = session
    }

    private var dialect: DriverDialect { session.dialect }

    /// Adds a stored record.
    ///
    /// - Parameters:
    ///   - key: the values of its id.
    ///   - table: its table.
    ///   - reason: the problem.
    /// - Returns: whether there is such a record.
    @discardableResult
    func add(
        _ key: [StoredValue], of table: StoredTableRows, _ reason: String
    ) throws -> Bool {
        let (condition, parameters) = table.isAt(key)
        let rows = try session.query(
            "SELECT \(table.columns) FROM \(table.name) WHERE \(condition)", parameters)
        try add(rows, table.table, named: table.columnNames, reason)
        return !rows.isEmpty
    }

    /// Adds a stored record and deletes it.
    func move(_ key: [StoredValue], of table: StoredTableRows, _ reason: String) throws {
        guard try add(key, of: table, reason) else { return }
        let (condition, parameters) = table.isAt(key)
        try session.execute("DELETE FROM \(table.name) WHERE \(condition)", parameters)
    }

    private func add(
        _ rows: [[SQLValue]], _ table: SQLTable, named names: [String], _ reason: String
    ) throws {
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
            let id = table.key.map { row[$0].text }.joined(separator: ",")
            try file.add(table: table.name, id: id, reason: reason, columns: values)
        }
    }

    /// Sets aside the records of a migrated table that a condition selects, and deletes them.
    ///
    /// - Parameter condition: over the table, which is named `t`.
    /// - Returns: the number of records.
    private func move(_ table: SQLTable, where condition: String, _ reason: String) throws -> Int {
        let names = table.columns.map(\.name)
        let columns = names.map { "t.\(dialect.quoted($0))" }.joined(separator: ", ")
        let rows = try session.query(
            "SELECT \(columns) FROM \(dialect.quoted(table.name)) AS t WHERE \(condition)")
        try add(rows, table, named: names, reason)
        let texts = SQLStatements(table, dialect)
        for row in rows { try session.execute(texts.delete, table.key.map { row[$0] }) }
        return rows.count
    }

    /// Sets aside the records that share the values of a unique index, except the one with the
    /// smallest id of each group.
    func removeDuplicates(of index: TableIndex, _ table: SQLTable) throws {
        _ = try move(
            table, where: SQLMigratedRecords.isDuplicate(of: index, in: table, dialect),
            SQLMigratedRecords.reason(index, in: table))
    }

    /// Resolves references to records that are not there: optional ones become null, and records
    /// with a required one are set aside, and so on.
    ///
    /// - Parameters:
    ///   - tables: the tables of the schema.
    ///   - names: the tables with references to check.
    func resolveReferences(among tables: [SQLTable], checking names: Set<String>) throws {
        try SQLMigratedRecords.resolveReferences(among: tables, checking: names) {
            try resolve($0, of: $1)
        }
    }

    /// Resolves one reference of a table.
    ///
    /// - Returns: whether records were set aside.
    private func resolve(_ reference: SQLReference, of table: SQLTable) throws -> Bool {
        let condition = SQLMigratedRecords.isDangling(reference, dialect)
        if table.entity.layout.fields[reference.field].isOptional {
            try clear(reference, of: table, where: condition)
        }
        return try move(
            table, where: condition, SQLMigratedRecords.reason(reference, in: table)) > 0
    }

    /// Sets a reference to null where a condition holds. A record of which a check or a unique index
    /// forbids the null keeps its value.
    private func clear(
        _ reference: SQLReference, of table: SQLTable, where condition: String
    ) throws {
        let names = table.columns.map { "t.\(dialect.quoted($0.name))" }
        let key = table.keyNames.map { "t.\(dialect.quoted($0))" }
        let rows = try session.query(
            "SELECT \(names.joined(separator: ", ")) FROM \(dialect.quoted(table.name)) AS t WHERE \(condition) ORDER BY \(key.joined(separator: ", "))"
        )
        let values = reference.columns.map { "\(dialect.quoted($0)) = NULL" }
        let isRecord = table.keyNames.enumerated().map {
            "\(dialect.quoted($1)) = \(dialect.placeholder($0 + 1))"
        }
        let update =
            "UPDATE \(dialect.quoted(table.name)) SET \(values.joined(separator: ", ")) WHERE \(isRecord.joined(separator: " AND "))"
        let layout = try table.layout()
        for row in rows {
            if !table.entity.checks.isEmpty {
                var fields = RecordDecoder(record: row, table)
                var record = try layout.values(from: &fields)
                record[reference.field] = .null
                if table.entity.checks.contains(where: { !$0.condition.matches(record) }) {
                    continue
                }
            }
            try session.execute("SAVEPOINT repository_reference")
            do {
                try session.execute(update, table.key.map { row[$0] })
            } catch let error as SQLDriverError where error.isViolation {
                try session.execute("ROLLBACK TO SAVEPOINT repository_reference")
            }
            try session.execute("RELEASE SAVEPOINT repository_reference")
        }
    }
}

extension SQLTable {
    /// Returns the layout by which rows of the table are read as plain values.
    fileprivate func layout() throws -> StoredRowLayout {
        try StoredRowLayout(StoredTable(entity, in: StoreSchema("table", [entity])))
    }
}
