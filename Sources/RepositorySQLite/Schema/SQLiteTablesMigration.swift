internal import CSQLite
internal import RepositoryRuntime
internal import StoredSchema

/// Carries out the functions that migrate several tables together.
///
/// The old tables get other names, under which the functions read them with their indexes. The
/// functions fill new tables, which have the declared names and no indexes yet. Then the old tables
/// are dropped and the indexes are created. Records go through one at a time.
///
/// It runs inside the transaction of the migration, with foreign keys disabled.
struct SQLiteTablesMigration {
    private let opening: SchemaOpening
    private let schema: StoreSchema
    /// The tables of the schema by name.
    private let tables: [String: SQLTable]
    private let connection: SQLiteConnection
    private let space: any MigrationSpace
    private let dialect = SQLiteDialect()

    /// Creates a migration.
    ///
    /// - Parameters:
    ///   - opening: the comparison with the stored description.
    ///   - schema: the declared schema.
    ///   - tables: the declared tables by name.
    ///   - connection: the connection.
    ///   - space: gets the places of records by their values.
    init(
        _ opening: SchemaOpening, _ schema: StoreSchema, _ tables: [String: SQLTable],
        _ connection: SQLiteConnection, _ space: any MigrationSpace
    ) {
        self.space = space
        self.opening = opening
        self.schema = schema
        self.tables = tables
        self.connection = connection
    }

    /// Returns the name that a replaced table has until it is dropped.
    static func aside(_ table: String) -> String { "repository_old_\(table)" }

    /// Gives the replaced tables other names. Foreign keys to them keep their names: those of the
    /// tables that the functions make.
    func setAside() throws {
        if opening.replacedTables.isEmpty { return }
        try connection.execute("PRAGMA legacy_alter_table = ON")
        // This cannot fail. If it did, later renaming would report the cause.
        defer { try? connection.execute("PRAGMA legacy_alter_table = OFF") }
        for name in opening.replacedTables {
            try connection.execute(
                "ALTER TABLE \(dialect.quoted(name)) RENAME TO \(dialect.quoted(Self.aside(name)))")
        }
    }

    /// Runs the functions, and drops the replaced tables.
    ///
    /// - Throws: `schemaMismatch` if a function throws or records are refused.
    func run() throws {
        if opening.tableFunctions.isEmpty { return }
        let produced = opening.producedTables.sorted().compactMap { tables[$0] }
        for table in produced {
            try connection.execute(SQLSchemaText(table, dialect).createTable())
        }
        try fill()
        for name in opening.replacedTables {
            try connection.execute("DROP TABLE \(dialect.quoted(Self.aside(name)))")
        }
        for table in produced {
            for index in table.entity.indexes {
                try SQLiteTableRebuild.create(index, table, connection, namesRecords: true)
            }
        }
    }

    /// Runs the functions. Their statements end here: a table in use cannot be dropped.
    private func fill() throws {
        let storage = SQLiteMigrationStorage(
            stored: StoreSchema("stored", try opening.stored.tables.map { try EntityTable($0) }),
            tables: tables, connection, space)
        var run = TablesMigrationRun(schema, storage)
        try run.run(opening.tableFunctions)
        try storage.dropStages()
    }
}

/// The tables of a database during the functions of a migration.
private final class SQLiteMigrationStorage: TablesMigrationRun.Storage {
    let name = "SQLite"
    /// The stored tables. The representations of columns can depend on the tables to which they
    /// refer.
    private let stored: StoreSchema
    private let tables: [String: SQLTable]
    private let connection: SQLiteConnection
    /// The tables of ``stage(_:)``.
    private var stages: [SQLiteMigrationStage] = []
    let space: any MigrationSpace

    init(
        stored: StoreSchema, tables: [String: SQLTable], _ connection: SQLiteConnection,
        _ space: any MigrationSpace
    ) {
        self.space = space
        self.stored = stored
        self.tables = tables
        self.connection = connection
    }

    func source(
        _ table: StoredTable, names: [[String]], missing: [Int: StoredValue]
    ) throws -> any MigrationSource {
        SQLiteMigrationSource(
            table, SQLTable(try EntityTable(table), in: stored),
            try StoredRowLayout(table), connection)
    }

    func stage(_ table: StoredTable) throws -> any MigrationStage {
        let stage = try SQLiteMigrationStage(table, number: stages.count, connection)
        stages.append(stage)
        return stage
    }

    /// Does nothing: every record is written at once.
    func finish(_ failures: inout MigrationFailures) {}

    /// Drops the tables that kept records between two functions.
    func dropStages() throws {
        for stage in stages { try stage.drop() }
    }

    func writer<E: Entity>(_ type: E.Type) throws -> (E) throws -> Void {
        guard let table = tables[E.Mapper.table.name] else { return { _ in } }
        let insert = try SQLiteStatement(
            SQLStatements(table, SQLiteDialect()).insert, on: connection.handle, isKept: false)
        return { [connection] entity in
            defer { insert.reset() }
            var binder = SQLiteBinder(record: insert, table, in: connection.memory)
            binder.start()
            do {
                try E.Mapper.encode(entity, to: &binder)
                while try insert.step() {}
            } catch let error as SQLiteError where error.primaryCode == SQLITE_CONSTRAINT {
                throw RecordMigrationFailure(SQLiteTableMigration.reason(error, table))
            }
        }
    }
}

/// A stored table that functions read while they run.
private final class SQLiteMigrationSource: MigrationSource {
    private let stored: StoredTable
    private let table: SQLTable
    private let layout: StoredRowLayout
    private let connection: SQLiteConnection
    private let dialect = SQLiteDialect()
    /// The fields that form the id.
    private let key: [Int]
    /// The statements that are not in use, by text. A loop inside another one needs its own.
    private var free: [String: [SQLiteStatement]] = [:]

    init(
        _ stored: StoredTable, _ table: SQLTable, _ layout: StoredRowLayout,
        _ connection: SQLiteConnection
    ) {
        self.stored = stored
        self.table = table
        self.layout = layout
        self.connection = connection
        key = table.entity.key
    }

    func scan() throws -> () throws -> (place: [StoredValue], values: [StoredValue])? {
        let next = try rows("", [])
        return { [key] in try next().map { values in (key.map { values[$0] }, values) } }
    }

    func values(at place: [StoredValue]) throws -> [StoredValue]? {
        try find(key, place)?()
    }

    func find(
        _ fields: [Int], _ values: [StoredValue]
    ) throws -> (() throws -> [StoredValue]?)? {
        var conditions: [String] = []
        var parameters: [SQLParameter] = []
        for (field, value) in zip(fields, values) {
            let columns = table.columns(ofField: field)
            let components = SQLiteValues.components(value, of: field, in: table)
            for (column, component) in zip(columns, components) {
                let name = dialect.quoted(table.columns[column].name)
                if component.value == .null {
                    conditions.append("\(name) IS NULL")
                } else {
                    conditions.append("\(name) = ?")
                    parameters.append(SQLParameter(component.value, component.form))
                }
            }
        }
        return try rows(" WHERE \(conditions.joined(separator: " AND "))", parameters)
    }

    /// Reads records.
    private func rows(
        _ condition: String, _ parameters: [SQLParameter]
    ) throws -> () throws -> [StoredValue]? {
        let columns = dialect.list(stored.fields.flatMap(\.columns))
        let name = dialect.quoted(SQLiteTablesMigration.aside(stored.name))
        let text = "SELECT \(columns) FROM \(name)\(condition)"
        let statement =
            try free[text]?.popLast()
            ?? SQLiteStatement(text, on: connection.handle, isKept: false)
        for (index, parameter) in parameters.enumerated() {
            try SQLiteValues.bind(parameter, to: statement, at: index + 1)
        }
        let cursor = SQLiteMigrationCursor(
            statement, SQLiteRow(record: statement, table), layout, stored.name
        ) { [weak self] statement in
            self?.free[text, default: []].append(statement)
        }
        return cursor.next
    }
}

/// The records that a statement selects. It gives the statement back when it is released.
private final class SQLiteMigrationCursor {
    private let statement: SQLiteStatement
    private var row: SQLiteRow
    private let layout: StoredRowLayout
    private let table: String
    private let giveBack: (SQLiteStatement) -> Void
    private var isAtEnd = false

    init(
        _ statement: SQLiteStatement, _ row: SQLiteRow, _ layout: StoredRowLayout, _ table: String,
        givingBack giveBack: @escaping (SQLiteStatement) -> Void
    ) {
        self.statement = statement
        self.row = row
        self.layout = layout
        self.table = table
        self.giveBack = giveBack
    }

    deinit {
        statement.reset()
        giveBack(statement)
    }

    /// Returns the next record; nil after the last one.
    func next() throws -> [StoredValue]? {
        if isAtEnd { return nil }
        guard try statement.step() else {
            isAtEnd = true
            return nil
        }
        do {
            return try layout.values(from: &row)
        } catch let error as RecordDecodingError {
            throw MigrationFailure(
                table: table, field: error.path, "cannot be read in a stored record")
        }
    }
}
