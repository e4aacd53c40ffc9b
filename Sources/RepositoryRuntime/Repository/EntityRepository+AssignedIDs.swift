extension EntityRepository {
    /// Makes sure, in a transaction, that no id of some stored entities is given again.
    func advanceIDs(past stored: [Model]) async throws {
        guard Model.Mapper.table.assignsIDs, !stored.isEmpty else { return }
        try await IDAssignment<Model>(store: context.store).advance(past: stored)
    }

    /// Runs a write of entities with ids of their own. If the store gives ids to others, it gives
    /// none of theirs afterwards.
    func advancingIDs(
        _ write: (RepositoryContext) async throws -> [Model]
    ) async throws -> [Model] {
        try await context.transaction { context in
            let stored = try await write(context)
            try await IDAssignment<Model>(store: context.store).advance(past: stored)
            return try await context.computed(stored)
        }
    }
}
