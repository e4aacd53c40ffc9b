/// How many keys one query asks for.
enum KeyChunk {
    /// The number for a reference, by the way in which the store finds the records of one key.
    static func size<E: Entity>(for field: FieldPath, of type: E.Type, _ plan: QueryPlan) -> Int {
        // Each key is a walk of its own, which ends where no more is wanted.
        if case .index = plan.access { return 1 }
        // A database compares the components of each, and bounds how long a condition is.
        if case .composite = E.Mapper.layout.fields[field.field].type { return 50 }
        // The list is one parameter, or as many as every database takes.
        return 500
    }

    /// The number for ids.
    static func size<ID: EntityIdentifier>(of type: ID.Type) -> Int {
        ID.componentCount == 1 ? 500 : max(1, 100 / ID.componentCount)
    }
}

extension Array {
    /// The elements in order, some at a time.
    func chunks(ofAtMost count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map {
            self[$0..<Swift.min(self.count, $0 + count)]
        }
    }
}

extension RepositoryContext {
    /// Gives a body each record that a query asks for and its fields, in no certain order.
    ///
    /// - Parameter share: how many of each value of a field the caller keeps.
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

    /// Gives a body each record that is there of some ids, and its fields, in no certain order.
    func visit<E: Entity>(
        _ ids: [E.ID], _ body: (E, [StoredValue]) throws -> Void
    ) async throws {
        let field = QueryField<E, E.ID>(key: E.Mapper.table.key)
        for chunk in ids.chunks(ofAtMost: KeyChunk.size(of: E.ID.self)) {
            try await visit(Query<E>(field.in(Array(chunk)), sortKeys: []), body)
        }
    }
}
