extension EntityRepository {
    /// The smallest value of a field among the entities of a query, null left out; nil where there is none.
    public func minimum<Value: OrderedFieldValue>(
        of field: KeyPath<Model.Fields, QueryField<Model, Value>>, _ query: Query<Model> = .all
    ) async throws -> Value.Comparand? {
        try await extreme(of: Model.Fields()[keyPath: field].queryPath, query) { $0 < $1 }
    }

    /// The largest value of a field among the entities of a query, null left out; nil where there is none.
    public func maximum<Value: OrderedFieldValue>(
        of field: KeyPath<Model.Fields, QueryField<Model, Value>>, _ query: Query<Model> = .all
    ) async throws -> Value.Comparand? {
        try await extreme(of: Model.Fields()[keyPath: field].queryPath, query) { $1 < $0 }
    }

    /// The sum of a field over the entities of a query, null left out; 0 where there is nothing to add.
    ///
    /// - Throws: `numberOverflow` where the type of the sum cannot hold it.
    public func sum<Value: NumericFieldValue>(
        of field: KeyPath<Model.Fields, QueryField<Model, Value>>, _ query: Query<Model> = .all
    ) async throws -> Value.Total {
        let path = Model.Fields()[keyPath: field].queryPath
        guard let total = Value.total(try await sum(of: path, query)) else { throw overflow(path) }
        return total
    }

    /// The average of a field over the entities of a query, null left out; nil where there is nothing to add.
    ///
    /// - Throws: `numberOverflow` where the sum is beyond its type.
    public func average<Value: NumericFieldValue>(
        of field: KeyPath<Model.Fields, QueryField<Model, Value>>, _ query: Query<Model> = .all
    ) async throws -> Value.Mean? {
        let path = Model.Fields()[keyPath: field].queryPath
        let sum = try await sum(of: path, query)
        guard sum.count > 0 else { return nil }
        guard let mean = Value.mean(sum) else { throw overflow(path) }
        return mean
    }
}

extension EntityRepository {
    /// Gives the value of a field in each entity of a query to a body, in no order; null is left out.
    private func values(
        of path: FieldPath, _ query: Query<Model>, _ body: (StoredValue) -> Void
    ) async throws {
        var run = try await run(query, needsValues: true)
        func take(_ row: QueryRun<Model>.Row) {
            let value = path.value(in: row.values)
            if value != .null { body(value) }
        }
        if query.maximum == nil, query.skipped == 0 {
            try await run.visit { row in
                take(row)
                return true
            }
        } else {
            // Which entities are meant depends on the order.
            for row in try await run.collect({ $0 }) { take(row) }
        }
    }

    private func extreme<Value: FieldValue>(
        of path: FieldPath, _ query: Query<Model>,
        _ precedes: (StoredValue, StoredValue) -> Bool
    ) async throws -> Value? {
        var best: StoredValue?
        try await values(of: path, query) { value in
            if best.map({ precedes(value, $0) }) ?? true { best = value }
        }
        return try best.map { try StoredValueDecoder.value(Value.self, $0) }
    }

    private func sum(of path: FieldPath, _ query: Query<Model>) async throws -> NumericSum {
        var sum = NumericSum()
        try await values(of: path, query) { sum.add($0) }
        return sum
    }

    private func overflow(_ path: FieldPath) -> CRUDRepositoryError {
        let table = Model.Mapper.table
        let field = path.text(in: table.layout)
        return CRUDRepositoryError(
            .numberOverflow, "The sum of '\(field)' in '\(table.name)' is too large for its type.",
            table: table.name, field: field)
    }
}
