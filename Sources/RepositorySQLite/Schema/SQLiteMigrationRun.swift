internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// One migration of a database, inside its transaction: checks the disk space, copies the database
/// if the program asked for it, applies the plan, and writes the file of the records set aside.
final class SQLiteMigrationRun {
    private let plan: SQLiteSchemaPlan
    private let schema: StoreSchema
    private let tables: [SQLTable]
    private let connection: SQLiteConnection
    private let reporter: MigrationReporter
    private let setAside: SQLiteSetAside?
    private var mark: SQLiteMigrationMark?

    /// Prepares a migration. The connection holds the write lock.
    ///
    /// - Throws: `storageFull`; an error if the database cannot be copied, or if there is a file
    ///   with the name for the records set aside.
    init(
        _ plan: SQLiteSchemaPlan, _ schema: StoreSchema, _ tables: [SQLTable],
        _ connection: SQLiteConnection, _ location: SQLiteLocation
    ) throws {
        self.plan = plan
        self.schema = schema
        self.tables = tables
        self.connection = connection
        let control = schema.control
        if plan.isLong { mark = SQLiteMigrationMark(connection) }
        let size = SQLiteMigrationSize(plan, connection)
        try size.requireSpace(for: control)
        let lockWait = connection.lockWait
        let isObserved = control.progress != nil
        let read = isObserved ? try size.readRecords() : [:]
        let rewritten = isObserved ? try size.rewrittenRecords() : 0
        reporter = MigrationReporter(
            control.progress, total: rewritten + read.values.reduce(0, +), read: read,
            isCancelled: { lockWait.isCancelled() })
        let before = try SQLiteSchemaTable.description(connection)
        if case .setAside(let url) = control.unreadable, before != nil {
            setAside = SQLiteSetAside(
                try SetAsideFile(
                    url, set: schema.name, plan.opening.plan(of: "SQLite"),
                    revision: before?.revision ?? 0))
        } else {
            setAside = nil
        }
        if let backup = control.backup,
            plan.opening.plan(of: "SQLite").from != .none || !plan.takenOver.isEmpty
        {
            try SQLiteBackup(location, to: backup).run { try reporter.check() }
        }
    }

    /// Applies the plan.
    func migrate() throws {
        try SQLiteSchemaUpgrade(plan, schema, tables, connection, reporter, setAside).run()
    }

    /// Gives the file of the records set aside its name. Called before the commit.
    ///
    /// - Throws: `CancellationError`.
    func prepareCommit() throws {
        try reporter.check()
        try setAside?.file.publish()
    }

    /// Keeps the file of the records set aside.
    func committed() { setAside?.file.keep() }

    /// Removes the mark and, unless the migration was committed, the file.
    func end() {
        setAside?.file.discard()
        mark?.remove()
    }
}

extension SQLiteSchemaPlan {
    /// Whether the migration may take long: it reads or rewrites records.
    var isLong: Bool { !refusedChanges.isEmpty }
}

/// The records and bytes that a migration rewrites.
struct SQLiteMigrationSize {
    private let plan: SQLiteSchemaPlan
    private let connection: SQLiteConnection

    init(_ plan: SQLiteSchemaPlan, _ connection: SQLiteConnection) {
        self.plan = plan
        self.connection = connection
    }

    /// The tables with stored records that are rewritten: the declared and the stored names.
    private var rewritten: [(name: String, stored: String)] {
        let new = Set(
            plan.steps.compactMap { step in
                if case .createTable(let name) = step { name } else { nil }
            })
        return plan.rebuilt.subtracting(new).sorted().map { ($0, plan.storedName(of: $0)) }
    }

    /// Returns the number of records that are rewritten.
    func rewrittenRecords() throws -> Int {
        try rewritten.reduce(0) { try $0 + count($1.stored) }
    }

    /// Returns the numbers of records in the tables that functions over several tables read, by
    /// stored name.
    func readRecords() throws -> [String: Int] {
        try plan.opening.readTables.reduce(into: [:]) { $0[$1] = try count($1) }
    }

    /// Returns the tables that are rewritten or that functions over several tables read, by name.
    func tables() throws -> [MigrationPlan.Table] {
        let read = plan.opening.readTables.map { (name: $0, stored: $0) }
        return try (rewritten + read).sorted { $0.name < $1.name }.map { table in
            MigrationPlan.Table(
                name: table.name, records: try count(table.stored), bytes: try bytes(table.stored))
        }
    }

    /// Returns the number of bytes that rewriting tables needs: SQLite writes their pages to the
    /// write-ahead log first, and then to the database.
    static func needed(for tables: [MigrationPlan.Table]) -> Int {
        tables.isEmpty ? 0 : 2 * tables.reduce(0) { $0 + $1.bytes } + 1 << 16
    }

    /// Checks that the volumes of the database and of its copy have space.
    ///
    /// - Throws: `storageFull`.
    func requireSpace(for control: MigrationControl) throws {
        guard let path = connection.path else { return }
        let whole = try databaseBytes()
        var copy = 0
        if let backup = control.backup {
            try control.requireSpace(for: whole, at: backup.path, store: "SQLite")
            copy = whole
        }
        guard plan.isLong, let free = control.freeBytes(path) else { return }
        // Measuring the tables takes time, and they cannot be larger than the database.
        if free >= 2 * whole + 1 << 16 + copy { return }
        let needed = Self.needed(for: try tables())
        try control.requireSpace(for: needed + copy, at: path, store: "SQLite")
    }

    private func databaseBytes() throws -> Int {
        try Int(integer("PRAGMA page_count") * integer("PRAGMA page_size"))
    }

    private func count(_ table: String) throws -> Int {
        Int(try integer("SELECT count(*) FROM \(SQLiteDialect().quoted(table))"))
    }

    /// Returns the size of a table and its indexes. Without SQLite's table of pages, which is an
    /// option when SQLite is compiled, it is the size of the database.
    private func bytes(_ table: String) throws -> Int {
        let names = try [table] + SQLiteCatalog.indexes(of: table, connection)
        do {
            return try names.reduce(0) { sum, name in
                let statement = try SQLiteStatement(
                    "SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE AND name = ?1",
                    on: connection.handle, isKept: false)
                try statement.bind(name, at: 1)
                return sum + (try statement.step() ? Int(statement.integer(at: 0)) : 0)
            }
        } catch let error as SQLiteError where error.message.hasPrefix("no such table: dbstat") {
            return try databaseBytes()
        }
    }

    private func integer(_ text: String) throws -> Int64 {
        let statement = try SQLiteStatement(text, on: connection.handle, isKept: false)
        return try statement.step() ? statement.integer(at: 0) : 0
    }
}
