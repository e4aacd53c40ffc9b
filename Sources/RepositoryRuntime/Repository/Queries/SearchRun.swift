internal import StoredSchema

/// The execution of a search: finds the records, ranks them, and keeps those that are wanted.
struct SearchRun<E: Entity> {
    /// A record that was found.
    struct Row {
        /// The record.
        var entity: E
        /// The integers of its rank and the components of its id.
        var position: [StoredValue]
    }

    /// The words.
    let search: SearchQuery
    /// The condition, limit and offset; without a cursor.
    let query: Query<E>
    /// The position after which the results start; nil for the beginning.
    private let start: IndexKey?
    /// Identifies the search in cursors.
    private let cursorOrder: String

    /// Validates a search.
    ///
    /// - Throws: `invalidQuery`.
    init(_ search: SearchQuery, _ query: Query<E>) throws {
        let table = E.Mapper.table
        guard query.sortKeys.isEmpty else {
            throw CRUDRepositoryError.invalidQuery(
                "A search orders its results by rank; its query must not sort.", table: table.name)
        }
        self.search = search
        self.query = query.withoutStart
        // The cursor may be shown to others: it holds a hash of the words.
        let words = SHA256.hexadecimal(of: Array(search.canonicalText.utf8))
        cursorOrder = "\(table.name)?\(words)"
        _ = try QueryEvaluator(self.query)
        guard let cursor = query.start else {
            start = nil
            return
        }
        guard cursor.order == cursorOrder,
            cursor.position.count == SearchRank.isDescending.count + table.key.count
        else {
            throw CRUDRepositoryError.invalidQuery(
                "Its cursor is of another search.", table: table.name)
        }
        start = Self.key(of: cursor.position)
    }

    private init(_ other: Self, _ query: Query<E>) {
        search = other.search
        start = other.start
        cursorOrder = other.cursorOrder
        self.query = query
    }

    /// Returns the same search with another condition.
    func with(_ query: Query<E>) -> Self { Self(self, query) }

    /// Returns the cursor that points after a row.
    func cursor(after row: Row) -> QueryCursor {
        QueryCursor(order: cursorOrder, position: row.position)
    }

    /// Returns the results, best first.
    func rows(in store: any EntityStore) async throws -> [Row] {
        guard !search.isEmpty, capacity > query.skipped else { return [] }
        guard store.capabilities.has(.queries) else {
            throw CRUDRepositoryError.unsupported("queries", by: store.name)
        }
        // Only the store itself evaluates conditions on related records that were not replaced.
        guard !query.namesRelatives else { return try await scannedRows(in: store) }
        var best = search
        best.wanted = capacity
        // If records have changed since the index was read, the best ones may not be enough.
        for search in isPlain ? [best, search] : [search] {
            guard let hits = try await store.search(E.self, search) else { break }
            if let rows = try await rows(of: hits, in: store) { return rows }
        }
        return try await scannedRows(in: store)
    }

    /// Whether the first hits are the results, unless records change meanwhile.
    private var isPlain: Bool {
        query.condition.tree.conjuncts.isEmpty && start == nil && capacity < .max
    }

    /// The number of rows to find, including the skipped ones.
    var capacity: Int {
        let sum = query.skipped.addingReportingOverflow(query.maximum ?? .max)
        return sum.overflow ? .max : sum.partialValue
    }

    /// Returns the results among the hits of an index.
    ///
    /// Every record that is read is ranked again. Records whose rank the index knows are read best
    /// first, until enough of them satisfy the condition.
    ///
    /// - Returns: the results; nil if further hits are needed, because records have changed since
    ///   the index was read.
    private func rows(of hits: SearchHits, in store: any EntityStore) async throws -> [Row]? {
        var ranked = RankedRows<Row>(capacity: capacity)
        _ = try await read(hits.unranked[...], in: store, &ranked)
        var best = hits.ranked.compactMap { hit -> (place: IndexKey, id: [StoredValue])? in
            let place = Self.key(of: hit.rank.values + hit.id)
            if let start, !(start < place) { return nil }
            return (place, hit.id)
        }
        best.sort { $0.place < $1.place }
        let ids = best.map(\.id)
        var found = 0
        var position = 0
        while position < ids.count, found < capacity {
            let end = min(ids.count, position + step(after: found))
            found += try await read(ids[position..<end], in: store, &ranked)
            position = end
        }
        if found < capacity, !hits.isComplete { return nil }
        return ranked.result(dropping: query.skipped)
    }

    /// The number of records that are read at once, after some results were found.
    private func step(after found: Int) -> Int {
        min(max(capacity - found, 16), RecordSource<E>.pageSize)
    }

    /// The number of records that are read if each of them is a result.
    ///
    /// - Parameter count: the number of records whose rank is known.
    func plannedReads(of count: Int) -> Int {
        var reads = 0
        while reads < min(count, capacity) { reads = min(count, reads + step(after: reads)) }
        return reads
    }

    /// Reads records, and inserts those that the search finds.
    ///
    /// - Returns: the number of inserted records.
    private func read(
        _ ids: ArraySlice<[StoredValue]>, in store: any EntityStore, _ ranked: inout RankedRows<Row>
    ) async throws -> Int {
        guard !ids.isEmpty else { return 0 }
        let fields = E.Mapper.table.searchedFields
        let all = Query<E>(query.condition, sortKeys: [])
        var run = try QueryRun(all, store, reading: Array(ids))
        var count = 0
        try await run.visit { row in
            let entity = row.entity
            let values = try StoredValueEncoder.values(of: entity, E.Mapper.self)
            guard let rank = SearchedWords(values, fields).rank(in: search) else { return true }
            let position = rank.values + E.Mapper.table.key.map { values[$0] }
            let place = Self.key(of: position)
            if let start, !(start < place) { return true }
            count += 1
            ranked.insert(place, Row(entity: entity, position: position))
            return true
        }
        return count
    }

    /// Returns the results, after reading every record that satisfies the condition.
    private func scannedRows(in store: any EntityStore) async throws -> [Row] {
        let table = E.Mapper.table
        let (fields, key) = (table.searchedFields, table.key)
        var ranked = RankedRows<Row>(capacity: capacity)
        let all = Query<E>(query.condition, sortKeys: [])
        let paths = (fields + key).map { FieldPath($0) }
        var run = try QueryRun(all, store, needing: .paths(paths))
        try await run.visit { row in
            guard let rank = SearchedWords(row.values, fields).rank(in: search) else { return true }
            let position = rank.values + key.map { row.values[$0] }
            let place = Self.key(of: position)
            if let start, !(start < place) { return true }
            ranked.insert(place, Row(entity: row.entity, position: position))
            return true
        }
        return ranked.result(dropping: query.skipped)
    }

    /// Returns the bytes of a position, which compare in the order of the results.
    private static func key(of position: [StoredValue]) -> IndexKey {
        let table = E.Mapper.table
        var writer = IndexKeyWriter()
        for (value, descends) in zip(position, SearchRank.isDescending) {
            writer.append(value, .int64, descending: descends)
        }
        for (value, field) in zip(position.dropFirst(SearchRank.isDescending.count), table.key) {
            writer.append(value, table.layout.fields[field].type, descending: false)
        }
        return IndexKey(writer.bytes)
    }
}
