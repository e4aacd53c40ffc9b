internal import Foundation
public import RepositoryRuntime
internal import Synchronization

/// Entities in a SQLite database: a table for each, with a typed column for each field.
///
/// ```swift
/// let library = Library(SQLiteStore(path: "library.sqlite"))
/// ```
///
/// A write that returned is on disk. Writes that arrive together share a commit. Reads wait for no
/// writer, neither of this process nor of another. The file can be read, and with care written, by
/// any other program that speaks SQLite.
///
/// Errors are `CRUDRepositoryError`, with ``SQLiteError`` beneath. The connections are closed when
/// the last reference to the store goes.
public final class SQLiteStore: EntityStore {
    /// `SQLite`.
    public let name = "SQLite"
    /// All of them; a database in memory does not last.
    public let capabilities: StoreCapabilities

    /// Who observes the store.
    public let changes = StoreChanges()
    let database: SQLiteDatabase
    let plans = EntityPlans()
    let opened = Mutex<[StoreSchema]>([])

    /// Makes a store over a database file, which is made when it is first used and is not there.
    ///
    /// - Parameters:
    ///   - path: the file; a relative path is one from the working directory. Its folder must be there.
    ///   - busyTimeout: how long a write waits for another process that writes, before it throws an error that can be
    ///     retried.
    public convenience init(path: String, busyTimeout: Duration = .seconds(10)) {
        self.init(.file(path, busyTimeout: busyTimeout))
    }

    /// Makes a store whose database lives in memory, and as long as the store does: for tests and
    /// previews.
    public static func inMemory() -> SQLiteStore {
        SQLiteStore(.inMemory())
    }

    private init(_ location: SQLiteLocation) {
        database = SQLiteDatabase(location)
        var support: [StoreCapability: StoreSupport] = [
            .queries: .native,
            .records: .native, .listing: .native, .batches: .native, .atomicBatches: .native,
            .finders: .native, .versions: .native, .uniqueIndexes: .native, .references: .native,
            .reset: .native, .fractionalSeconds: .native, .controlCharacters: .native,
        ]
        if !location.isInMemory {
            support[.persistent] = .native
            support[.durable] = .native
            support[.multipleProcesses] = .native
        }
        capabilities = StoreCapabilities(support)
    }

    /// Makes the database ready for a schema: see `EntityStore`.
    ///
    /// A table that is there already and was not made by this package is taken over if it has the
    /// declared columns.
    /// - Throws: `schemaMismatch` with every difference, having written nothing; `databaseError`,
    ///   also for a file that
    ///   is no database.
    public func open(_ schema: StoreSchema) async throws {
        if opened.withLock({ $0.contains(schema) }) { return }
        let tables = schema.tables.map { SQLTable($0, in: schema) }
        let location = database.location
        try await SQLiteErrors.mapped {
            try await database.write(.bare) { connection in
                try SQLiteSchemaOpening(schema, tables, connection, location).run()
            }
        }
        plans.add(tables)
        opened.withLock { if !$0.contains(schema) { $0.append(schema) } }
    }

    /// Drops the tables of the schemas that the store was opened with; other tables of the file
    /// stay.
    public func reset() async throws {
        let schemas = opened.withLock { schemas in
            defer { schemas = [] }
            return schemas
        }
        try await SQLiteErrors.mapped {
            try await database.write(.bare) { connection in
                for schema in schemas { try SQLiteSchemaReset(schema, connection).run() }
            }
        }
    }
}
