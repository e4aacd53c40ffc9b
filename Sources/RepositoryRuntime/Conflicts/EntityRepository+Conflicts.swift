extension EntityRepository {
    /// Creates an entity, or resolves the conflict with the stored record by a policy, atomically.
    ///
    /// ```swift
    /// let original = try await books.read(isbn)
    /// var edited = original
    /// edited.title = "Persuasion"
    /// try await books.save(edited, conflict: .merge(from: original))
    /// ```
    /// The entity is stamped and validated even if the stored record is kept.
    ///
    /// - Returns: the record that is now stored.
    /// - Throws: the errors of the policy, `invalidItem`, `constraintViolated` or `unsupported`.
    @discardableResult
    public func save(_ entity: Model, conflict: ConflictPolicy<Model>) async throws -> Model {
        try await saveAll([entity], conflict: conflict)[0]
    }

    /// Creates entities, or resolves the conflicts with the stored records by a policy. Either all
    /// entities are saved or none.
    ///
    /// If several entities have the same id, each is compared with the record that the previous one
    /// left.
    ///
    /// - Returns: the records that are now stored, in the given order.
    /// - Throws: the errors of the policy, `invalidItem`, `constraintViolated` or `unsupported`.
    ///   Nothing is stored if an error is thrown.
    @discardableResult
    public func saveAll(
        _ entities: [Model], conflict: ConflictPolicy<Model>
    ) async throws -> [Model] {
        try await context.open()
        try context.require(.conflictPolicies, for: "conflict policies")
        let write = context.write(.update)
        do {
            return try await saveAll(entities, conflict: conflict, write)
        } catch let error as CRUDRepositoryError
            where error.code == .invalidItem || error.code == .invalidIdentifier
        {
            let rules = TableRules(Model.Mapper.table)
            throw error.listing(rulesBrokenBy: entities, from: 0, for: write, rules)
        }
    }

    /// Saves entities in a transaction. Throws the first broken rule.
    private func saveAll(
        _ entities: [Model], conflict: ConflictPolicy<Model>, _ write: WriteContext
    ) async throws -> [Model] {
        try await context.transaction { context in
            let save = ConflictSave(context: context, rule: conflict.rule, write: write)
            let stored = try await save.save(entities)
            try await Self(context).advanceIDs(past: stored)
            return stored
        }
    }
}
