public import Foundation

extension EntityRepository {
    /// Groups the entities that a query selects by a field, and computes aggregates of each group.
    ///
    /// ```swift
    /// let groups = try await books.group(by: \.status, .count, .sum(of: \.pages))
    /// for (status, count, pages) in groups { print(status, count, pages) }
    /// ```
    /// The groups are sorted by the field's value, with null first. Without functions, the result
    /// contains the distinct values. For a case-insensitive field, values are case-folded. The
    /// groups and one page of entities are held in memory. If the query has a limit or an offset,
    /// the selected entities are collected first.
    ///
    /// - Parameters:
    ///   - query: selects the entities. The default selects all.
    ///   - field: the field to group by.
    ///   - functions: the aggregates: `.count`, `.sum(of:)`, `.minimum(of:)`, `.maximum(of:)`,
    /// `.average(of:)`.
    /// - Returns: the value of the field and of each function, for each group.
    /// - Throws: `numberOverflow` if a sum exceeds its type, `invalidQuery` or `unsupported`.
    public func group<Key: OrderedFieldValue, each Value: Sendable>(
        _ query: Query<Model> = .all, by field: KeyPath<Model.Fields, QueryField<Model, Key>>,
        _ functions: repeat GroupFunction<Model, each Value>
    ) async throws -> [(Key, repeat each Value)] {
        try await grouped(query, by: field, per: nil, repeat each functions)
    }

    /// Groups the entities that a query selects by year, month or day, and computes aggregates of
    /// each group.
    ///
    /// ```swift
    /// let months = try await invoices.group(
    ///     by: \.invoiceDate, per: .month, .count, .sum(of: \.total))
    /// ```
    /// - Parameters:
    ///   - query: selects the entities. The default selects all.
    ///   - field: the date to group by.
    ///   - part: the period of a group, in UTC.
    ///   - functions: the aggregates.
    /// - Returns: the start of the period and the value of each function, for each period with
    ///   entities; null first.
    /// - Throws: `numberOverflow` if a sum exceeds its type, `invalidQuery` or `unsupported`.
    public func group<Key: OrderedFieldValue, each Value: Sendable>(
        _ query: Query<Model> = .all, by field: KeyPath<Model.Fields, QueryField<Model, Key>>,
        per part: DatePart, _ functions: repeat GroupFunction<Model, each Value>
    ) async throws -> [(Key, repeat each Value)] where Key.Comparand == Date {
        try await grouped(query, by: field, per: part, repeat each functions)
    }

    /// Groups by a field or a part of a date, and decodes the results.
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

    /// Computes the groups, in the store if it supports this.
    private func groups(of query: Query<Model>, _ groups: GroupRun) async throws -> [GroupRun.Group]
    {
        let resolved = try await context.withResolved(query) {
            try await Self($0).groups(of: $1, groups)
        }
        if let resolved { return resolved }
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
            // The order determines which entities the limit selects.
            for row in try await run.collect({ groups.needed(of: $0.values) }) {
                groups.add(needed: row)
            }
        }
        return groups.sorted
    }
}

extension GroupFunction {
    /// Removes the first total and returns the function's value for it.
    fileprivate func take(_ totals: inout ArraySlice<FieldTotal>) throws -> Value {
        guard let total = totals.popFirst() else { return try result(FieldTotal(kind)) }
        return try result(total)
    }
}
