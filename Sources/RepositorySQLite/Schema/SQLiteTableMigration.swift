internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Converts the records of a table by the changes of versions: creates a new table, copies the
/// records into it, and renames it.
///
/// If SQL can express the changes, one statement copies all records. Otherwise each record is read,
/// converted by the program and written, in constant memory. The indexes are created at the end.
///
/// It runs inside the transaction of the migration, with foreign keys disabled.
struct SQLiteTableMigration {
    private let migration: TableMigration
    private let table: SQLTable
    private let schema: StoreSchema
    private let stored: SchemaDescription
    private let ids: IDMigration?
    private let connection: SQLiteConnection
    private let unmanaged: SQLiteUnmanagedParts
    private let reporter: MigrationReporter
    private let setAside: SQLiteSetAside?
    private let dialect = SQLiteDialect()

    /// Creates a migration.
    ///
    /// - Parameters:
    ///   - migration: the changes.
    ///   - table: the declared table.
    ///   - schema: the declared schema.
    ///   - stored: the stored description of all tables of the schema.
    ///   - ids: the new ids of records; nil if no ids change.
    ///   - connection: the connection.
    ///   - unmanaged: keeps what other programs made on the table.
    ///   - reporter: counts the records.
    ///   - setAside: receives the records that cannot be migrated; `nil` if they are an error.
    init(
        _ migration: TableMigration, _ table: SQLTable, _ schema: StoreSchema,
        stored: SchemaDescription, _ ids: IDMigration?, _ connection: SQLiteConnection,
        _ unmanaged: SQLiteUnmanagedParts, _ reporter: MigrationReporter,
        _ setAside: SQLiteSetAside?
    ) {
        self.unmanaged = unmanaged
        self.reporter = reporter
        self.setAside = setAside
        self.migration = migration
        self.table = table
        self.schema = schema
        self.stored = stored
        self.ids = ids
        self.connection = connection
    }

    /// Converts the records. The stored table already has its declared name.
    ///
    /// - Returns: whether the program converted each record, and may have dropped some.
    /// - Throws: `schemaMismatch` if records cannot be converted; `unsupported` if the schema does
    ///   not name its entities.
    func run() throws -> Bool {
        if let sources = SQLColumnSources(migration, table, schema, dialect) {
            try sources.requireValidFills(table, in: "SQLite")
            let rebuild = SQLiteTableRebuild(
                table, connection, sources: sources.expressions, unmanaged, reporter, setAside)
            guard setAside != nil else {
                try rebuild.run()
                return false
            }
            do {
                try connection.inSavepoint("repository_rebuild") { try rebuild.run() }
                return false
            } catch let error as SQLiteError where error.primaryCode == SQLITE_CONSTRAINT {
                // A record violates a constraint. Converting each record finds out which.
            }
        }
        let entity = zip(schema.tables, schema.entities).first { $0.0.name == table.name }?.1
        guard let entity else {
            throw CRUDRepositoryError.unsupported(
                "converting the records of '\(table.name)' for a schema that does not name its entities",
                by: "SQLite")
        }
        try convert(entity)
        return true
    }

    /// Copies the records through the program.
    private func convert<E: Entity>(_ type: E.Type) throws {
        let text = SQLSchemaText(table, dialect)
        let new = "repository_rebuild_\(table.name)"
        let broken = try brokenChecks(migration.program.rewrittenFields)
        try connection.execute(
            text.createTable(
                as: new, where: { !broken.columns.contains($0.name) },
                keeping: { !broken.checks.contains($0.name) }))
        let added = try unmanaged.addColumns(of: table.name, to: new)
        try copy(type, into: new)
        try unmanaged.copy(added, by: migration, table, to: new)
        try unmanaged.replace(table.name, by: new)
        for index in table.entity.indexes {
            try SQLiteTableRebuild.create(index, table, connection, setAside, namesRecords: true)
        }
    }

    /// Reads, converts and writes each record.
    private func copy<E: Entity>(_ type: E.Type, into new: String) throws {
        let insert = try SQLiteStatement(
            SQLStatements(table, dialect, in: new).insert, on: connection.handle, isKept: false)
        var binder = SQLiteBinder(record: insert, table, in: connection.memory)
        let run = try RecordConversionRun(
            migration, type, ids, reporter, settingAside: setAside != nil)
        let reader = SQLiteStoredRecords(stored, renamed: table.name, connection, setAside)
        try run.run(reader, store: "SQLite") { entity, _ in
            defer { insert.reset() }
            binder.start()
            do {
                try binder.encode(entity)
                while try insert.step() {}
            } catch let error as SQLiteError where error.primaryCode == SQLITE_CONSTRAINT {
                throw RecordMigrationFailure(Self.reason(error, table))
            }
        }
    }

    /// Returns the reason why the database refuses a converted record.
    static func reason(_ error: SQLiteError, _ table: SQLTable) -> String {
        let violation = SQLiteViolation(table: table, id: nil).error(error)
        if violation.code == .recordAlreadyExists || violation.constraint == nil,
            error.message.hasPrefix("UNIQUE")
        {
            return "records of '\(table.name)' get the same id"
        }
        return "the database refuses a converted record of '\(table.name)'"
    }

    /// Returns the constraints that stored records violate and that are therefore left out. Only
    /// those over fields that no change rewrote are tested: the others are enforced.
    private func brokenChecks(
        _ rewritten: Set<String>
    ) throws -> (columns: Set<String>, checks: Set<String>) {
        let text = SQLSchemaText(table, dialect)
        var expressions: [String: String] = [:]
        for (index, field) in table.entity.layout.fields.enumerated()
        where !rewritten.contains(field.name) {
            let columns = table.columns(ofField: index).map { table.columns[$0].name }
            guard let stored = migration.storedColumns(ofField: index),
                stored.count == columns.count
            else { continue }
            for (column, name) in zip(columns, stored) {
                expressions[column] = dialect.quoted(name)
            }
        }
        if expressions.isEmpty { return ([], []) }
        let list = expressions.sorted { $0.key < $1.key }
            .map { "\($0.value) AS \(dialect.quoted($0.key))" }.joined(separator: ", ")
        let rows = "(SELECT \(list) FROM \(dialect.quoted(table.name)))"
        func isBroken(_ condition: String) throws -> Bool {
            try SQLiteCatalog.hasRow(
                "SELECT 1 FROM \(rows) WHERE NOT (\(condition)) LIMIT 1", connection)
        }
        let columns = try table.columns.filter { column in
            guard expressions[column.name] != nil, let check = text.check(of: column) else {
                return false
            }
            return try isBroken(check)
        }
        let checks = try table.entity.checks.filter { check in
            let columns = check.condition.fields.flatMap { table.columns(ofField: $0) }
            guard columns.allSatisfy({ expressions[table.columns[$0].name] != nil }),
                let condition = text.condition(of: check)
            else { return false }
            return try isBroken(condition)
        }
        return (Set(columns.map(\.name)), Set(checks.map(\.name)))
    }
}

extension SQLMigratedRecords {
    /// Finds records in a table of SQLite.
    init(_ table: SQLTable, _ connection: SQLiteConnection) {
        self.init(table, SQLiteDialect()) { try connection.texts($0) }
    }
}
