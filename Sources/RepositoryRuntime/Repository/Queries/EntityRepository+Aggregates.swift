extension EntityRepository {
    /// The smallest value of a field among the entities of a query, null left out; nil where there is none. Of a field that
    /// ignores case it is the folded text.
    public func minimum<Value: OrderedFieldValue>(
        of field: KeyPath<Model.Fields, QueryField<Model, Value>>, _ query: Query<Model> = .all
    ) async throws -> Value.Comparand? {
        let path = Model.Mapper.table.comparable(Model.Fields()[keyPath: field].queryPath)
        return try await total(.minimum, of: path, query).extreme.map {
            try StoredValueDecoder.value(Value.Comparand.self, $0)
        }
    }

    /// The largest value of a field among the entities of a query, null left out; nil where there is none. Of a field that
    /// ignores case it is the folded text.
    public func maximum<Value: OrderedFieldValue>(
        of field: KeyPath<Model.Fields, QueryField<Model, Value>>, _ query: Query<Model> = .all
    ) async throws -> Value.Comparand? {
        let path = Model.Mapper.table.comparable(Model.Fields()[keyPath: field].queryPath)
        return try await total(.maximum, of: path, query).extreme.map {
            try StoredValueDecoder.value(Value.Comparand.self, $0)
        }
    }

    /// The sum of a field over the entities of a query, null left out; 0 where there is nothing to add.
    ///
    /// - Throws: `numberOverflow` where the type of the sum cannot hold it.
    public func sum<Value: NumericFieldValue>(
        of field: KeyPath<Model.Fields, QueryField<Model, Value>>, _ query: Query<Model> = .all
    ) async throws -> Value.Total {
        let path = Model.Fields()[keyPath: field].queryPath
        guard let sum = Value.total(try await total(.sum, of: path, query).sum) else {
            throw CRUDRepositoryError.sumOverflow(path, in: Model.Mapper.table)
        }
        return sum
    }

    /// The average of a field over the entities of a query, null left out; nil where there is nothing to add.
    ///
    /// - Throws: `numberOverflow` where the sum is beyond its type.
    public func average<Value: NumericFieldValue>(
        of field: KeyPath<Model.Fields, QueryField<Model, Value>>, _ query: Query<Model> = .all
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

extension EntityRepository {
    /// Gives the value of a field in each entity of a query to a body, in no order; null is left out.
    private func values(
        of path: FieldPath, _ query: Query<Model>, _ body: (StoredValue) -> Void
    ) async throws {
        let isWhole = query.maximum == nil && query.skipped == 0
        var run = try await run(
            isWhole && query.start == nil ? query.unsorted : query, needing: .paths([path]))
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
            // Which entities are meant depends on the order.
            for values in try await run.collect(\.values) { take(values) }
        }
    }

    /// One function over the values of a field: the store's answer where it has one.
    private func total(
        _ kind: FieldTotal.Kind, of path: FieldPath, _ query: Query<Model>
    ) async throws -> FieldTotal {
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
