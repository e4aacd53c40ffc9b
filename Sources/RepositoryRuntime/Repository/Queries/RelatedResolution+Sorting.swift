/// The values of related records by which a query sorts, looked up before its records are read.
///
/// Each link costs one pass over the records of its table, or one read for each of their ids if an
/// index or the id finds the records of the query.
extension RelatedResolution {
    /// Returns the sort keys of a query with the values of related records.
    ///
    /// - Parameter query: the query, without conditions on related records.
    func known<E: Entity>(_ query: Query<E>) async throws -> [SortKey] {
        let known: [Set<StoredValue>?] =
            RelatedSide(sorting: query, in: store) == .record
            ? try await keys(of: query) : query.sortKeys.map { _ in nil }
        var sortKeys: [SortKey] = []
        for (key, known) in zip(query.sortKeys, known) {
            guard let relative = key.relative else {
                sortKeys.append(key)
                continue
            }
            let lookup = try await lookup(relative, of: E.self, among: known)
            sortKeys.append(SortKey(relative, key.direction, known: lookup))
        }
        return sortKeys
    }

    /// Returns the sort keys of a query with the values of related records for one record.
    ///
    /// - Parameter record: the field values of the record, by field index.
    func known<E: Entity>(
        _ query: Query<E>, of record: [StoredValue]
    ) async throws -> [SortKey] {
        var sortKeys: [SortKey] = []
        for key in query.sortKeys {
            guard let relative = key.relative else {
                sortKeys.append(key)
                continue
            }
            let own = RelatedKey(relative, E.Mapper.table).value(in: record)
            let lookup = try await lookup(relative, of: E.self, among: [own])
            sortKeys.append(SortKey(relative, key.direction, known: lookup))
        }
        return sortKeys
    }

    /// Returns what the records of a query are looked up by, for each of its sort keys.
    private func keys<E: Entity>(of query: Query<E>) async throws -> [Set<StoredValue>?] {
        let sources = query.sortKeys.map { key in
            key.relative.map { RelatedKey($0, E.Mapper.table) }
        }
        var found: [Set<StoredValue>?] = sources.map { $0 == nil ? nil : [] }
        var run = try QueryRun(
            Query<E>(query.condition, sortKeys: []), store,
            needing: .paths(sources.flatMap { $0?.paths ?? [] }))
        try await run.visitValues { values in
            for (place, source) in sources.enumerated() {
                if let source { found[place]?.insert(source.value(in: values)) }
            }
            return true
        }
        return found
    }

    /// Returns the values that related records determine for the records of an entity.
    ///
    /// - Parameter known: what the records are looked up by; nil for all records.
    func lookup<E: Entity>(
        _ value: RelatedValue, of type: E.Type, among known: Set<StoredValue>?
    ) async throws -> RelatedLookup {
        let key = RelatedKey(value, E.Mapper.table)
        switch value {
        case .field: return RelatedLookup(key, [:], missing: .null)
        case .behind(let link, let inner):
            let values = try await values(
                inner, behind: link, of: Self.entity(link), among: known)
            return RelatedLookup(key, values, missing: .null)
        case .count(let link, let join):
            let numbers = try await counts(
                link, through: join, Self.entity(link), among: known)
            return RelatedLookup(
                key, numbers.mapValues { .integer(Int64($0)) }, missing: .integer(0))
        }
    }

    /// Returns a value of each record of an entity that a link finds, by id.
    ///
    /// - Parameter known: the ids, which may be those of no record; nil for all records.
    private func values<Target: Entity>(
        _ value: RelatedValue, behind link: RecordLink, of target: Target.Type,
        among known: Set<StoredValue>?
    ) async throws -> [StoredValue: StoredValue] {
        let key = RelatedKey(value, Target.Mapper.table)
        let paths = if case .field(let path) = value { [path] } else { key.paths }
        var found: [StoredValue: StoredValue] = [:]
        for part in try parts(of: known?.subtracting([.null]), by: nil, target) {
            let query = Query<Target>(Condition(link.found(part)), sortKeys: [])
            var run = try QueryRun(query, store, needing: .paths(paths))
            try await run.visit { row in
                let own =
                    if case .field(let path) = value { path.value(in: row.values) } else {
                        key.value(in: row.values)
                    }
                found[try StoredValue(encoding: row.entity.id)] = own
                return true
            }
        }
        if case .field = value { return found }
        let lookup = try await lookup(
            value, of: target, among: known == nil ? nil : Set(found.values))
        return found.mapValues { lookup.value(of: $0) }
    }

    /// Returns the numbers of the records that refer to each key, or of the different records to
    /// which those refer. Keys without records have no entry.
    ///
    /// - Parameter known: the keys; nil for all.
    func counts<Found: Entity>(
        _ link: RecordLink, through join: RecordLink?, _ found: Found.Type,
        among known: Set<StoredValue>?
    ) async throws -> [StoredValue: Int] {
        guard let name = link.backReference else { return [:] }
        let field = try FieldPath(Found.self, name)
        let isServed = !RelatedSide.readsAll(of: found, by: field, in: store)
        var numbers: [StoredValue: Int] = [:]
        var others: [StoredValue: Set<StoredValue>] = [:]
        for part in try parts(of: isServed ? known : nil, by: name, found) {
            let query = Query<Found>(Condition(link.found(part)), sortKeys: [])
            let paths = [field] + [join?.reference].compactMap(\.self)
            var run = try QueryRun(query, store, needing: .paths(paths))
            if join == nil, let counted = try await groups(of: run, by: field) {
                numbers.merge(counted) { first, _ in first }
                continue
            }
            try await run.visitValues { values in
                let key = field.value(in: values)
                guard key != .null, known?.contains(key) ?? true else { return true }
                guard let other = join?.reference?.value(in: values) else {
                    numbers[key, default: 0] += 1
                    return true
                }
                if other != .null { others[key, default: []].insert(other) }
                return true
            }
        }
        guard let join else { return numbers }
        // A reference may lead to no record.
        let ids = others.values.reduce(into: Set<StoredValue>()) { $0.formUnion($1) }
        let stored = try await storedIDs(
            behind: join, of: Self.entity(join), among: known == nil ? nil : ids)
        return others.mapValues { $0.count(where: stored.contains) }
    }

    /// The numbers of records for each value of a field, counted by the store; nil if the runtime
    /// has to count.
    private func groups<Found: Entity>(
        of run: QueryRun<Found>, by field: FieldPath
    ) async throws -> [StoredValue: Int]? {
        guard let selection = run.wholeSelection,
            let rows = try await store.summary(
                Found.self, selection, StoreSummary(groups: [field], [.count]))
        else { return nil }
        return rows.reduce(into: [:]) { numbers, row in
            if row[0] != .null, case .integer(let count) = row[1] { numbers[row[0]] = Int(count) }
        }
    }

    /// The ids of the records of an entity that a link finds, or of those with some ids.
    private func storedIDs<Target: Entity>(
        behind link: RecordLink, of target: Target.Type, among known: Set<StoredValue>?
    ) async throws -> Set<StoredValue> {
        let path = FieldPath(Target.Mapper.table.key.first ?? 0)
        return Set(
            try await values(.field(path), behind: link, of: target, among: known).keys)
    }
}
