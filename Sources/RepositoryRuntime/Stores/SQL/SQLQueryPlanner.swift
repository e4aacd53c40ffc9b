/// Divides the work of a query between a SQL database and the runtime.
///
/// It starts from the plan of the runtime's own ``QueryPlanner`` and replaces the access by a
/// selection. The limits of ``SQLConditionWriter`` bound the size of the statement; conditions
/// beyond them are left to the runtime.
package struct SQLQueryPlanner {
    /// The table of the query.
    private let table: SQLTable
    /// The dialect of the database.
    private let dialect: any SQLDialect

    /// Creates a planner for a table and a dialect.
    package init(_ table: SQLTable, _ dialect: any SQLDialect) {
        self.table = table
        self.dialect = dialect
    }

    /// Returns the plan of a query.
    ///
    /// The database evaluates every condition that it decides exactly as the runtime does. It also
    /// sorts, if it can sort by all keys. The other conditions become the remainder, which the
    /// runtime tests.
    package func plan<E: Entity>(
        _ query: Query<E>, _ capabilities: StoreCapabilities
    ) -> QueryPlan {
        let general = QueryPlanner(query, capabilities).plan()
        switch general.access {
        case .nothing: return general
        // A single record is read by key on the caller's thread.
        case .ids(let ids) where ids.count == 1: return general
        case .ids, .index, .selection, .scan: break
        }
        var selection = StoreSelection()
        var remainder: [ConditionTree] = []
        var writer = SQLConditionWriter(table, dialect)
        for condition in query.condition.tree.conjuncts {
            if selection.conditions.count < SQLConditionWriter.largestCondition,
                writer.parameters.count < SQLConditionWriter.longList,
                writer.condition(condition) != nil
            {
                selection.conditions.append(condition)
            } else {
                remainder.append(condition)
            }
        }
        // The runtime can only continue after a record whose position it knows.
        let sorts =
            (remainder.isEmpty || !query.sortsByRelatives)
            && query.sortKeys.allSatisfy { SQLSelectionWriter.sorts(by: $0, table, dialect) }
        if sorts { selection.sortKeys = query.sortKeys }
        var plan = general
        plan.access = .selection(selection)
        plan.remainder = remainder
        plan.sortsInRuntime = !sorts
        return plan
    }
}
