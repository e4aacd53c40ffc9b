extension RepositoryContext {
    /// Lets a query through, or not, by how it would be answered.
    ///
    /// - Throws: `fullScanRefused`.
    func admit<Model: Entity>(_ query: Query<Model>, _ plan: QueryPlan) throws {
        guard plan.isFullScan, !query.allowsFullScan, query.isBounded else { return }
        switch fullScans.answer {
        case .allow: return
        case .refuse:
            throw CRUDRepositoryError(
                .fullScanRefused, Self.message(query, plan), table: Model.Mapper.table.name)
        case .log(let body):
            let message = Self.message(query, plan)
            if loggedScans.isNew(message) { body(message) }
        case .report:
            let message = Self.message(query, plan)
            guard loggedScans.isNew(message) else { return }
            guard let instrument = store.instrument else { return FullScanPolicy.print(message) }
            instrument.notice(.fullScan(table: Model.Mapper.table.name, message: message))
        }
    }

    /// Lets a query through, or not, that is planned here.
    func admit<Model: Entity>(_ query: Query<Model>) throws {
        try admit(query, QueryPlan(query, store))
    }

    /// The message for a full scan. It contains the fields of the query, but no values, because
    /// they may be sensitive.
    private static func message<Model: Entity>(_ query: Query<Model>, _ plan: QueryPlan) -> String {
        let table = Model.Mapper.table
        let own = query.condition.tree.conjuncts.filter { !table.isPresence($0) }
        let conditions = own.map { $0.text(in: table.layout) }
        let order = query.sortKeys.map { $0.text(in: table.layout) }
        var message = "A query of '\(table.name)'"
        if !conditions.isEmpty { message += " where \(conditions.joined(separator: " && "))" }
        if !order.isEmpty { message += " sorted by \(order.joined(separator: ", "))" }
        message += " reads every record, because no index serves it. "
        if plan.missingIndex.isEmpty {
            message += "No index can serve it; call"
        } else {
            message += "Declare one in the schema of \(table.entity), "
            message += "`indexes: [\(table.indexEntry(plan.missingIndex))]`, or call"
        }
        return message + " `allowingFullScan()` on the query."
    }
}
