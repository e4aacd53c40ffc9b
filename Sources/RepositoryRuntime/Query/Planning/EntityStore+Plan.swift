extension EntityStore {
    /// Plans with the calls that every store has: ids are read, declared indexes looked up, everything else scanned.
    public func plan<E: Entity>(_ query: Query<E>) -> QueryPlan {
        QueryPlanner(query, capabilities).plan()
    }
}
