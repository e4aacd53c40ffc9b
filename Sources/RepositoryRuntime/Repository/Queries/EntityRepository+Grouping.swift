public import Foundation

extension EntityRepository {
    /// What is computed of each group of the entities of a query that share the value of a field.
    ///
    /// ```swift
    /// for (status, count, pages) in try await books.group(by: \.status, .count, .sum(of: \.pages)) {
    ///     print(status, count, pages)
    /// }
    /// ```
    /// The groups stand in the order of the field's value, null first; there is none without entities. With no function
    /// these are the values that occur. Of a field that ignores case it is the folded text that they share. Memory holds the groups, and of the entities one page, unless the query has a
    /// limit or an offset: then what it asks for is gathered first.
    /// - Parameters:
    ///   - query: which entities; all of them when left out.
    ///   - field: by what they are grouped.
    ///   - functions: what is computed: `.count`, `.sum(of:)`, `.minimum(of:)`, `.maximum(of:)`, `.average(of:)`.
    /// - Returns: for each group the value of the field, then that of each function.
    /// - Throws: `numberOverflow` where a sum is too large for its type, `invalidQuery`, `unsupported`.
    public func group<Key: OrderedFieldValue, each Value: Sendable>(
        _ query: Query<Model> = .all, by field: KeyPath<Model.Fields, QueryField<Model, Key>>,
        _ functions: repeat GroupFunction<Model, each Value>
    ) async throws -> [(Key, repeat each Value)] {
        try await grouped(query, by: field, per: nil, repeat each functions)
    }

    /// What is computed of each year, month or day of the entities of a query.
    ///
    /// ```swift
    /// let months = try await invoices.group(
    ///     by: \.invoiceDate, per: .month, .count, .sum(of: \.total))
    /// ```
    /// - Parameters:
    ///   - query: which entities; all of them when left out.
    ///   - field: the moment by which they are grouped.
    ///   - part: the span of time, in UTC, that a group is of.
    ///   - functions: what is computed.
    /// - Returns: for each span with entities its first moment, then the value of each function; null first.
    /// - Throws: `numberOverflow` where a sum is too large for its type, `invalidQuery`, `unsupported`.
    public func group<Key: OrderedFieldValue, each Value: Sendable>(
        _ query: Query<Model> = .all, by field: KeyPath<Model.Fields, QueryField<Model, Key>>,
        per part: DatePart, _ functions: repeat GroupFunction<Model, each Value>
    ) async throws -> [(Key, repeat each Value)] where Key.Comparand == Date {
        try await grouped(query, by: field, per: part, repeat each functions)
    }

    private func grouped<Key: OrderedFieldValue, each Value: Sendable>(
        _ query: Query<Model>, by field: KeyPath<Model.Fields, QueryField<Model, Key>>,
        per part: DatePart?, _ functions: repeat GroupFunction<Model, each Value>
    ) async throws -> [(Key, repeat each Value)] {
        let table = Model.Mapper.table
        var run = GroupRun(
            table.comparable(Model.Fields()[keyPath: field].queryPath), part: part)
        for function in repeat each functions {
            run.add(function.kind, table.comparable(function.path))
        }
        return try await groups(of: query, run).map { group in
            var totals = group.totals[...]
            return (
                try StoredValueDecoder.value(Key.self, group.key),
                repeat try (each functions).take(&totals)
            )
        }
    }

    private func groups(of query: Query<Model>, _ groups: GroupRun) async throws -> [GroupRun.Group]
    {
        var groups = groups
        var run = try await run(query, needing: .paths(groups.paths))
        if let summary = groups.summary(in: Model.Mapper.table.layout),
            let rows = try await self.summary(of: run, summary)
        {
            return rows.map { groups.group(computed: $0) }
        }
        if query.maximum == nil, query.skipped == 0 {
            try await run.visitValues { values in
                groups.add(values)
                return true
            }
        } else {
            // Which entities are meant depends on the order.
            for row in try await run.collect({ groups.needed(of: $0.values) }) {
                groups.add(needed: row)
            }
        }
        return groups.sorted
    }
}

extension GroupFunction {
    /// The value of what was computed, which is taken from the front.
    fileprivate func take(_ totals: inout ArraySlice<FieldTotal>) throws -> Value {
        guard let total = totals.popFirst() else { return try result(FieldTotal(kind)) }
        return try result(total)
    }
}
