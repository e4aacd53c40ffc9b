/// The records that belong to each of some keys, which are ids as references to them are stored.
struct RelatedRecords<Related: Entity> {
    private let context: RepositoryContext
    private let sortKeys: [SortKey]
    private let limit: Int?

    /// Loads in an order, given as the names of properties with `-` before a descending one.
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

    /// The records that refer to each key by a field.
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

    /// Asks for the records of each key by itself, so that no more is read than is wanted of it where the store knows
    /// the order.
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

    /// The records that others join to each key.
    ///
    /// - Parameters:
    ///   - from: the property of those others that refers to the key.
    ///   - to: their property that refers to what is loaded.
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

    private func query(_ condition: ConditionTree, _ maximum: Int? = nil) -> Query<Related> {
        Query(Condition(condition), sortKeys: sortKeys, maximum: maximum)
    }

    private var order: RowOrder {
        RowOrder(query(.constant(true)).sortKeys, Related.Mapper.table)
    }

    private func share(of field: FieldPath) -> StoreSelection.Share? {
        limit.map { StoreSelection.Share(field, maximum: $0) }
    }
}

/// The records found for each key, in the order of a query, as many as are wanted.
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
    /// - Parameter values: its fields, by index.
    mutating func insert(_ entity: Related, _ values: [StoredValue], for key: StoredValue) {
        rows[key, default: RankedRows(capacity: capacity)]
            .insert(order.key(of: values), entity)
    }

    /// The records of each key that has any.
    var results: [StoredValue: [Related]] { rows.mapValues { $0.result(dropping: 0) } }
}

extension FieldPath {
    /// The place of a property.
    ///
    /// - Throws: `invalidQuery` where the entity has none of the name, which is not generated.
    fileprivate init<E: Entity>(_ type: E.Type, _ property: String) throws {
        let table = E.Mapper.table
        guard let field = table.layout.indexByKey[property] else {
            throw CRUDRepositoryError.invalidQuery(
                "It has no field '\(property)'.", table: table.name)
        }
        self.init(field)
    }
}
