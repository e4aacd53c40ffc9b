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
        return try await context.transaction { context in
            let save = ConflictSave(context: context, rule: conflict.rule, write: write)
            var stored: [Model] = []
            stored.reserveCapacity(entities.count)
            for part in entities.parts(of: RepositoryContext.batchSize) {
                stored += try await save.save(part)
            }
            return stored
        }
    }
}
