extension RepositoryContext {
    /// Calls a closure with each record that a query selects and its field values, in unspecified
    /// order.
    ///
    /// - Parameter share: limits the records per value of a field, if only some of them are needed.
    func visit<E: Entity>(
        _ query: Query<E>, mostOfEach share: StoreSelection.Share? = nil,
        _ body: (E, [StoredValue]) throws -> Void
    ) async throws {
        let query = scoped(query)
        var run = try QueryRun(query, store, needing: .fields)
        try admit(query, run.plan)
        guard var selection = run.wholeSelection else {
            return try await run.visit { row in
                try body(row.entity, row.values)
                return true
            }
        }
        selection.mostOfEach = share
        for entity in try await store.select(E.self, selection) {
            try body(entity, StoredValueEncoder.values(of: entity, E.Mapper.self))
        }
    }

    /// Calls a closure with each stored record with one of the ids and its field values, in
    /// unspecified order.
    func visit<E: Entity>(
        _ ids: [E.ID], _ body: (E, [StoredValue]) throws -> Void
    ) async throws {
        let field = QueryField<E, E.ID>(key: E.Mapper.table.key)
        for chunk in ids.chunks(ofAtMost: KeyChunk.size(of: E.ID.self)) {
            try await visit(Query<E>(field.in(Array(chunk)), sortKeys: []), body)
        }
    }
}
