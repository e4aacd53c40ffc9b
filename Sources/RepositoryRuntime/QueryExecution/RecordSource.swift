/// Reads the records that the access of a plan finds, one page at a time.
///
/// Other tasks may write between two pages. A scan continues after the last id or the last index
/// position that it has read.
struct RecordSource<E: Entity> {
    /// The number of records read at once, unless the store has a reason for another one.
    static var pageSize: Int { 256 }
    private var pageSize: Int {
        wantedPageSize ?? (store as? any PagedStore)?.pageSize(E.self, usual: Self.pageSize)
            ?? Self.pageSize
    }
    /// The number of records that the caller wants a page to have; nil for what suits the store.
    var wantedPageSize: Int?

    /// The store to read from.
    private let store: any EntityStore
    /// The access of the plan. It becomes ``QueryPlan/Access/nothing`` at the end.
    private var access: QueryPlan.Access
    /// The id after which the next page of a scan starts.
    private var last: E.ID?
    /// The number of records still wanted; `Int.max` for no limit.
    private var limit: Int
    /// Whether all records are wanted.
    private let isUnlimited: Bool
    /// Whether a selection is read in one page, because the caller holds all of its records anyway.
    var readsWholeSelections = false
    /// Whether the next page is read while the one before it is used, if that helps in the store.
    var readsAhead = false
    /// The next page, if it is being read.
    private var ahead: ReadAhead<E>?
    /// Reads the rest of a scan or a selection, if the store has begun to.
    private var following: (any FollowingRecords<E>)?
    /// What a scan or a selection has read.
    private var progress = StreamProgress()
    /// The cursor of a scan, if the store holds its records in memory.
    private var kept: KeptRecords<E>?
    /// The number of ids read, or of index scans completed.
    private var position = 0
    /// The position after which the current index scan continues; nil at its beginning.
    private var place: [StoredValue]?
    /// Whether a record may lie in several scans.
    private let scansOverlap: Bool
    /// Whether the store can interrupt an index scan and continue it later.
    private let scansWholly: Bool

    /// Creates a source at the beginning.
    ///
    /// - Parameters:
    ///   - store: the store to read from.
    ///   - access: the access of the plan.
    ///   - last: the id after which a scan starts.
    ///   - limit: the maximum number of records wanted, as far as it is known before they are
    ///     tested.
    init(_ store: any EntityStore, _ access: QueryPlan.Access, after last: E.ID?, limit: Int) {
        self.store = store
        self.access = access
        self.last = last
        self.limit = limit
        isUnlimited = limit == .max
        scansWholly = store.capabilities.has(.indexScans)
        scansOverlap = if case .index(let scans) = access { scans.mayOverlap } else { false }
    }

    /// Raises the limit again by the number of records that turned out not to match.
    private mutating func discount(_ count: Int) {
        let sum = limit.addingReportingOverflow(count)
        limit = sum.overflow ? .max : sum.partialValue
    }

    /// Returns the next records; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, and errors of the store.
    mutating func nextPage() async throws -> RecordPage<E>? {
        try Task.checkCancellation()
        if case .scan = access, let keeper = store as? any RecordKeeper {
            kept = try KeptRecords(keeper, after: last)
            access = .nothing
        }
        if let kept { return kept.isAtEnd || limit <= 0 ? nil : .kept(kept, limit: limit) }
        return try await nextEntities().map { .entities($0) }
    }

    /// Accounts for a page that was visited. The next page starts after it.
    ///
    /// - Parameters:
    ///   - page: the page, with the cursor advanced by the visit.
    ///   - seen: the number of records visited.
    ///   - found: the number of visited records that matched.
    mutating func leave(_ page: RecordPage<E>, seen: Int, found: Int) {
        if case .kept(let records, _) = page {
            kept = records
            limit -= seen
        }
        discount(seen - found)
    }

    /// Returns the next page of an access that copies entities; nil at the end.
    mutating func nextEntities() async throws -> [E]? {
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
            if let paged = storeAhead { return try await nextOfScan(paged) }
            let size = min(pageSize, limit)
            let page = try await store.page(E.self, after: last, limit: size)
            limit -= page.count
            last = page.last?.id ?? last
            if page.count < size { access = .nothing }
            return page
        }
    }

    /// The store, if it reads ahead and this reading shall.
    private var storeAhead: (any PagedStore)? {
        guard readsAhead, let paged = store as? any PagedStore, paged.readsAhead else { return nil }
        return paged
    }

    /// Reads the next page of all records, and begins to read the one after it.
    private mutating func nextOfScan(_ store: any PagedStore) async throws -> [E] {
        func read(after id: E.ID?) -> PageReading {
            { try await store.undecodedPage(E.self, after: id, limit: $0) }
        }
        if let found = try await nextFollowing() { return found }
        let (page, isFull) = try await takePage(read(after: last))
        if !isFull {
            access = .nothing
        } else if let entity = page.last {
            last = entity.id
            if !beginFollowing(.all(after: entity.id), store) { beginPage(read(after: last)) }
        }
        return try page.entities()
    }

    /// Lets the store read the rest of a stream by itself, if it does so.
    ///
    /// A caller that wants pages of a certain size, or a certain number of records, gets pages.
    private mutating func beginFollowing(
        _ rest: StreamRest<E>, _ store: any PagedStore
    ) -> Bool {
        progress.pages += 1
        guard wantedPageSize == nil, isUnlimited else { return false }
        following = store.followingRecords(E.self, rest, progress)
        return following != nil
    }

    /// Returns the next records of the reader of the rest.
    ///
    /// - Returns: nil if there is no reader, or it has stopped.
    private mutating func nextFollowing() async throws -> [E]? {
        guard let following else { return nil }
        switch try await following.next() {
        case .records(let page):
            if let entity = page.last {
                if case .selection(var next) = access {
                    try next.goOn(after: entity)
                    access = .selection(next)
                } else {
                    last = entity.id
                }
            }
            return try page.entities()
        case .end:
            self.following = nil
            access = .nothing
            return []
        case .stopped:
            self.following = nil
            progress = progress.stopped
            return nil
        }
    }

    /// Reads the next page of a selection, and begins to read the one after it.
    private mutating func nextOfSelection(_ store: any PagedStore) async throws -> [E] {
        func read(_ selection: StoreSelection) -> PageReading {
            { size in
                var selection = selection
                selection.maximum = size
                return try await store.undecodedPage(E.self, selection)
            }
        }
        if let found = try await nextFollowing() { return found }
        guard case .selection(let selection) = access else { return [] }
        let (page, isFull) = try await takePage(read(selection))
        if !isFull {
            access = .nothing
        } else if let entity = page.last {
            var next = selection
            try next.goOn(after: entity)
            access = .selection(next)
            if !beginFollowing(.selection(next), store) { beginPage(read(next)) }
        }
        return try page.entities()
    }

    /// Reads a page of at most some records.
    private typealias PageReading = @Sendable (_ size: Int) async throws -> UndecodedPage<E>

    /// Returns the page that is being read, or reads it.
    ///
    /// - Returns: the page, and whether it has as many records as it can have.
    private mutating func takePage(
        _ read: PageReading
    ) async throws -> (page: UndecodedPage<E>, isFull: Bool) {
        let begun = ahead
        ahead = nil
        let size = begun?.size ?? min(pageSize, limit)
        let page = if let begun { try await begun.page() } else { try await read(size) }
        limit -= min(limit, page.count)
        return (page, page.count == size)
    }

    /// Begins to read the next page, if more records are wanted.
    private mutating func beginPage(_ read: @escaping PageReading) {
        let size = min(pageSize, limit)
        if size > 0 { ahead = ReadAhead(size) { try await read(size) } }
    }

    /// Reads the next page of a selection. The page after it starts at the position of its last
    /// record.
    private mutating func next(of selection: StoreSelection) async throws -> [E] {
        // Where related records determine the order, the position of a record is not known here.
        let readsWhole = readsWholeSelections || selection.sortsByRelatives
        if !readsWhole, let paged = storeAhead { return try await nextOfSelection(paged) }
        var selection = selection
        let size = readsWhole ? limit : min(pageSize, limit)
        selection.maximum = size < .max ? size : nil
        let page = try await store.select(E.self, selection)
        limit -= min(limit, page.count)
        access = .nothing
        guard page.count == size, let entity = page.last else { return page }
        try selection.goOn(after: entity)
        access = .selection(selection)
        return page
    }

    /// Reads the next page of the current index scan, without the records that an earlier scan
    /// found.
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

    /// Whether an earlier scan has already found a record.
    private func isFound(_ entity: E, by earlier: ArraySlice<IndexScan>) throws -> Bool {
        let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
        return earlier.contains { IndexScanOrder($0, E.Mapper.table).contains(row) }
    }

    /// Reads the records with these ids. Ids without a record are skipped.
    private func read(_ ids: ArraySlice<[StoredValue]>) async throws -> [E] {
        var found: [E] = []
        for components in ids {
            var fields = StoredValueDecoder(components)
            let id = try E.ID.decodeComponents(from: &fields)
            // No record can be stored with such an id.
            guard id.invalidReason == nil else { continue }
            do {
                found.append(try await store.read(E.self, id: id))
            } catch let error as CRUDRepositoryError where error.code == .recordNotFound {
                continue
            }
        }
        return found
    }
}

extension StoreSelection {
    /// Continues after an entity.
    fileprivate mutating func goOn<E: Entity>(after entity: E) throws {
        let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
        after = sortKeys.map { $0.path.value(in: row) } + E.Mapper.table.key.map { row[$0] }
        skipped = 0
    }
}
