package import RepositoryRuntime

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
        let general = QueryPlanner(query, capabilities, hashesEncrypted: true).plan()
        switch general.access {
        case .nothing: return general
        // A single record is read by key on the caller's thread.
        case .ids(let ids) where ids.count == 1: return general
        case .ids, .index, .selection, .scan: break
        }
        var (selection, remainder) = table.selection(query.condition.tree.conjuncts, dialect)
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

    /// Returns the plan of a query, and whether the store examines every record. Queries that
    /// differ only in their values are planned once.
    package func plan<E: Entity>(_ query: Query<E>, for store: any EntityStore) -> QueryPlan {
        let conditions = query.condition.tree.conjuncts
        let whole = StoreSelection(
            conditions, sortKeys: query.sortKeys, skipped: query.skipped, maximum: query.maximum)
        guard query.start == nil, query.skipped >= 0, (query.maximum ?? 1) > 0,
            let shape = SQLSelectionShape(whole, of: table),
            let known = table.shapes.plan(shape, { known(query, shape, for: store) })
        else { return plan(query, store.capabilities) }
        var plan = known.plan
        var selection = StoreSelection(
            conditions, sortKeys: plan.sortsInRuntime ? [] : query.sortKeys)
        if let statement = known.statement { selection.prepare(statement, shape, for: query) }
        plan.access = .selection(selection)
        if known.readsWanted { plan.maximumReads = QueryPlanner.wantedReads(query) }
        return plan
    }

    /// Returns the plan of all queries of a shape; nil if it may depend on the values.
    private func known<E: Entity>(
        _ query: Query<E>, _ shape: SQLSelectionShape, for store: any EntityStore
    ) -> SQLShapeCache.Plan? {
        var plan = plan(query, store.capabilities)
        guard case .selection(let selection) = plan.access, plan.remainder.isEmpty,
            selection.conditions.count == shape.selection.conditions.count,
            hasStatement(selection)
        else { return nil }
        plan = QueryPlan(query, store, known: plan)
        plan.judgement.isKnown = true
        let statement =
            plan.sortsInRuntime ? nil : table.shapes.statement(shape, table, dialect)
        guard plan.maximumReads != nil else {
            return SQLShapeCache.Plan(plan: plan, readsWanted: false, statement: statement)
        }
        // With one record more, only a number of reads that follows the limit differs.
        let maximum = (query.maximum ?? 0).addingReportingOverflow(1)
        if maximum.overflow { return nil }
        let larger = self.plan(query.limit(maximum.partialValue), store.capabilities)
        return SQLShapeCache.Plan(
            plan: plan, readsWanted: larger.maximumReads != plan.maximumReads,
            statement: statement)
    }

    /// Whether the statement of a selection depends on its shape only.
    private func hasStatement(_ selection: StoreSelection) -> Bool {
        guard let shape = SQLSelectionShape(selection, of: table) else { return false }
        return table.shapes.statement(shape, table, dialect) != nil
    }
}
