/// How many keys are combined in one query that loads related records.
enum KeyChunk {
    /// The number of reference values per query, chosen by the query plan for one value.
    static func size<E: Entity>(for field: FieldPath, of type: E.Type, _ plan: QueryPlan) -> Int {
        // An index scan serves one key and stops when the limit is reached.
        if case .index = plan.access { return 1 }
        // The condition compares each component, and databases limit the size of an expression.
        if case .composite = E.Mapper.layout.fields[field.field].type { return 50 }
        // The keys are bound as one list parameter, or as at most 500, which every database
        // accepts.
        return 500
    }

    /// The number of ids per query.
    static func size<ID: EntityIdentifier>(of type: ID.Type) -> Int {
        ID.componentCount == 1 ? 500 : max(1, 100 / ID.componentCount)
    }
}

extension Array {
    /// The elements in order, in slices of at most `count` elements.
    func chunks(ofAtMost count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map {
            self[$0..<Swift.min(self.count, $0 + count)]
        }
    }
}

extension RepositoryContext {
    /// Calls a closure with each record that a query selects and its field values, in unspecified
    /// order.
    ///
    /// - Parameter share: limits the records per value of a field, if only some of them are needed.
    func visit<E: Entity>(
        _ query: Query<E>, mostOfEach share: StoreSelection.Share? = nil,
        _ body: (E, [StoredValue]) throws -> Void
    ) async throws {
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
