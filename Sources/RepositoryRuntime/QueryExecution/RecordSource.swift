/// The records that a plan's access finds, some at a time.
struct RecordSource<E: Entity> {
    /// How many records are read at once.
    static var pageSize: Int { 256 }

    private let store: any EntityStore
    private var access: QueryPlan.Access
    private var last: E.ID?
    private var limit: Int
    /// Whether a selection is read at once, because all of it is kept anyhow.
    var readsWholeSelections = false
    /// The records of a scan, where the store keeps them in memory.
    private var kept: KeptRecords<E>?
    /// How many of the known ids were read, or of the scans made.
    private var position = 0
    /// Where the scan under way goes on; nil at its beginning.
    private var place: [StoredValue]?
    /// Whether a record may lie in several scans.
    private let scansOverlap: Bool
    /// Whether the store can end a scan midway and go on with it.
    private let scansWholly: Bool

    /// Starts at the beginning.
    ///
    /// - Parameters:
    ///   - last: the id after which a scan starts.
    ///   - limit: how many records are wanted at most, as far as it is known before they are tested.
    init(_ store: any EntityStore, _ access: QueryPlan.Access, after last: E.ID?, limit: Int) {
        self.store = store
        self.access = access
        self.last = last
        self.limit = limit
        scansWholly = store.capabilities.has(.indexScans)
        scansOverlap = if case .index(let scans) = access { scans.mayOverlap } else { false }
    }

    /// Takes back that some records were found, because they turned out not to be wanted.
    private mutating func discount(_ count: Int) {
        let sum = limit.addingReportingOverflow(count)
        limit = sum.overflow ? .max : sum.partialValue
    }

    /// The next records; nil after the last.
    mutating func nextPage() async throws -> RecordPage<E>? {
        try Task.checkCancellation()
        if case .scan = access, let keeper = store as? any RecordKeeper {
            kept = try KeptRecords(keeper, after: last)
            access = .nothing
        }
        if let kept { return kept.isAtEnd || limit <= 0 ? nil : .kept(kept, limit: limit) }
        return try await nextEntities().map { .entities($0) }
    }

    /// Goes on behind a page that was looked at.
    ///
    /// - Parameters:
    ///   - seen: how many records of it were.
    ///   - found: how many of these were wanted.
    mutating func leave(_ page: RecordPage<E>, seen: Int, found: Int) {
        if case .kept(let records, _) = page {
            kept = records
            limit -= seen
        }
        discount(seen - found)
    }

    private mutating func nextEntities() async throws -> [E]? {
        switch access {
        case .nothing:
            return nil
        case .ids(let ids):
            guard position < ids.count else { return nil }
            let page = ids[position..<min(ids.count, position + Self.pageSize)]
            position = page.endIndex
            return try await read(page)
        case .index(let scans):
            guard position < scans.count, limit > 0 else { return nil }
            return try await next(of: scans)
        case .selection(let selection):
            guard limit > 0 else { return nil }
            return try await next(of: selection)
        case .scan:
            guard limit > 0 else { return nil }
            let size = min(Self.pageSize, limit)
            let page = try await store.page(E.self, after: last, limit: size)
            limit -= page.count
            last = page.last?.id ?? last
            if page.count < size { access = .nothing }
            return page
        }
    }

    private mutating func next(of selection: StoreSelection) async throws -> [E] {
        var selection = selection
        let size = readsWholeSelections ? limit : min(Self.pageSize, limit)
        selection.maximum = size < .max ? size : nil
        let page = try await store.select(E.self, selection)
        limit -= min(limit, page.count)
        access = .nothing
        guard page.count == size, let entity = page.last else { return page }
        let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
        selection.after =
            selection.sortKeys.map { $0.path.value(in: row) } + E.Mapper.table.key.map { row[$0] }
        selection.skipped = 0
        access = .selection(selection)
        return page
    }

    private mutating func next(of scans: [IndexScan]) async throws -> [E] {
        var scan = scans[position]
        let earlier = scans[..<position]
        let size = scansWholly ? min(Self.pageSize, limit) : .max
        scan.after = place ?? scan.after
        let page = try await store.find(E.self, scan, limit: size)
        if page.count < size {
            place = nil
            position += 1
        } else if let entity = page.last {
            let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
            place = IndexScanOrder(scan, E.Mapper.table).place(of: row)
        }
        let found = scansOverlap ? try page.filter { try !isFound($0, by: earlier) } : page
        limit -= min(limit, found.count)
        return found
    }

    /// Whether one of the earlier scans has found a record already.
    private func isFound(_ entity: E, by earlier: ArraySlice<IndexScan>) throws -> Bool {
        let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
        return earlier.contains { IndexScanOrder($0, E.Mapper.table).contains(row) }
    }

    private func read(_ ids: ArraySlice<[StoredValue]>) async throws -> [E] {
        var found: [E] = []
        for components in ids {
            var fields = StoredValueDecoder(components)
            let id = try E.ID.decodeComponents(from: &fields)
            // Under such an id nothing can be stored.
            guard id.defect == nil else { continue }
            do {
                found.append(try await store.read(E.self, id: id))
            } catch let error as CRUDRepositoryError where error.code == .recordNotFound {
                continue
            }
        }
        return found
    }
}
