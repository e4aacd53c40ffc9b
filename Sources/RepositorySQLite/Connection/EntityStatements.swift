internal import RepositoryRuntime
internal import Synchronization

/// What is known of an entity's table before any connection is opened.
final class EntityPlan: Sendable {
    let table: SQLTable
    let texts: SQLStatements

    init(_ table: SQLTable, _ dialect: SQLiteDialect) {
        self.table = table
        texts = SQLStatements(table, dialect)
    }
}

/// The plans of the schemas that a store was opened with.
final class EntityPlans: Sendable {
    private let plans = Mutex<[String: EntityPlan]>([:])

    /// Adds the tables of a schema.
    func add(_ tables: [SQLTable]) {
        plans.withLock { plans in
            for table in tables { plans[table.name] = EntityPlan(table, SQLiteDialect()) }
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

    /// All plans.
    var all: [EntityPlan] { plans.withLock { Array($0.values) } }
}

/// The prepared statements of one entity on one connection.
final class EntityStatements {
    let plan: EntityPlan
    // The connection holds these statements.
    private unowned let connection: SQLiteConnection
    private var select: SQLiteStatement?
    private var insert: SQLiteStatement?

    var table: SQLTable { plan.table }

    init(_ plan: EntityPlan, _ connection: SQLiteConnection) {
        self.plan = plan
        self.connection = connection
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

    /// Any other statement.
    func statement(_ text: String) throws -> SQLiteStatement {
        try connection.statement(text)
    }
}
