internal import Foundation
internal import Synchronization

/// Listings in id order: counts, ids and pages.
///
/// Drivers list keys in any order, so that a page needs a listing of the whole table.
/// ``ListingCache`` keeps a window of the sorted ids for the following pages.
extension DocumentStore {
    /// Returns the number of entities of a type. Cost: one listing.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await readingRecords(of: E.Mapper.table) { [self] in
            try whole(E.Mapper.table.name) {
                var count = 0
                try visitIDs(type) { _ in count += 1 }
                return count
            }
        }
    }

    /// Returns all ids of a type, in id order. Cost: one listing and a sort.
    public func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try await readingRecords(of: E.Mapper.table) { [self] in
            try whole(E.Mapper.table.name) { try listed(type) }.sorted()
        }
    }

    /// Returns at most `limit` entities after an id, in id order.
    ///
    /// Reads without a lock first, and keeps batches out if other processes write during several
    /// attempts. While the table does not change, the following pages need no listing.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - id: The id before the first entity; nil for the start of the table.
    ///   - limit: The maximum number of entities.
    /// - Throws: `invalidRecord` if a document is damaged.
    public func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        for _ in 0..<Self.quietTries {
            if let page = try await quietPage(type, after: id, limit: limit) { return page }
        }
        let documents = try await readingRecords(of: E.Mapper.table) { [self] in
            try driver.withConsistentReads(of: E.Mapper.table.name) {
                var documents: [FoundDocument<E>] = []
                var window: IDWindow<E.ID>
                var last = id
                repeat {
                    window = try IDWindow(after: last) { try visitIDs(type, $0) }
                    for id in window.ids where documents.count < limit {
                        documents += try found([id])
                    }
                    last = window.ids.last ?? last
                } while documents.count < limit && !window.reachesEnd
                return documents
            }
        }
        return try await decoded(documents)
    }

    /// Reads a page in parts of 256 records. Returns nil if another process wrote in the meantime.
    private func quietPage<E: Entity>(
        _ type: E.Type, after id: E.ID?, limit: Int
    ) async throws -> [E]? {
        var page: [E] = []
        var last = id
        var state: QuietState?
        while page.count < limit {
            let (after, earlier) = (last, state)
            let found = try await readingRecords(of: E.Mapper.table) { [self] in
                try window(type, after: after, continuing: earlier)
            }
            guard let (now, window) = found else { return nil }
            state = now
            var rest = window.ids(after: last)
            while page.count < limit, !rest.isEmpty {
                let part = rest.prefix(min(limit - page.count, 256))
                rest = rest.dropFirst(part.count)
                let documents = try await readingRecords(of: E.Mapper.table) {
                    [self] () -> [FoundDocument<E>]? in
                    let documents: [FoundDocument<E>] = try self.found(part)
                    return try holds(now, E.Mapper.table.name) ? documents : nil
                }
                guard let documents else { return nil }
                page += try await decoded(documents)
                last = part.last
            }
            if rest.isEmpty, window.reachesEnd {
                // No page follows, so that the window is no longer needed.
                listings.forget(type)
                return page
            }
        }
        return page
    }

    /// Returns all ids of a type, unsorted.
    private func listed<E: Entity>(_ type: E.Type) throws -> [E.ID] {
        var ids: [E.ID] = []
        try visitIDs(type) { ids.append($0) }
        return ids
    }

    /// Passes each id of a type to a body, in any order. Skips keys that are not ids of the type.
    func visitIDs<E: Entity>(_ type: E.Type, _ body: (E.ID) throws -> Void) throws {
        try driver.visitRecordIDs(type, coder, body)
    }

    /// Returns a window of the sorted ids after an id.
    ///
    /// A window that was listed for an earlier page is reused if the table has not changed since.
    /// Returns nil during a write, and if the table has changed since the state of an earlier call.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - id: The id before the first one; nil for the start of the table.
    ///   - earlier: The state of the earlier calls of the same read; nil for the first call.
    ///   - reusingFirst: Whether the first window of the table may also be one that was listed for
    ///     an earlier read.
    func window<E: Entity>(
        _ type: E.Type, after id: E.ID?, continuing earlier: QuietState?,
        reusingFirst: Bool = false
    ) throws -> (QuietState, IDWindow<E.ID>)? {
        guard let state = try quietState(E.Mapper.table.name),
            earlier.map({ $0.stamp == state.stamp }) ?? true
        else { return nil }
        if let id, let window = listings.window(type, state.stamp), window.covers(after: id) {
            return (state, window)
        }
        if id == nil, reusingFirst, let window = listings.window(type, state.stamp),
            window.beginsTable
        {
            return (state, window)
        }
        let window = try IDWindow(after: id) { try visitIDs(type, $0) }
        guard try holds(state, E.Mapper.table.name) else { return nil }
        listings.keep(window, type, state.stamp)
        return (state, window)
    }
}

/// The sorted ids of tables that are being read page by page: at most one window per table.
///
/// With a cached window, a page does not cost a listing of the table. The cache is thread-safe.
final class ListingCache: Sendable {
    /// A window and the stamp of the table when it was listed.
    private struct Listing: Sendable {
        var stamp: DocumentStamp
        var window: any Sendable
    }

    /// The listings by entity type.
    private let listings = Mutex<[ObjectIdentifier: Listing]>([:])

    /// Removes all cached ids.
    func removeAll() { listings.withLock { $0 = [:] } }

    /// Returns the number of cached ids of a type.
    func count<E: Entity>(_ type: E.Type) -> Int {
        let listing = listings.withLock { $0[ObjectIdentifier(type)] }
        return (listing?.window as? IDWindow<E.ID>)?.ids.count ?? 0
    }

    /// Returns the cached window for a state of a table; nil if the table has changed since it was
    /// listed.
    func window<E: Entity>(_ type: E.Type, _ stamp: DocumentStamp?) -> IDWindow<E.ID>? {
        let listing = listings.withLock { $0[ObjectIdentifier(type)] }
        guard let listing, listing.stamp == stamp else { return nil }
        return listing.window as? IDWindow<E.ID>
    }

    /// Caches a window for a state of a table. Without a stamp, removes the cached window.
    func keep<E: Entity>(_ window: IDWindow<E.ID>, _ type: E.Type, _ stamp: DocumentStamp?) {
        listings.withLock { listings in
            listings[ObjectIdentifier(type)] = stamp.map { Listing(stamp: $0, window: window) }
        }
    }

    /// Removes the window of a type.
    func forget<E: Entity>(_ type: E.Type) {
        listings.withLock { $0[ObjectIdentifier(type)] = nil }
    }
}
