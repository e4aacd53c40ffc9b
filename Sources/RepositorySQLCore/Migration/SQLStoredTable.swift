package import RepositoryRuntime
package import StoredSchema

/// A stored table that a migration reads, under the name that it has in the database meanwhile.
package struct SQLStoredTable {
    /// A condition over the columns of a table, and its parameters.
    package typealias Condition = (text: String, parameters: [SQLParameter])
    /// Returns what returns one record after another: those that fulfil a condition, or all.
    package typealias Reader = (Condition?) throws -> () throws -> SQLStoredRecord?

    /// The description of the table.
    package let stored: StoredTable
    /// The representations of the columns.
    package let table: SQLTable
    /// The names of the columns in the database.
    package let columnNames: [String]
    /// The quoted name in the database.
    package let name: String
    /// The layout by which rows are read as plain values.
    package let layout: StoredRowLayout
    private let session: any SQLMigrationSession

    /// Describes a table.
    ///
    /// - Parameters:
    ///   - stored: the description of the table.
    ///   - tables: the descriptions of all stored tables. The representations of columns can depend
    ///     on the tables to which they refer.
    ///   - name: the name in the database; nil if it is the stored one.
    ///   - session: the connection.
    /// - Throws: `keyNotFound` if the table has encrypted fields and the store has no encryption.
    package init(
        _ stored: StoredTable, among tables: [StoredTable], named name: String? = nil,
        _ session: any SQLMigrationSession
    ) throws {
        self.stored = stored
        self.session = session
        let schema = StoreSchema("stored", try tables.map { try EntityTable($0) })
        table = try session.storedTable(try EntityTable(stored), in: schema)
        columnNames = stored.fields.flatMap(\.columns)
        layout = try StoredRowLayout(stored)
        self.name = session.dialect.quoted(name ?? stored.name)
    }

    /// The quoted columns, in the order of the table.
    package var columns: String { session.dialect.list(columnNames) }

    /// Returns what reads the records.
    ///
    /// - Parameter withKeys: whether readable records have their ``SQLStoredRecord/key``.
    func reader(withKeys: Bool) -> Reader { session.reader(of: self, withKeys: withKeys) }

    /// Returns the condition that the columns of the id have certain values.
    func isAt(_ key: [StoredValue]) -> Condition {
        condition(zip(table.key, key).map { ($0, $1) })
    }

    /// Returns the condition that fields have certain values.
    func isEqual(_ fields: [Int], _ values: [StoredValue]) -> Condition {
        condition(
            zip(fields, values).flatMap { field, value in
                Array(zip(table.columns(ofField: field), components(value, of: field)))
            })
    }

    /// Returns the values of the columns of a field.
    private func components(_ value: StoredValue, of field: Int) -> [StoredValue] {
        let columns = table.columns(ofField: field)
        if columns.count == 1 { return [value] }
        guard case .composite(let layout) = table.entity.layout.fields[field].type,
            case .object(let members) = value
        else { return columns.map { _ in .null } }
        return layout.fields.map { members[$0.name] ?? .null }
    }

    private func condition(_ columns: [(Int, StoredValue)]) -> Condition {
        let dialect = session.dialect
        var conditions: [String] = []
        var parameters: [SQLParameter] = []
        for (column, value) in columns {
            let name = dialect.quoted(columnNames[column])
            let form = table.columns[column].form
            if session.holds(value, form) {
                parameters.append(SQLParameter(value, form))
                conditions.append("\(name) = \(dialect.placeholder(parameters.count))")
            } else {
                conditions.append("\(name) IS NULL")
            }
        }
        return (conditions.joined(separator: " AND "), parameters)
    }
}

/// A record of a stored table.
package struct SQLStoredRecord {
    /// The values of its fields, or why they cannot be read.
    package let values: Result<[StoredValue], RecordDecodingError>
    /// The values of the columns of its id, as far as they can be read. Readable records have it if
    /// that was asked for.
    package let key: [StoredValue]

    /// Reads a record.
    ///
    /// - Parameters:
    ///   - hasKey: whether it has its ``key`` also if it is readable.
    ///   - values: reads the values of its fields.
    ///   - key: reads the values of the columns of its id, as far as it can.
    package init(
        hasKey: Bool, _ values: () throws -> [StoredValue], key: () -> [StoredValue]
    ) throws {
        do {
            self.values = .success(try values())
            self.key = hasKey ? key() : []
        } catch let error as RecordDecodingError {
            self.values = .failure(error)
            self.key = key()
        }
    }
}
