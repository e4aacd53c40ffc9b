internal import RepositoryRuntime
internal import RepositorySQLCore
internal import Synchronization

/// What the store knows of an entity's table: its columns, its statements, and who refers to it.
final class TablePlan: Sendable {
    /// A reference to the table from a field of a table.
    struct Referrer: Sendable {
        /// The name of the table that refers.
        let table: String
        /// The reference.
        let reference: SQLReference
    }

    /// The table.
    let table: SQLTable
    /// The entity; nil if the schema was created from tables.
    let entity: (any Entity.Type)?
    /// The statements.
    let texts: SQLStatements
    /// The columns that have a folded column, in order.
    let foldedColumns: [Int]
    /// The parameter of the folded text of a column, by the position of the column.
    let foldedParameter: [Int: Int]
    /// The references to the table.
    let referrers: [Referrer]
    /// Whether the table has unique indexes.
    let hasUniqueIndexes: Bool
    /// The table with the external data of the records; nil if they have none.
    let chunks: ChunkTable?
    let dialect: DriverDialect

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - entity: its entity.
    ///   - tables: all tables of the schema, whose references to the table count.
    ///   - dialect: the dialect of the database.
    init(
        _ table: SQLTable, _ entity: (any Entity.Type)?, among tables: [SQLTable],
        _ dialect: DriverDialect
    ) {
        self.table = table
        self.entity = entity
        self.dialect = dialect
        texts = SQLStatements(table, dialect)
        let foldedColumns = table.columns.indices.filter { table.columns[$0].foldedName != nil }
        self.foldedColumns = foldedColumns
        foldedParameter = Dictionary(
            uniqueKeysWithValues: foldedColumns.enumerated().map {
                ($0.element, table.columns.count + $0.offset)
            })
        referrers = tables.flatMap { other in
            other.references.filter { $0.table == table.name }.map {
                Referrer(table: other.name, reference: $0)
            }
        }
        chunks = ChunkTable(table, dialect)
        hasUniqueIndexes = table.entity.indexes.contains(where: \.isUnique)
    }
}

/// The tables of all schemas that a store was opened with. Any thread may use it.
final class TablePlans: Sendable {
    private let plans = Mutex<[String: TablePlan]>([:])

    /// Adds the tables of a schema, replacing those of the same names.
    func add(_ new: [TablePlan]) {
        plans.withLock { plans in
            for plan in new { plans[plan.table.name] = plan }
        }
    }

    /// Returns a table.
    ///
    /// - Throws: `databaseError` if the store was not opened with a schema that contains it.
    func plan(_ name: String) throws -> TablePlan {
        guard let plan = plans.withLock({ $0[name] }) else {
            throw CRUDRepositoryError(
                .databaseError, "The store was not opened with a schema that has '\(name)'.",
                table: name)
        }
        return plan
    }

    /// Returns the table with a name; nil if there is none.
    func find(_ name: String) -> TablePlan? { plans.withLock { $0[name] } }

    /// All tables, in no particular order.
    var all: [TablePlan] { plans.withLock { Array($0.values) } }
}
