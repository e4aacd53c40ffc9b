internal import CSQLite
internal import Foundation
internal import RepositoryRuntime

/// Makes a database fit a schema, on the writing connection, outside of a transaction.
///
/// It looks first, and only then writes: a database that does not fit is left as it was found, byte
/// for byte. What it changes it changes in one transaction, in which it looks again: another
/// process may have been faster.
struct SQLiteSchemaOpening {
    private let schema: StoreSchema
    private let tables: [SQLTable]
    private let connection: SQLiteConnection
    private let location: SQLiteLocation

    init(
        _ schema: StoreSchema, _ tables: [SQLTable], _ connection: SQLiteConnection,
        _ location: SQLiteLocation
    ) {
        self.schema = schema
        self.tables = tables
        self.connection = connection
        self.location = location
    }

    /// Returns whether a read can wait for a writer.
    func run() throws -> Bool {
        let managed = tables.filter(\.entity.isManaged)
        let indexes = SQLiteReferenceIndexes(managed, connection)
        let isDone = try transaction("BEGIN") { try plan().isDone && indexes.areComplete() }
        // How a database keeps its journal is a property of the file, and where a table is somebody
        // else's the file is, too.
        if managed.count == tables.count { try connection.enableWriteAheadLog(location) }
        try update(isDone, indexes)
        return try !location.isInMemory && SQLiteCatalog.journalMode(connection) != "wal"
    }

    private func update(_ isDone: Bool, _ indexes: SQLiteReferenceIndexes) throws {
        guard !isDone else { return }
        // A table that is made anew is dropped in between, which must not look like the deletion of
        // its records. The setting is not heard inside a transaction.
        try connection.execute("PRAGMA foreign_keys = OFF")
        defer { restoreForeignKeys() }
        try transaction("BEGIN IMMEDIATE") {
            let plan = try plan()
            if !plan.isDone {
                try SQLiteSchemaUpgrade(plan, schema, tables, connection).run()
                try write(StoredSchema(schema, after: plan.stored, form: .columns))
            }
            try indexes.complete()
        }
    }

    private func plan() throws -> SQLiteSchemaPlan {
        try SQLiteSchemaPlan(schema, tables, connection)
    }

    private func write(_ description: StoredSchema) throws {
        try connection.execute(SQLiteSchemaTable.create)
        let statement = try connection.statement(SQLiteSchemaTable.write)
        try statement.bind(schema.name, at: 1)
        try statement.bind(String(decoding: try description.json(), as: UTF8.self), at: 2)
        try statement.run()
    }

    private func transaction<R>(_ begin: String, _ body: () throws -> R) throws -> R {
        try connection.execute(begin)
        do {
            let result = try body()
            try connection.commit()
            return result
        } catch {
            // The first error is the one to report.
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    private func restoreForeignKeys() {
        // Cannot fail outside of a transaction; were it to, the next statement on the connection
        // would say why.
        try? connection.execute("PRAGMA foreign_keys = ON")
    }
}

/// The table in which a database keeps the description of each schema that wrote it.
enum SQLiteSchemaTable {
    static let name = "repository_schema"
    static let create = """
        CREATE TABLE IF NOT EXISTS "repository_schema" (
            "name" TEXT NOT NULL,
            "description" TEXT NOT NULL,
            PRIMARY KEY ("name")
        ) STRICT, WITHOUT ROWID
        """
    static let write =
        "INSERT INTO \"repository_schema\" VALUES (?1, ?2) ON CONFLICT DO UPDATE SET \"description\" = ?2"
    static let read = "SELECT \"name\", \"description\" FROM \"repository_schema\""
    static let delete = "DELETE FROM \"repository_schema\" WHERE \"name\" = ?1"

    /// The descriptions in a database, by the name of the set.
    static func descriptions(_ connection: SQLiteConnection) throws -> [StoredSchema] {
        guard try SQLiteCatalog.tables(connection).contains(name) else { return [] }
        let statement = try SQLiteStatement(read, on: connection.handle, isKept: false)
        var descriptions: [StoredSchema] = []
        while try statement.step() {
            let json = Data((statement.text(at: 1) ?? "").utf8)
            descriptions.append(try StoredSchema(json: json, store: "SQLite"))
        }
        return descriptions
    }
}

/// Drops everything of a schema.
struct SQLiteSchemaReset {
    private let schema: StoreSchema
    private let connection: SQLiteConnection

    init(_ schema: StoreSchema, _ connection: SQLiteConnection) {
        self.schema = schema
        self.connection = connection
    }

    func run() throws {
        // Tables that refer to each other go together: nothing is left that could refer to nothing.
        try connection.execute("PRAGMA foreign_keys = OFF")
        defer {
            // Cannot fail outside of a transaction; were it to, the next statement on the
            // connection would say why.
            try? connection.execute("PRAGMA foreign_keys = ON")
        }
        try connection.execute("BEGIN IMMEDIATE")
        do {
            for table in schema.tables {
                try connection.execute(
                    "DROP TABLE IF EXISTS \(SQLiteDialect().quoted(table.name))")
            }
            if try SQLiteCatalog.tables(connection).contains(SQLiteSchemaTable.name) {
                let statement = try SQLiteStatement(
                    SQLiteSchemaTable.delete, on: connection.handle, isKept: false)
                try statement.bind(schema.name, at: 1)
                try statement.run()
            }
            if try SQLiteSchemaTable.descriptions(connection).isEmpty {
                try connection.execute("DROP TABLE IF EXISTS \"\(SQLiteSchemaTable.name)\"")
            }
            try connection.commit()
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }
}
