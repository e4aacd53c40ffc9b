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
    private let openSets: Set<String>

    /// - Parameter openSets: the names of the sets that the store has open.
    init(
        _ schema: StoreSchema, _ tables: [SQLTable], _ connection: SQLiteConnection,
        _ location: SQLiteLocation, openSets: Set<String>
    ) {
        self.schema = schema
        self.openSets = openSets
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
                try SQLiteSchemaTable.write(plan.description, connection)
            }
            try indexes.complete()
        }
    }

    private func plan() throws -> SQLiteSchemaPlan {
        try SQLiteSchemaPlan(schema, tables, connection, openSets: openSets)
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
