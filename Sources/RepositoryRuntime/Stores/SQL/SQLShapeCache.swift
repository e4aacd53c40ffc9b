internal import Synchronization

/// The statements and plans of the selections of a table by their shapes, so that a repeated query
/// is neither planned nor written again.
final class SQLShapeCache: Sendable {
    /// The statement of a shape.
    struct Statement: Sendable {
        /// The text.
        fileprivate let text: String
        /// For each parameter, the index of the value, and the representation in which it is bound.
        fileprivate let parameters: [(value: Int, form: SQLColumnForm)]
    }

    /// The plan of a shape.
    struct Plan: Sendable {
        /// The plan of one query of the shape.
        let plan: QueryPlan
        /// Whether at most as many records are read as the query wants.
        let readsWanted: Bool
    }

    /// The maximum number of shapes of each kind.
    private static var most: Int { 256 }

    /// The statements; nil for a shape whose statement depends on the values.
    private let statements = Mutex<[StoreSelection: Statement?]>([:])
    /// The plans; nil for a shape whose plan depends on the values.
    private let plans = Mutex<[StoreSelection: Plan?]>([:])

    /// Returns the statement of a shape.
    func statement(
        _ shape: SQLSelectionShape, _ table: SQLTable, _ dialect: any SQLDialect
    ) -> Statement? {
        if let known = statements.withLock({ $0[shape.selection] }) { return known }
        let statement = Statement(shape, table, dialect)
        statements.withLock { Self.keep(statement, for: shape, in: &$0) }
        return statement
    }

    /// Returns the plan of a shape, which a body makes if it is not known.
    func plan(_ shape: SQLSelectionShape, _ body: () -> Plan?) -> Plan? {
        if let known = plans.withLock({ $0[shape.selection] }) { return known }
        let plan = body()
        plans.withLock { Self.keep(plan, for: shape, in: &$0) }
        return plan
    }

    /// Keeps what a shape has. A full cache is emptied, which a program with a fixed set of queries
    /// never causes.
    private static func keep<Value>(
        _ value: Value, for shape: SQLSelectionShape, in cache: inout [StoreSelection: Value]
    ) {
        if cache.count >= most { cache = [:] }
        cache[shape.selection] = value
    }
}

extension SQLShapeCache.Statement {
    /// Writes the statement of a shape.
    ///
    /// - Returns: nil if a parameter is not one of the values as it is.
    init?(_ shape: SQLSelectionShape, _ table: SQLTable, _ dialect: any SQLDialect) {
        guard let query = SQLSelectionWriter.select(shape.selection, table, dialect) else {
            return nil
        }
        var parameters: [(value: Int, form: SQLColumnForm)] = []
        for parameter in query.parameters {
            guard let value = shape.index(of: parameter.value) else { return nil }
            parameters.append((value, parameter.form))
        }
        guard Set(parameters.map(\.value)) == Set(shape.values.indices),
            parameters.count == shape.values.count
        else { return nil }
        text = query.text
        self.parameters = parameters
    }

    /// Returns the statement with the values of a selection; nil if a column cannot hold one of
    /// them, so that the condition has another text.
    func query(_ values: [StoredValue], _ dialect: any SQLDialect) -> SQLQuery? {
        var bound: [SQLParameter] = []
        bound.reserveCapacity(parameters.count)
        for (index, form) in parameters {
            guard case .value(let value)? = SQLComparand(values[index], form, dialect) else {
                return nil
            }
            bound.append(SQLParameter(value, form))
        }
        return SQLQuery(text: text, parameters: bound)
    }
}

extension SQLTable {
    /// Returns the statement that selects the records of a selection; nil if the database cannot
    /// answer it exactly. It is written once for selections that differ only in their values.
    package func select(_ selection: StoreSelection, _ dialect: any SQLDialect) -> SQLQuery? {
        if let shape = SQLSelectionShape(selection, of: self),
            let statement = shapes.statement(shape, self, dialect),
            let query = statement.query(shape.values, dialect)
        {
            return query
        }
        return SQLSelectionWriter.select(selection, self, dialect)
    }
}
