public import Foundation

extension ReadableRepository {
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
    ///   - field: the field to group by.
    ///   - functions: the aggregates: `.count`, `.sum(of:)`, `.minimum(of:)`, `.maximum(of:)`,
    /// `.average(of:)`.
    ///   - query: selects the entities. The default selects all.
    /// - Returns: the value of the field and of each function, for each group.
    /// - Throws: `numberOverflow` if a sum exceeds its type, `invalidQuery` or `unsupported`.
    public func group<Key: OrderedFieldValue, each Value: Sendable>(
        by field: KeyPath<Model.Fields, QueryField<Model, Key>>,
        _ functions: repeat GroupFunction<Model, each Value>,
        from query: Query<Model> = .all
    ) async throws -> [(Key, repeat each Value)] {
        try await grouped(
            query, by: Model.Fields()[keyPath: field].queryPath, per: nil, repeat each functions)
    }

    /// Groups the entities that a query selects by year, month or day, and computes aggregates of
    /// each group.
    ///
    /// ```swift
    /// let months = try await invoices.group(
    ///     by: \.invoiceDate, per: .month, .count, .sum(of: \.total))
    /// ```
    /// - Parameters:
    ///   - field: the date to group by.
    ///   - part: the period of a group, in UTC.
    ///   - functions: the aggregates.
    ///   - query: selects the entities. The default selects all.
    /// - Returns: the start of the period and the value of each function, for each period with
    ///   entities; null first.
    /// - Throws: `numberOverflow` if a sum exceeds its type, `invalidQuery` or `unsupported`.
    public func group<Key: OrderedFieldValue, each Value: Sendable>(
        by field: KeyPath<Model.Fields, QueryField<Model, Key>>,
        per part: DatePart, _ functions: repeat GroupFunction<Model, each Value>,
        from query: Query<Model> = .all
    ) async throws -> [(Key, repeat each Value)] where Key.Comparand == Date {
        try await grouped(
            query, by: Model.Fields()[keyPath: field].queryPath, per: .utc(part),
            repeat each functions)
    }

    /// Groups the entities that a query selects by the year, month or day of a date in a time zone,
    /// and computes aggregates of each group.
    ///
    /// ```swift
    /// let zone = TimeZone(identifier: "Europe/Vienna") ?? .gmt
    /// let days = try await visits.group(by: \.startedAt, per: .day, in: zone, .count)
    /// ```
    /// The runtime computes the days, so that every store uses the same rules.
    ///
    /// - Parameters:
    ///   - field: the date to group by.
    ///   - part: the period of a group.
    ///   - zone: the time zone. Each date belongs to a day by the rules of the zone at that time.
    ///   - functions: the aggregates.
    ///   - query: selects the entities. The default selects all.
    /// - Returns: the first day of the period and the value of each function, for each period with
    ///   entities.
    /// - Throws: `numberOverflow` if a sum exceeds its type, or if a date lies outside of the years
    ///   1 to 9999; `invalidQuery` or `unsupported`.
    public func group<each Value: Sendable>(
        by field: KeyPath<Model.Fields, QueryField<Model, Date>>,
        per part: DatePart, in zone: TimeZone, _ functions: repeat GroupFunction<Model, each Value>,
        from query: Query<Model> = .all
    ) async throws -> [(LocalDate, repeat each Value)] {
        try await grouped(
            query, by: Model.Fields()[keyPath: field].queryPath, per: .zone(part, zone),
            repeat each functions)
    }

    /// Groups the entities that a query selects by the year, month or day of an optional date in a
    /// time zone. The entities without a date form a group, which comes first.
    ///
    /// - Parameters:
    ///   - field: the date to group by.
    ///   - part: the period of a group.
    ///   - zone: the time zone. Each date belongs to a day by the rules of the zone at that time.
    ///   - functions: the aggregates.
    ///   - query: selects the entities. The default selects all.
    /// - Returns: the first day of the period and the value of each function, for each period with
    ///   entities; null first.
    /// - Throws: `numberOverflow` if a sum exceeds its type, or if a date lies outside of the years
    ///   1 to 9999; `invalidQuery` or `unsupported`.
    public func group<each Value: Sendable>(
        by field: KeyPath<Model.Fields, QueryField<Model, Date?>>,
        per part: DatePart, in zone: TimeZone, _ functions: repeat GroupFunction<Model, each Value>,
        from query: Query<Model> = .all
    ) async throws -> [(LocalDate?, repeat each Value)] {
        try await grouped(
            query, by: Model.Fields()[keyPath: field].queryPath, per: .zone(part, zone),
            repeat each functions)
    }

    /// Groups the entities that a query selects by the year or month of a day, and computes
    /// aggregates of each group.
    ///
    /// - Parameters:
    ///   - field: the day to group by.
    ///   - part: the period of a group.
    ///   - functions: the aggregates.
    ///   - query: selects the entities. The default selects all.
    /// - Returns: the first day of the period and the value of each function, for each period with
    ///   entities; null first.
    /// - Throws: `numberOverflow` if a sum exceeds its type, `invalidQuery` or `unsupported`.
    public func group<Key: OrderedFieldValue, each Value: Sendable>(
        by field: KeyPath<Model.Fields, QueryField<Model, Key>>,
        per part: DatePart, _ functions: repeat GroupFunction<Model, each Value>,
        from query: Query<Model> = .all
    ) async throws -> [(Key, repeat each Value)] where Key.Comparand == LocalDate {
        try await grouped(
            query, by: Model.Fields()[keyPath: field].queryPath,
            per: part == .day ? nil : .days(part), repeat each functions)
    }

    /// Groups by a field or a period, and decodes the results.
    private func grouped<Key: FieldValue, each Value: Sendable>(
        _ query: Query<Model>, by field: FieldPath, per period: GroupPeriod?,
        _ functions: repeat GroupFunction<Model, each Value>
    ) async throws -> [(Key, repeat each Value)] {
        let table = Model.Mapper.table
        var run = GroupRun(table.comparable(field), per: period)
        for function in repeat each functions {
            run.add(function.kind, table.comparable(function.path))
        }
        let groups: [GroupRun.Group]
        do {
            groups = try await self.groups(of: query, run)
        } catch is GroupPeriod.OutOfRange {
            throw CRUDRepositoryError.dayOutOfRange(field, in: table)
        }
        return try groups.map { group in
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
        let query = context.scoped(
            query.sortsByRelatives && query.isWhole ? query.unsorted : query)
        if query.namesRelatives,
            let resolved = try await context.withResolved(
                query, { try await Self($0).groups(of: $1, groups) })
        {
            return resolved
        }
        var groups = groups
        var run = try await run(query, needing: .paths(groups.paths))
        if let summary = groups.summary(in: Model.Mapper.table.layout),
            let rows = try await self.summary(of: run, summary)
        {
            return rows.map { groups.group(computed: $0) }
        }
        if query.maximum == nil, query.skipped == 0 {
            try await run.visitValues { values in
                try groups.add(values)
                return true
            }
        } else {
            // The order determines which entities the limit selects.
            for row in try await run.collect({ try groups.needed(of: $0.values) }) {
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

extension CRUDRepositoryError {
    /// Creates a `numberOverflow` error for a date that no ``LocalDate`` contains.
    fileprivate static func dayOutOfRange(_ path: FieldPath, in table: EntityTable) -> Self {
        let field = path.text(in: table.layout)
        return Self(
            .numberOverflow,
            "A date of '\(field)' in '\(table.name)' lies outside of the years 1 to 9999.",
            table: table.name, field: field)
    }
}
