/// Scans of the ids, for tables without an index that starts with the first component of the id.
extension DocumentStore {
    /// Returns the entities whose ids a scan of the ids finds, in the order of the scan.
    ///
    /// No index contains the ids. The method lists all ids and reads only the documents of those it
    /// finds.
    func findByID<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) async throws -> [E] {
        guard limit > 0 else { return [] }
        for _ in 0..<Self.quietTries {
            if let found = try await quietlyFound(type, scan, limit: limit) { return found }
        }
        let documents = try await readingRecords(of: E.Mapper.table) { [self] in
            try driver.withConsistentReads(of: E.Mapper.table.name) {
                let form = IndexKeyForm(ids: E.Mapper.table)
                var ids: [E.ID] = []
                try visitIDs(type) { ids.append($0) }
                let found = try ids.sorted().slice(in: form.rest(of: scan), form)
                return try self.found(scan.first(limit, of: found)) as [FoundDocument<E>]
            }
        }
        return try await decoded(documents)
    }

    /// Reads the entities in parts of 256. Returns nil if another process wrote in the meantime.
    private func quietlyFound<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) async throws -> [E]? {
        let listed = try await readingRecords(of: E.Mapper.table) { [self] in
            try listedIDs(type, scan, limit: limit)
        }
        guard let (state, ids) = listed else { return nil }
        var entities: [E] = []
        var rest = ids[...]
        while !rest.isEmpty {
            let part = rest.prefix(256)
            rest = rest.dropFirst(part.count)
            let documents = try await readingRecords(of: E.Mapper.table) {
                [self] () -> [FoundDocument<E>]? in
                let documents: [FoundDocument<E>] = try found(part)
                return try holds(state, E.Mapper.table.name) ? documents : nil
            }
            guard let documents else { return nil }
            entities += try await decoded(documents)
        }
        return entities
    }

    /// Returns the ids that a scan finds, listed in windows. Returns nil if another process wrote
    /// in the meantime.
    private func listedIDs<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) throws -> (QuietState, [E.ID])? {
        let form = IndexKeyForm(ids: E.Mapper.table)
        let range = form.rest(of: scan)
        var found: [E.ID] = []
        var state: QuietState?
        var last: E.ID?
        while true {
            guard
                let (now, window) = try window(
                    type, after: last, continuing: state, reusingFirst: true)
            else {
                return nil
            }
            state = now
            found += try window.ids.slice(in: range, form)
            last = window.ids.last
            let isPastEnd = try last.map { last in
                let key = try form.key(values: StoredValueEncoder.components(of: last))
                return !(key < range.upper)
            }
            let isEnough = !scan.isReversed && found.count >= limit
            if window.reachesEnd || isPastEnd ?? true || isEnough {
                return (now, scan.first(limit, of: found[...]))
            }
        }
    }
}

extension IndexScan {
    /// Returns the first ids that a scan finds.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of ids.
    ///   - ids: All ids that the scan finds, in ascending order.
    fileprivate func first<ID>(_ limit: Int, of ids: ArraySlice<ID>) -> [ID] {
        isReversed ? Array(ids.reversed().prefix(limit)) : Array(ids.prefix(limit))
    }
}
