internal import RepositoryRuntime
internal import Synchronization

/// What is known of an entity's table before any connection is opened.
final class EntityPlan: Sendable {
    let table: SQLTable
    let texts: SQLStatements
    /// The columns of folded text, and the table for statements that do not use them; nil where it
    /// has none.
    let folding: (columns: SQLiteFolding, computed: SQLTable)?
    /// The tables whose records the deletion of one of this table may delete or change.
    let reached: [String]
    /// Whether records of the table refer to others, or others to them.
    let hasReferences: Bool

    init(_ table: SQLTable, _ dialect: SQLiteDialect, among tables: [SQLTable] = []) {
        self.table = table
        reached = Self.reached(from: table, tables)
        hasReferences =
            !table.references.isEmpty
            || tables.contains { $0.references.contains { $0.table == table.name } }
        texts = SQLStatements(table, dialect)
        folding = SQLiteFolding(table).flatMap { columns in
            table.withoutFoldedColumns().map { (columns, $0) }
        }
    }
}

extension EntityPlan {
    private static func reached(from table: SQLTable, _ tables: [SQLTable]) -> [String] {
        var reached: Set<String> = []
        var deleted: Set<String> = [table.name]
        var waiting = [table.name]
        while let target = waiting.popLast() {
            for other in tables {
                for reference in other.references where reference.table == target {
                    switch reference.onDelete {
                    case .cascade:
                        reached.insert(other.name)
                        if deleted.insert(other.name).inserted { waiting.append(other.name) }
                    case .setNull: reached.insert(other.name)
                    case .restrict, .none: break
                    }
                }
            }
        }
        return reached.sorted()
    }
}

/// The plans of the schemas that a store was opened with.
final class EntityPlans: Sendable {
    private let plans = Mutex<[String: EntityPlan]>([:])

    /// Adds the tables of a schema.
    func add(_ tables: [SQLTable]) {
        plans.withLock { plans in
            for table in tables {
                plans[table.name] = EntityPlan(table, SQLiteDialect(), among: tables)
            }
        }
    }

    /// The plan of a table.
    ///
    /// - Throws: `databaseError` when the store was not opened with a schema that holds it.
    func plan(_ table: String) throws -> EntityPlan {
        guard let plan = plans.withLock({ $0[table] }) else {
            throw CRUDRepositoryError(
                .databaseError, "The store was not opened with a schema that has '\(table)'.",
                table: table)
        }
        return plan
    }

    /// The name under which a table of the database was declared; SQLite ignores the case of ASCII
    /// letters.
    func declaredName(of table: String) -> String {
        let declared = plans.withLock { plans in
            plans[table] == nil
                ? plans.keys.first { SQLiteCatalog.isSameName($0, table) } : table
        }
        return declared ?? table
    }

    /// All plans.
    var all: [EntityPlan] { plans.withLock { Array($0.values) } }
}

/// The prepared statements of one entity on one connection.
final class EntityStatements {
    let plan: EntityPlan
    // The connection holds these statements.
    private unowned let connection: SQLiteConnection
    /// The connection's memory for the texts of one statement.
    let memory: SQLiteTextMemory
    private var select: SQLiteStatement?
    private var insert: SQLiteStatement?

    var table: SQLTable { plan.table }

    init(_ plan: EntityPlan, _ connection: SQLiteConnection) {
        self.plan = plan
        self.connection = connection
        memory = connection.memory
    }

    /// The statement that selects a record by its id.
    @inline(__always)
    func selecting() throws -> SQLiteStatement {
        if let select { return select }
        let statement = try connection.statement(plan.texts.select)
        select = statement
        return statement
    }

    /// The statement that inserts a record.
    @inline(__always)
    func inserting() throws -> SQLiteStatement {
        if let insert { return insert }
        let statement = try connection.statement(plan.texts.insert)
        insert = statement
        return statement
    }

    /// Reads with statements for a table: they use folded columns unless some row lacks its folded
    /// text. That is found out in the state of the database that the body reads.
    func reading<R>(_ body: (SQLTable) throws -> R) throws -> R {
        guard let folding = plan.folding else { return try body(table) }
        let begins = !connection.isInTransaction
        if begins { try connection.statement("BEGIN").run() }
        // Cannot fail where nothing was written.
        defer { if begins { try? connection.statement("ROLLBACK").run() } }
        return try body(
            connection.hasUnfilled(folding.columns) ? folding.computed : table)
    }

    /// Any other statement.
    func statement(_ text: String) throws -> SQLiteStatement {
        try connection.statement(text)
    }

    /// The statement of a query, with its parameters bound.
    func statement(_ query: SQLQuery) throws -> SQLiteStatement {
        try connection.statement(query)
    }

    /// A statement that is used once.
    func unkept(_ text: String) throws -> SQLiteStatement {
        try SQLiteStatement(text, on: connection.handle, isKept: false)
    }
}
