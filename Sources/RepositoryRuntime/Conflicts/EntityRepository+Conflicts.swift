extension EntityRepository {
    /// Creates an entity, or does with the record of its id what a policy says, in one atomic step.
    ///
    /// ```swift
    /// let original = try await books.read(isbn)
    /// var edited = original
    /// edited.title = "Persuasion"
    /// try await books.save(edited, conflict: .merge(from: original))
    /// ```
    /// The entity given is stamped and validated even where the stored one stays.
    /// - Returns: what is stored now, which may be what was stored before.
    /// - Throws: what the policy says, `invalidItem`, `constraintViolated`, `unsupported`.
    @discardableResult
    public func save(_ entity: Model, conflict: ConflictPolicy<Model>) async throws -> Model {
        try await saveAll([entity], conflict: conflict)[0]
    }

    /// Creates entities, or does with the records of their ids what a policy says, all or none.
    ///
    /// Of several entities with one id each finds what the one before it left.
    /// - Returns: what is stored now, in the order given.
    /// - Throws: and then nothing is stored: what the policy says, `invalidItem`, `constraintViolated`, `unsupported`.
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
