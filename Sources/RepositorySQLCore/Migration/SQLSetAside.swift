package import RepositoryRuntime

/// Sets aside the records that a migration cannot migrate, and what refers to them.
package struct SQLSetAside {
    /// The file that receives the records.
    package let file: SetAsideFile
    private let session: any SQLMigrationSession

    /// Prepares setting aside.
    ///
    /// - Parameters:
    ///   - file: the file that receives the records.
    ///   - session: the connection.
    package init(_ file: SetAsideFile, _ session: any SQLMigrationSession) {
        self.file = file
        self.session = session
    }

    /// Adds a stored record.
    ///
    /// - Parameters:
    ///   - key: the values of its id.
    ///   - table: its table.
    ///   - reason: the problem.
    /// - Returns: whether there is such a record.
    @discardableResult
    func add(_ key: [StoredValue], of table: SQLStoredTable, _ reason: String) throws -> Bool {
        let (condition, parameters) = table.isAt(key)
        let count = try session.readRows(
            of: table.table, named: table.columnNames,
            from: "\(table.name) AS t WHERE \(condition)", parameters
        ) { try file.add(table: table.table.name, id: $0, reason: reason, columns: $1) }
        return count > 0
    }

    /// Adds a stored record and deletes it.
    func move(_ key: [StoredValue], of table: SQLStoredTable, _ reason: String) throws {
        guard try add(key, of: table, reason) else { return }
        let (condition, parameters) = table.isAt(key)
        try session.change("DELETE FROM \(table.name) WHERE \(condition)", parameters)
    }

    /// Sets aside the records of a migrated table that a condition selects, and deletes them.
    ///
    /// - Parameter condition: over the table, which is named `t`.
    /// - Returns: the number of records.
    private func move(_ table: SQLTable, where condition: String, _ reason: String) throws -> Int {
        try session.moveRows(of: table, where: condition) {
            try file.add(table: table.name, id: $0, reason: reason, columns: $1)
        }
    }

    /// Sets aside the records that share the values of a unique index, except the one with the
    /// smallest id of each group.
    package func removeDuplicates(of index: TableIndex, _ table: SQLTable) throws {
        _ = try move(
            table, where: SQLMigratedRecords.isDuplicate(of: index, in: table, session.dialect),
            SQLMigratedRecords.reason(index, in: table))
    }

    /// Resolves references to records that are not there: optional ones become null, and records
    /// with a required one are set aside, and so on.
    ///
    /// - Parameters:
    ///   - tables: the tables of the schema.
    ///   - names: the tables with references to check.
    package func resolveReferences(
        among tables: [SQLTable], checking names: Set<String>
    ) throws {
        try SQLMigratedRecords.resolveReferences(among: tables, checking: names) {
            try resolve($0, of: $1)
        }
    }

    /// Resolves one reference of a table.
    ///
    /// - Returns: whether records were set aside.
    private func resolve(_ reference: SQLReference, of table: SQLTable) throws -> Bool {
        let condition = SQLMigratedRecords.isDangling(reference, session.dialect)
        if table.entity.layout.fields[reference.field].isOptional {
            try session.clear(reference, of: table, where: condition)
        }
        return try move(
            table, where: condition, SQLMigratedRecords.reason(reference, in: table)) > 0
    }
}
