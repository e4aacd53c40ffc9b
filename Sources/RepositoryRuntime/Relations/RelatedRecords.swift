/// Loads the records related to each of some keys.
///
/// A key is the id of a parent record, in the encoding of the reference fields. ``RelationLoader``
/// uses it for both kinds of ``RelationLink``.
struct RelatedRecords<Related: Entity> {
    private let context: RepositoryContext
    /// The declared sort order of the relation. The id is appended by the query.
    private let sortKeys: [SortKey]
    private let limit: Int?

    /// Creates a loader with a sort order: property names, with a leading `-` for descending order.
    init(_ context: RepositoryContext, sortedBy order: [String], limit: Int?) {
        self.context = context
        self.limit = limit
        sortKeys = order.compactMap { name in
            let descends = name.hasPrefix("-")
            let property = descends ? String(name.dropFirst()) : name
            return Related.Mapper.layout.indexByKey[property].map {
                SortKey(path: FieldPath($0), direction: descends ? .descending : .ascending)
            }
        }
    }

    /// The records that refer to each key through the field `name`.
    func referring(
        by name: String, to keys: [StoredValue]
    ) async throws -> [StoredValue: [Related]] {
        guard let first = keys.first else { return [:] }
        let field = try FieldPath(Related.self, name)
        let plan = QueryPlan(query(.compare(field, .equal, first)), context.store)
        let size = KeyChunk.size(for: field, of: Related.self, plan)
        if size == 1 || keys.count == 1 { return try await referring(toEach: keys, by: field) }
        var gathered = GatheredRecords<Related>(order, limit: limit)
        for chunk in keys.chunks(ofAtMost: size) {
            try await context.visit(query(.isIn(field, Set(chunk))), mostOfEach: share(of: field)) {
                gathered.insert($0, $1, for: field.value(in: $1))
            }
        }
        return gathered.results
    }

    /// Runs one query per key. With a limit, a store that delivers the order from an index reads no
    /// more records than needed.
    private func referring(
        toEach keys: [StoredValue], by field: FieldPath
    ) async throws -> [StoredValue: [Related]] {
        var results: [StoredValue: [Related]] = [:]
        for key in keys {
            let query = query(.compare(field, .equal, key), limit)
            var run = try QueryRun(query, context.store)
            try context.admit(query, run.plan)
            results[key] = try await run.collect(\.entity)
        }
        return results
    }

    /// The records that a join entity connects to each key.
    ///
    /// - Parameters:
    ///   - from: the property of the join entity that refers to the key.
    ///   - to: the property of the join entity that refers to the related record.
    func joined<Join: Entity>(
        by join: Join.Type, from: String, to: String, of keys: [StoredValue]
    ) async throws -> [StoredValue: [Related]] {
        let joins = JoinedKeys<Join>(
            from: try FieldPath(Join.self, from), to: try FieldPath(Join.self, to))
        let parents = try await joins.parents(of: keys, context)
        var gathered = GatheredRecords<Related>(order, limit: limit)
        let ids = try parents.keys.map { try StoredValueDecoder.value(Related.ID.self, $0) }
        try await context.visit(ids.sorted()) { (entity: Related, values) in
            for key in parents[try StoredValue(encoding: entity.id)] ?? [] {
                gathered.insert(entity, values, for: key)
            }
        }
        return gathered.results
    }

    /// A query of related records in the order of the relation.
    private func query(_ condition: ConditionTree, _ maximum: Int? = nil) -> Query<Related> {
        context.scoped(Query(Condition(condition), sortKeys: sortKeys, maximum: maximum))
    }

    /// The order by which records found by several queries are ranked.
    private var order: RowOrder {
        RowOrder(query(.constant(true)).sortKeys, Related.Mapper.table)
    }

    /// The limit as a store selection, which lets a database rank the records of each key itself.
    private func share(of field: FieldPath) -> StoreSelection.Share? {
        limit.map { StoreSelection.Share(field, maximum: $0) }
    }
}

/// The records found for each key, sorted by a query's order and limited to a number per key.
///
/// Memory is bounded by the limit: a record ranked beyond it is dropped when it is inserted.
struct GatheredRecords<Related: Entity> {
    private var rows: [StoredValue: RankedRows<Related>] = [:]
    private let order: RowOrder
    private let capacity: Int

    init(_ order: RowOrder, limit: Int?) {
        self.order = order
        capacity = limit ?? .max
    }

    /// Adds a record to those of a key.
    ///
    /// - Parameter values: the field values of the record, by field index.
    mutating func insert(_ entity: Related, _ values: [StoredValue], for key: StoredValue) {
        rows[key, default: RankedRows(capacity: capacity)]
            .insert(order.key(of: values), entity)
    }

    /// The records by key. Keys without records have no entry.
    var results: [StoredValue: [Related]] { rows.mapValues { $0.result(dropping: 0) } }
}
