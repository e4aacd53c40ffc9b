extension ReadableRepository {
    /// Returns the smallest value of a field among the entities that a query selects. Null is
    /// ignored; the result is nil if there is no value. For a case-insensitive field, values are
    /// case-folded.
    public func minimum<Value: OrderedFieldValue>(
        of field: KeyPath<Model.Fields, QueryField<Model, Value>>,
        from query: Query<Model> = .all
    ) async throws -> Value.Comparand? {
        let path = Model.Mapper.table.comparable(Model.Fields()[keyPath: field].queryPath)
        return try await total(.minimum, of: path, query).extreme.map {
            try StoredValueDecoder.value(Value.Comparand.self, $0)
        }
    }

    /// Returns the largest value of a field among the entities that a query selects. Null is
    /// ignored; the result is nil if there is no value. For a case-insensitive field, values are
    /// case-folded.
    public func maximum<Value: OrderedFieldValue>(
        of field: KeyPath<Model.Fields, QueryField<Model, Value>>,
        from query: Query<Model> = .all
    ) async throws -> Value.Comparand? {
        let path = Model.Mapper.table.comparable(Model.Fields()[keyPath: field].queryPath)
        return try await total(.maximum, of: path, query).extreme.map {
            try StoredValueDecoder.value(Value.Comparand.self, $0)
        }
    }

    /// Returns the sum of a field over the entities that a query selects. Null is ignored; the sum
    /// of no values is 0.
    ///
    /// - Throws: `numberOverflow` if the sum exceeds its type.
    public func sum<Value: NumericFieldValue>(
        of field: KeyPath<Model.Fields, QueryField<Model, Value>>,
        from query: Query<Model> = .all
    ) async throws -> Value.Total {
        let path = Model.Fields()[keyPath: field].queryPath
        guard let sum = Value.total(try await total(.sum, of: path, query).sum) else {
            throw CRUDRepositoryError.sumOverflow(path, in: Model.Mapper.table)
        }
        return sum
    }

    /// Returns the average of a field over the entities that a query selects. Null is ignored; the
    /// result is nil if there is no value.
    ///
    /// - Throws: `numberOverflow` if the sum exceeds its type.
    public func average<Value: NumericFieldValue>(
        of field: KeyPath<Model.Fields, QueryField<Model, Value>>,
        from query: Query<Model> = .all
    ) async throws -> Value.Mean? {
        let path = Model.Fields()[keyPath: field].queryPath
        let sum = try await total(.average, of: path, query).sum
        guard sum.count > 0 else { return nil }
        guard let mean = Value.mean(sum) else {
            throw CRUDRepositoryError.sumOverflow(path, in: Model.Mapper.table)
        }
        return mean
    }
}

extension ReadableRepository {
    /// Calls a closure with the value of a field of each selected entity, in unspecified order.
    /// Null is omitted.
    private func values(
        of path: FieldPath, _ query: Query<Model>, _ body: (StoredValue) -> Void
    ) async throws {
        let isWhole = query.maximum == nil && query.skipped == 0
        var run = try await run(
            query.isWhole ? query.unsorted : query, needing: .paths([path]))
        func take(_ values: [StoredValue]) {
            let value = path.value(in: values)
            if value != .null { body(value) }
        }
        if isWhole {
            try await run.visitValues { values in
                take(values)
                return true
            }
        } else {
            // The order determines which entities the limit selects.
            for values in try await run.collect(\.values) { take(values) }
        }
    }

    /// Computes an aggregate of a field, in the store if it supports this.
    private func total(
        _ kind: FieldTotal.Kind, of path: FieldPath, _ query: Query<Model>
    ) async throws -> FieldTotal {
        let query = context.scoped(
            query.sortsByRelatives && query.isWhole ? query.unsorted : query)
        if query.namesRelatives,
            let resolved = try await context.withResolved(
                query, { try await Self($0).total(kind, of: path, $1) })
        {
            return resolved
        }
        if let functions = FieldTotal.functions(kind, of: path, in: Model.Mapper.table.layout),
            let row = try await summary(of: run(query), StoreSummary(functions))?.first
        {
            return FieldTotal(kind, computed: row)
        }
        var total = FieldTotal(kind)
        try await values(of: path, query) { total.add($0) }
        return total
    }
}
