internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// A stored table that functions over several tables read while they run.
///
/// A record that is set aside is deleted from it, so that no later reading finds it.
final class SQLiteMigrationSource: MigrationSource {
    private let stored: StoredTable
    private let table: SQLTable
    private let layout: StoredRowLayout
    private let connection: SQLiteConnection
    private let setAside: SQLiteSetAside?
    private let dialect = SQLiteDialect()
    /// The fields that form the id.
    private let key: [Int]
    /// The statements that are not in use, by text. A loop inside another one needs its own.
    private var free: [String: [SQLiteStatement]] = [:]

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - stored: the description of the table.
    ///   - schema: the stored description of all tables. The representations of columns can depend
    ///     on the tables to which they refer.
    ///   - connection: the connection.
    ///   - setAside: receives records that cannot be read; `nil` if they are an error.
    init(
        _ stored: StoredTable, in schema: StoreSchema, _ connection: SQLiteConnection,
        _ setAside: SQLiteSetAside?
    ) throws {
        self.stored = stored
        self.connection = connection
        self.setAside = setAside
        table = SQLTable(
            try EntityTable(stored), in: schema, encryption: connection.encryption)
        try connection.addNotes(to: table)
        layout = try StoredRowLayout(stored)
        key = table.entity.key
    }

    func scan() throws -> () throws -> MigrationSourceRecord? { try rows("", []) }

    func values(at place: [StoredValue]) throws -> [StoredValue]? {
        try find(key, place)?()?.values
    }

    func find(
        _ fields: [Int], _ values: [StoredValue]
    ) throws -> (() throws -> MigrationSourceRecord?)? {
        let (condition, parameters) = condition(fields, values)
        return try rows(" WHERE \(condition)", parameters)
    }

    func setAside(_ place: [StoredValue], _ reason: String) throws -> Bool {
        guard let setAside else { return false }
        let (condition, parameters) = condition(key, place)
        let names = stored.fields.flatMap(\.columns)
        let select = try SQLiteStatement(
            "SELECT \(dialect.list(names)) FROM \(name) WHERE \(condition)",
            on: connection.handle, isKept: false)
        for (index, parameter) in parameters.enumerated() {
            try SQLiteValues.bind(parameter, to: select, at: index + 1)
        }
        guard try select.step() else { return true }
        try move(select, to: setAside, reason)
        return true
    }

    /// The name of the table in statements.
    private var name: String { dialect.quoted(SQLiteTablesMigration.aside(stored.name)) }

    /// Returns the condition that fields have certain values.
    private func condition(
        _ fields: [Int], _ values: [StoredValue]
    ) -> (text: String, parameters: [SQLParameter]) {
        let names = stored.fields.flatMap(\.columns)
        var conditions: [String] = []
        var parameters: [SQLParameter] = []
        for (field, value) in zip(fields, values) {
            let columns = table.columns(ofField: field)
            let components = SQLiteValues.components(value, of: field, in: table)
            for (column, component) in zip(columns, components) {
                let name = dialect.quoted(names[column])
                if component.value == .null {
                    conditions.append("\(name) IS NULL")
                } else {
                    conditions.append("\(name) = ?")
                    parameters.append(SQLParameter(component.value, component.form))
                }
            }
        }
        return (conditions.joined(separator: " AND "), parameters)
    }

    /// Reads records.
    private func rows(
        _ condition: String, _ parameters: [SQLParameter]
    ) throws -> () throws -> MigrationSourceRecord? {
        let columns = dialect.list(stored.fields.flatMap(\.columns))
        let text = "SELECT \(columns) FROM \(name)\(condition)"
        let statement =
            try free[text]?.popLast()
            ?? SQLiteStatement(text, on: connection.handle, isKept: false)
        for (index, parameter) in parameters.enumerated() {
            try SQLiteValues.bind(parameter, to: statement, at: index + 1)
        }
        let cursor = SQLiteMigrationCursor(
            statement, SQLiteRow(record: statement, table), layout, table, connection
        ) {
            [weak self] statement in
            self?.free[text, default: []].append(statement)
        }
        return { [self] in
            while let record = try cursor.next() {
                switch record {
                case .success(let values): return (key.map { values[$0] }, values)
                case .failure(let error): try refuse(statement, error)
                }
            }
            return nil
        }
    }

    /// Sets the record of a statement aside, which cannot be read.
    ///
    /// - Throws: ``MigrationRecordFailure`` if the migration sets no records aside.
    private func refuse(_ statement: SQLiteStatement, _ error: RecordDecodingError) throws {
        guard let setAside else {
            throw MigrationRecordFailure(
                unreadable: stored.name, error.path, id: SQLiteSetAside.id(statement, of: stored))
        }
        try move(
            statement, to: setAside, MigrationRecordFailure.unreadable(stored.name, error.path))
    }

    /// Sets the record of a statement aside and deletes it.
    private func move(
        _ statement: SQLiteStatement, to setAside: SQLiteSetAside, _ reason: String
    ) throws {
        let columns = stored.fields.flatMap(\.columns)
        try setAside.add(statement, columns: columns, table: stored, reason)
        let keys = stored.key.flatMap { stored.field($0)?.columns ?? [] }
        let condition = keys.map { "\(dialect.quoted($0)) IS ?" }.joined(separator: " AND ")
        let delete = try SQLiteStatement(
            "DELETE FROM \(name) WHERE \(condition)", on: connection.handle, isKept: false)
        for (number, key) in keys.enumerated() {
            guard let column = columns.firstIndex(of: key) else { continue }
            try delete.bind(columnOf: statement, at: column, to: number + 1)
        }
        try delete.run()
    }
}

extension SQLiteStatement {
    /// Binds a value of the current row of another statement to a parameter, as it is. Columns are
    /// numbered from 0, parameters from 1.
    fileprivate func bind(columnOf other: SQLiteStatement, at column: Int, to number: Int) throws {
        let value = sqlite3_column_value(other.handle, Int32(truncatingIfNeeded: column))
        guard sqlite3_bind_value(handle, Int32(truncatingIfNeeded: number), value) == SQLITE_OK
        else { throw failure() }
    }
}

/// The records that a statement selects. It gives the statement back when it is released.
private final class SQLiteMigrationCursor {
    private let statement: SQLiteStatement
    private var row: SQLiteRow
    private let layout: StoredRowLayout
    private let table: SQLTable
    private let connection: SQLiteConnection
    private let giveBack: (SQLiteStatement) -> Void
    private var isAtEnd = false

    init(
        _ statement: SQLiteStatement, _ row: SQLiteRow, _ layout: StoredRowLayout,
        _ table: SQLTable, _ connection: SQLiteConnection,
        givingBack giveBack: @escaping (SQLiteStatement) -> Void
    ) {
        self.statement = statement
        self.row = row
        self.layout = layout
        self.table = table
        self.connection = connection
        self.giveBack = giveBack
    }

    deinit {
        statement.reset()
        giveBack(statement)
    }

    /// Returns the next record, or why it cannot be read; nil after the last one.
    func next() throws -> Result<[StoredValue], RecordDecodingError>? {
        if isAtEnd { return nil }
        guard try statement.step() else {
            isAtEnd = true
            return nil
        }
        do {
            return .success(try layout.values(from: &row, of: table, connection))
        } catch let error as RecordDecodingError {
            return .failure(error)
        }
    }
}
