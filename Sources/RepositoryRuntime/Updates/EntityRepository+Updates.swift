extension EntityRepository {
    /// Changes fields of every entity that satisfies a condition, atomically.
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

    /// Changes fields of every entity that a query selects, atomically.
    ///
    /// No reader sees some entities changed and others not. If several tasks or processes update at
    /// once, each sees the result of the previous one.
    ///
    /// Each entity is stamped, validated and given its next version as by ``update(_:)``, even if
    /// its values stay the same. Fields declared `onCreate: now` keep their values. Unique values
    /// are checked when all entities are changed, so that `$0.position += 1` is possible.
    ///
    /// - Parameters:
    ///   - query: selects the entities; with a limit, the first ones in its order.
    ///   - set: describes the changes. It runs once, not once per entity.
    /// - Returns: the number of changed entities.
    /// - Throws: `numberOverflow` if a number exceeds its type, `invalidItem`,
    ///   `constraintViolated`, `invalidQuery` for an invalid query or for setting the version or a
    ///   part of the id, or `unsupported`. Nothing changes if an error is thrown.
    @discardableResult
    public func updateAll(
        _ query: Query<Model>, set: (inout RecordUpdate<Model>) -> Void
    ) async throws -> Int {
        try await context.open()
        try context.require(.updates, for: "updateAll")
        var update = RecordUpdate<Model>(at: nil)
        set(&update)
        let table = Model.Mapper.table
        if let invalidReason = update.steps.lazy.compactMap({ $0.invalidReason(in: table) }).first {
            throw CRUDRepositoryError.invalidQuery(invalidReason, table: table.name)
        }
        let query = context.scoped(query)
        _ = try QueryEvaluator(query)
        // The related records are found before the first change, which may change some of them.
        guard query.namesRelatives else {
            return try await updateAll(query, update.steps, in: context)
        }
        return try await context.transaction { context in
            try await updateAll(
                context.resolved(query, in: context.store), update.steps, in: context)
        }
    }

    /// Applies steps to every entity that a query selects.
    private func updateAll(
        _ query: Query<Model>, _ steps: [FieldStep], in context: RepositoryContext
    ) async throws -> Int {
        try context.admit(query)
        let write = context.write(.update)
        let rules = TableRules(Model.Mapper.table)
        let isKept = Model.Mapper.table.creation == .kept
        return try await context.store.updateAll(query) { entity in
            let changed = try entity.changed(by: steps)
            return try EntityPreparation.prepare(
                isKept ? changed.created(from: entity, for: write) : changed, for: write, rules)
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
        return try Mapper.decode(from: &fields).withBytes(of: self)
    }
}
