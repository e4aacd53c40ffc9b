extension EntityRepository {
    /// Changes the fields of an entity that a patch names, in one atomic step.
    ///
    /// The changed entity is stamped, validated and given its next version as by ``update(_:)``,
    /// even if the patch is empty.
    ///
    /// - Returns: the stored entity.
    /// - Throws: `recordNotFound`, `versionConflict` if the patch names another version than the
    ///   stored one, `invalidItem` with all violations, `constraintViolated`, or `unsupported`.
    @discardableResult
    public func update(_ id: Model.ID, _ patch: RecordPatch<Model>) async throws -> Model {
        try await context.open()
        try context.require(.updates, for: "patches")
        try EntityPreparation.check(id)
        try patch.check(for: id)
        let write = context.write(.update)
        return try await changeStored(id) { stored in
            try EntityPreparation.prepare(patch.applied(to: stored), for: write)
        }
    }

    /// Reads an entity, changes it, and stores it, so that no other change is lost.
    ///
    /// ```swift
    /// let book = try await books.update(isbn) { $0.title = "Persuasion" }
    /// ```
    /// If another writer changes the entity in between, it is read again and the closure is called
    /// again; after three conflicts in a transaction, for which other writers wait. An entity
    /// without a version is always changed in a transaction.
    ///
    /// - Parameters:
    ///   - id: the id of the entity.
    ///   - change: changes the entity. It must not change the id; a change of the version or of a
    ///     timestamp has no effect. If it throws, nothing is stored.
    /// - Returns: the stored entity.
    /// - Throws: the error of the closure, `recordNotFound`, `invalidItem` with all violations,
    ///   `constraintViolated`, or `unsupported` by a store without transactions.
    @discardableResult
    public func update(
        _ id: Model.ID, _ change: (inout Model) throws -> Void
    ) async throws -> Model {
        try await context.open()
        try context.require(.transactions, for: "update with a closure")
        if Model.Mapper.table.versionField != nil {
            for _ in 0..<3 {
                do {
                    return try await changeOnce(id, change)
                } catch let error as CRUDRepositoryError where error.code == .versionConflict {
                    // A random delay, so that the conflicting tasks do not meet again.
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...5)))
                }
            }
        }
        // Other writers wait for a transaction, so that it has no conflicts.
        return try await context.transaction { context in
            try await Self(context).changeOnce(id, change)
        }
    }

    /// Reads, changes and stores an entity.
    private func changeOnce(
        _ id: Model.ID, _ change: (inout Model) throws -> Void
    ) async throws -> Model {
        let stored = try await read(id)
        var entity = stored
        try change(&entity)
        guard entity.id == id else {
            let table = Model.Mapper.table
            let name = table.key.count == 1 ? table.layout.fields[table.key[0]].name : nil
            throw CRUDRepositoryError.invalidItem(
                field: name, reason: "cannot be changed: it is the id", rule: .forbidden,
                id: id.description, table: table.name)
        }
        if let version = Model.Mapper.version(of: stored) {
            Model.Mapper.setVersion(version, of: &entity)
        }
        let write = context.write(.update)
        if Model.Mapper.table.creation == .kept {
            Model.Mapper.setCreation(of: &entity, from: stored, for: write)
        }
        return try await context.computed(
            context.store.update(EntityPreparation.prepare(entity, for: write)))
    }

    // Disfavoured, because `create(.init(…))` and `createAll([])` mean entities.

    /// Creates an entity from a draft.
    ///
    /// - Returns: the stored entity, with its id, timestamps and first version.
    /// - Throws: `invalidItem` with all violations, or `constraintViolated`.
    @discardableResult
    @_disfavoredOverload
    public func create(_ draft: RecordDraft<Model>) async throws -> Model {
        if Model.Mapper.table.assignsIDs { return try await createAssigned([draft])[0] }
        return try await create(draft.entity(at: 0, context.defaults))
    }

    /// Creates entities from drafts, either all or none. Returns the stored entities in the given
    /// order.
    ///
    /// - Throws: `invalidItem` with all violations of all drafts, or `constraintViolated`.
    @discardableResult
    @_disfavoredOverload
    public func createAll(_ drafts: [RecordDraft<Model>]) async throws -> [Model] {
        if Model.Mapper.table.assignsIDs { return try await createAssigned(drafts) }
        return try await createAll(entities(of: drafts))
    }

    /// Creates entities from drafts whose ids the store gives, either all or none.
    private func createAssigned(_ drafts: [RecordDraft<Model>]) async throws -> [Model] {
        if drafts.isEmpty { return [] }
        return try await context.transaction { context in
            // Broken rules are found before ids are taken.
            _ = try Self(context).entities(of: drafts)
            let first = try await IDAssignment<Model>(store: context.store).take(drafts.count)
            let entities = try Self(context).entities(of: drafts, firstID: first)
            let write = context.write(.create)
            let prepared = try EntityPreparation.prepareAll(
                Self(context).stamped(entities, for: write), for: write)
            try await context.store.createAll(prepared)
            return try await context.computed(prepared)
        }
    }

    /// Returns the entities of drafts.
    ///
    /// - Parameters:
    ///   - drafts: the drafts.
    ///   - firstID: the id of the first one, if the store gives ids to the records.
    /// - Throws: `invalidItem` with all violations of all drafts.
    private func entities(of drafts: [RecordDraft<Model>], firstID: Int64 = 1) throws -> [Model] {
        var entities: [Model] = []
        var violations: [CRUDRepositoryError.Violation] = []
        for (position, draft) in drafts.enumerated() {
            do {
                entities.append(
                    try draft.entity(
                        at: position, context.defaults, assigned: firstID + Int64(position)))
            } catch let error as CRUDRepositoryError where error.code == .invalidItem {
                violations += error.violations
            }
        }
        guard violations.isEmpty else {
            throw CRUDRepositoryError.invalidItem(violations, table: Model.Mapper.table.name)
        }
        return entities
    }
}

extension CRUDRepositoryError {
    /// Returns this error with the place of its item in the call.
    func locating(id: String?, at index: Int) -> Self {
        var error = self
        error.id = error.id ?? id
        for place in error.violations.indices {
            error.violations[place].index = index
            error.violations[place].id = id
        }
        return error
    }
}
