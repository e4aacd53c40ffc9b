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
        }
    }

    /// Lets a query through, or not, that is planned here.
    func admit<Model: Entity>(_ query: Query<Model>) throws {
        try admit(query, QueryPlan(query, store))
    }

    private static func message<Model: Entity>(_ query: Query<Model>, _ plan: QueryPlan) -> String {
        let table = Model.Mapper.table
        let conditions = query.condition.tree.conjuncts.map { $0.text(in: table.layout) }
        let order = query.sortKeys.map { key in
            (key.direction == .descending ? "-" : "") + key.path.text(in: table.layout)
        }
        var message = "A query of '\(table.name)'"
        if !conditions.isEmpty { message += " where \(conditions.joined(separator: " && "))" }
        if !order.isEmpty { message += " sorted by \(order.joined(separator: ", "))" }
        message += " reads every record, because no index serves it. "
        if plan.missingIndex.isEmpty {
            message += "None could"
        } else {
            message +=
                "Declare one in the schema of \(table.entity), `indexes: [\(table.indexEntry(plan.missingIndex))]`"
        }
        return message + "; or say `allowingFullScan()` on the query."
    }
}

extension Query {
    /// Whether it asks for a part of the records, so that reading all of them is more than what is asked.
    var isBounded: Bool {
        !condition.tree.conjuncts.isEmpty || maximum != nil && !sortKeys.isEmpty
    }
}
