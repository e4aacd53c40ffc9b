extension EntityRepository {
    /// Changes fields of every entity that is as a condition says, in one atomic step.
    ///
    /// ```swift
    /// let sold = try await products.updateAll(
    ///     where: { $0.id == id && $0.stock >= 1 }, set: { $0.stock -= 1 })
    /// ```
    /// See ``updateAll(_:set:)``.
    @discardableResult
    public func updateAll(
        where condition: (Model.Fields) -> Condition, set: (inout RecordUpdate<Model>) -> Void
    ) async throws -> Int {
        try await updateAll(.where(condition), set: set)
    }

    /// Changes fields of every entity that a query asks for, in one atomic step: nobody sees some of them changed and
    /// others not, and of tasks and processes that do this at once each finds what the one before it left.
    ///
    /// Each entity is stamped, validated and given its next version as by ``update(_:)``; an entity that gets the values
    /// it has already counts too. Two entities that exchange unique values may collide on the way.
    /// - Parameters:
    ///   - query: which entities; with a limit, the first of its order.
    ///   - set: says what is changed; it runs once.
    /// - Returns: how many entities were changed.
    /// - Throws: and then nothing has changed: `numberOverflow` where a number would be too large for its type,
    ///   `invalidItem`, `constraintViolated`, `invalidQuery` for a query that cannot be answered, and for setting a
    ///   part of the id or the version, `unsupported`.
    @discardableResult
    public func updateAll(
        _ query: Query<Model>, set: (inout RecordUpdate<Model>) -> Void
    ) async throws -> Int {
        try await context.open()
        try context.require(.updates, for: "updateAll")
        var update = RecordUpdate<Model>(at: nil)
        set(&update)
        let table = Model.Mapper.table
        if let defect = update.steps.lazy.compactMap({ $0.defect(in: table) }).first {
            throw CRUDRepositoryError.invalidQuery(defect, table: table.name)
        }
        _ = try QueryEvaluator(query)
        try context.admit(query)
        let write = context.write(.update)
        let rules = TableRules(table)
        return try await context.store.updateAll(query) { [steps = update.steps] entity in
            try EntityPreparation.prepare(entity.changed(by: steps), for: write, rules)
        }
    }
}

extension Entity {
    /// The entity after some steps.
    func changed(by steps: [FieldStep]) throws -> Self {
        var values = try StoredValueEncoder.values(of: self, Mapper.self)
        do {
            for step in steps { try step.apply(to: &values, of: Mapper.table) }
        } catch var error as CRUDRepositoryError {
            error.id = id.description
            throw error
        }
        var fields = StoredValueDecoder(values, layout: Mapper.layout)
        return try Mapper.decode(from: &fields)
    }
}
