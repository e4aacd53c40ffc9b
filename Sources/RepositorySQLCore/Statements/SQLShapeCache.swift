package import RepositoryRuntime
internal import Synchronization

/// The statements and plans of the selections of a table by their shapes, so that a repeated query
/// is neither planned nor written again.
final class SQLShapeCache: Sendable {
    /// The statement of a shape.
    final class Statement: Sendable {
        /// The identity of the cache to which it belongs. A statement without its cache would have
        /// the address of another one some day.
        private let owner: Identity
        /// The text.
        private let text: String
        /// For each parameter, the index of the value, and the representation in which it is bound.
        private let parameters: [(value: Int, form: SQLColumnForm)]

        /// Writes the statement of a shape.
        ///
        /// - Returns: nil if a parameter is not one of the values as it is.
        fileprivate init?(
            _ shape: SQLSelectionShape, _ table: SQLTable, _ dialect: any SQLDialect
        ) {
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
            owner = table.shapes.identity
            text = query.text
            self.parameters = parameters
        }

        /// Whether it is a statement of this cache.
        fileprivate func belongs(to cache: SQLShapeCache) -> Bool { owner === cache.identity }

        /// Returns the statement with the values of a selection; nil if a column cannot hold one of
        /// them, so that the condition has another text.
        fileprivate func query(_ values: [StoredValue], _ dialect: any SQLDialect) -> SQLQuery? {
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

    /// What tells a cache from others.
    fileprivate final class Identity: Sendable {}

    /// The plan of a shape.
    struct Plan: Sendable {
        /// The plan of one query of the shape.
        let plan: QueryPlan
        /// Whether at most as many records are read as the query wants.
        let readsWanted: Bool
        /// The statement of the query with its order and its limits; nil if the runtime sorts.
        let statement: Statement?
    }

    /// The maximum number of shapes of each kind.
    private static var most: Int { 256 }

    fileprivate let identity = Identity()
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

extension SQLTable {
    /// Returns the statement that selects the records of a selection; nil if the database cannot
    /// answer it exactly. It is written once for selections that differ only in their values.
    package func select(_ selection: StoreSelection, _ dialect: any SQLDialect) -> SQLQuery? {
        if let query = selection.preparedQuery(shapes, dialect) { return query }
        if let shape = SQLSelectionShape(selection, of: self),
            let statement = shapes.statement(shape, self, dialect),
            let query = statement.query(shape.values, dialect)
        {
            return query
        }
        return SQLSelectionWriter.select(selection, self, dialect)
    }
}

extension StoreSelection {
    /// Notes the statement of a selection with certain limits, which are set later.
    ///
    /// - Parameters:
    ///   - statement: the statement of the shape.
    ///   - shape: the shape of the selection with the limits.
    ///   - query: the query that has the limits.
    mutating func prepare<E: Entity>(
        _ statement: SQLShapeCache.Statement, _ shape: SQLSelectionShape, for query: Query<E>
    ) {
        prepared.statement = statement
        prepared.values = shape.values
        prepared.skipped = query.skipped
        prepared.maximum = query.maximum
    }

    /// Returns the query of the statement that was noted; nil if there is none, or if it is that of
    /// another database or of other limits.
    func preparedQuery(_ cache: SQLShapeCache, _ dialect: any SQLDialect) -> SQLQuery? {
        guard let statement = prepared.statement as? SQLShapeCache.Statement,
            statement.belongs(to: cache), skipped == prepared.skipped, maximum == prepared.maximum
        else { return nil }
        return statement.query(prepared.values, dialect)
    }
}
