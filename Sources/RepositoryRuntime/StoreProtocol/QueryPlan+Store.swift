extension QueryPlan {
    /// The plan of a store, and where the store finds records by itself, whether a declared index or the id serves it.
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
