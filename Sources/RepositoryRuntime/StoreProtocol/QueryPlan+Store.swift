extension QueryPlan {
    /// Creates the plan of a store for a query.
    ///
    /// If the store answers a selection itself, the initializer also determines whether a declared
    /// index or the id serves the query, as the runtime's planner sees it.
    init<Model: Entity>(_ query: Query<Model>, _ store: any EntityStore) {
        self = store.plan(query)
        guard case .selection = access else { return }
        let indexed = QueryPlanner(
            query,
            StoreCapabilities([.finders: .native, .indexScans: .native, .idScans: .native]))
        let plan = indexed.plan()
        selectsFromAll = plan.isFullScan
        if selectsFromAll { missingIndex = plan.missingIndex }
    }
}
