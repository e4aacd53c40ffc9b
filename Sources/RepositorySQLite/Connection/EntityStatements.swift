internal import RepositoryRuntime
internal import RepositorySQLCore
internal import Synchronization

/// The metadata of an entity's table that does not depend on a connection.
///
/// A store computes it once per table, when it opens a schema. All connections share it.
final class EntityPlan: Sendable {
    /// The table.
    let table: SQLTable
    /// The SQL of the table's statements.
    let texts: SQLStatements
    /// The columns with case-folded text, and the table for statements that do not use those
    /// columns; `nil` if the table has none.
    let folding: (columns: SQLiteFolding, computed: SQLTable)?
    /// The tables whose records may be deleted or changed by deleting a record of this table,
    /// because of `cascade` and `setNull` references. Sorted by name.
    let reached: [String]
    /// Whether the table has references to other records, or is the target of references.
    let hasReferences: Bool

    /// Computes the plan of a table.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - dialect: the dialect of the statements.
    ///   - tables: all tables of the schema, whose references to the table are considered.
    init(_ table: SQLTable, _ dialect: SQLiteDialect, among tables: [SQLTable] = []) {
        self.table = table
        reached = table.reached(among: tables)
        hasReferences =
            !table.references.isEmpty
            || tables.contains { $0.references.contains { $0.table == table.name } }
        texts = SQLStatements(table, dialect)
        folding = SQLiteFolding(table).flatMap { columns in
            table.withoutFoldedColumns().map { (columns, $0) }
        }
    }
}

/// The plans of all tables in the schemas that a store was opened with. Any thread may use it.
final class EntityPlans: Sendable {
    /// The plans by the names of the tables, as declared.
    private let plans = Mutex<[String: EntityPlan]>([:])

    /// Adds the plans of a schema's tables, replacing existing plans of the same names.
    func add(_ tables: [SQLTable]) {
        plans.withLock { plans in
            for table in tables {
                plans[table.name] = EntityPlan(table, SQLiteDialect(), among: tables)
            }
        }
    }

    /// Returns the plan of a table.
    ///
    /// - Throws: `databaseError` if the store was not opened with a schema that contains the table.
    func plan(_ table: String) throws -> EntityPlan {
        guard let plan = plans.withLock({ $0[table] }) else {
            throw CRUDRepositoryError(
                .databaseError, "The store was not opened with a schema that has '\(table)'.",
                table: table)
        }
        return plan
    }

    /// Returns the declared name of a table of the database. SQLite ignores the case of ASCII
    /// letters in names.
    ///
    /// - Returns: `table` if no declared table has that name.
    func declaredName(of table: String) -> String {
        let declared = plans.withLock { plans in
            plans[table] == nil
                ? plans.keys.first { SQLiteCatalog.isSameName($0, table) } : table
        }
        return declared ?? table
    }

    /// All plans, in no particular order.
    var all: [EntityPlan] { plans.withLock { Array($0.values) } }
}

/// The prepared statements of one entity on one connection.
///
/// The two most frequent statements are stored in properties, which avoids a lookup in the
/// statement cache. Only one thread at a time may use it, as with its connection.
final class EntityStatements {
    /// The metadata of the table.
    let plan: EntityPlan
    // Unowned, because the connection owns these statements.
    private unowned let connection: SQLiteConnection
    /// The connection's buffer for the strings of one statement.
    let memory: SQLiteTextMemory
    /// The statement of ``selecting()``, once it was prepared.
    private var select: SQLiteStatement?
    /// The statement of ``inserting()``, once it was prepared.
    private var insert: SQLiteStatement?

    /// The table. Reads of records with folded text use the table of ``reading(_:)`` instead.
    var table: SQLTable { plan.table }

    init(_ plan: EntityPlan, _ connection: SQLiteConnection) {
        self.plan = plan
        self.connection = connection
        memory = connection.memory
    }

    /// Returns the statement that selects a record by its id.
    @inline(__always)
    func selecting() throws -> SQLiteStatement {
        if let select { return select }
        let statement = try connection.statement(plan.texts.select)
        select = statement
        return statement
    }

    /// Returns the statement that inserts a record.
    @inline(__always)
    func inserting() throws -> SQLiteStatement {
        if let insert { return insert }
        let statement = try connection.statement(plan.texts.insert)
        insert = statement
        return statement
    }

    /// Runs a read with the table that its statements must use.
    ///
    /// If a row lacks its folded text, the statements compute folded text instead of using the
    /// folded columns. The check and the read use one transaction, so that both see the same state
    /// of the database.
    ///
    /// - Parameter body: the read. It receives ``table``, or the table without folded columns.
    func reading<R>(_ body: (SQLTable) throws -> R) throws -> R {
        guard let folding = plan.folding else { return try body(table) }
        let begins = !connection.isInTransaction
        if begins { try connection.statement("BEGIN").run() }
        // A rollback cannot fail if nothing was written.
        defer { if begins { try? connection.statement("ROLLBACK").run() } }
        return try body(
            connection.hasUnfilled(folding.columns) ? folding.computed : table)
    }

    /// Returns the cached statement of a text, ready to be bound.
    func statement(_ text: String) throws -> SQLiteStatement {
        try connection.statement(text)
    }

    /// Returns the cached statement of a query, with its parameters bound.
    func statement(_ query: SQLQuery) throws -> SQLiteStatement {
        try connection.statement(query)
    }

    /// Prepares a statement that is used once and not cached.
    func unkept(_ text: String) throws -> SQLiteStatement {
        try SQLiteStatement(text, on: connection.handle, isKept: false)
    }
}
