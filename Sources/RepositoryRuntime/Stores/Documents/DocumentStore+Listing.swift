internal import Foundation
internal import Synchronization

extension DocumentStore {
    /// The number of entities of a type.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await reading.run { [self] in try whole(E.Mapper.table.name) { try listed(type).count }
        }
    }

    /// All ids of a type, in id order.
    public func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try await reading.run { [self] in
            try whole(E.Mapper.table.name) { try listed(type) }.sorted()
        }
    }

    /// The entities after an id, in id order.
    public func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        for _ in 0..<Self.quietTries {
            if let page = try await quietPage(type, after: id, limit: limit) { return page }
        }
        let documents = try await reading.run { [self] in
            try driver.betweenBatches(of: E.Mapper.table.name) {
                let ids = try listed(type).sorted()
                let first = id.map { ids.firstIndex(after: $0) } ?? 0
                var documents: [FoundDocument<E>] = []
                for id in ids[first...] where documents.count < limit {
                    documents += try found([id])
                }
                return documents
            }
        }
        return try await decoded(documents)
    }

    /// A page, some records at a time; nil where somebody wrote meanwhile.
    private func quietPage<E: Entity>(
        _ type: E.Type, after id: E.ID?, limit: Int
    ) async throws -> [E]? {
        let listing = try await reading.run { [self] in try sortedIDs(type, after: id) }
        guard let (state, ids) = listing else { return nil }
        var rest = ids[(id.map { ids.firstIndex(after: $0) } ?? 0)...]
        var page: [E] = []
        while page.count < limit, !rest.isEmpty {
            let part = rest.prefix(min(limit - page.count, 256))
            rest = rest.dropFirst(part.count)
            let documents = try await reading.run { [self] () -> [FoundDocument<E>]? in
                let documents: [FoundDocument<E>] = try found(part)
                return try holds(state, E.Mapper.table.name) ? documents : nil
            }
            guard let documents else { return nil }
            page += try await decoded(documents)
        }
        return page
    }

    private func listed<E: Entity>(_ type: E.Type) throws -> [E.ID] {
        try driver.keys(in: E.Mapper.table.name).compactMap { E.ID(documentKey: $0) }
    }

    /// The ids in their order; for a later page those of the first, as long as nobody has written since. Nil where somebody
    /// writes.
    private func sortedIDs<E: Entity>(
        _ type: E.Type, after id: E.ID?
    ) throws -> (QuietState, [E.ID])? {
        guard let state = try quietState(E.Mapper.table.name) else { return nil }
        if id != nil, let ids = listings.ids(type, state.stamp) { return (state, ids) }
        let ids = try listed(type).sorted()
        guard try holds(state, E.Mapper.table.name) else { return nil }
        listings.keep(ids, type, state.stamp)
        return (state, ids)
    }
}

/// The sorted ids of the tables that are being read page by page, so that a page does not cost a listing.
final class ListingCache: Sendable {
    private struct Listing: Sendable {
        var stamp: DocumentStamp
        var ids: any Sendable
    }

    private let listings = Mutex<[ObjectIdentifier: Listing]>([:])

    /// The ids kept for this state of a table.
    func ids<E: Entity>(_ type: E.Type, _ stamp: DocumentStamp?) -> [E.ID]? {
        let listing = listings.withLock { $0[ObjectIdentifier(type)] }
        guard let listing, listing.stamp == stamp else { return nil }
        return listing.ids as? [E.ID]
    }

    /// Keeps ids of a state of a table; those that nothing is known of are not kept.
    func keep<E: Entity>(_ ids: [E.ID], _ type: E.Type, _ stamp: DocumentStamp?) {
        listings.withLock { listings in
            listings[ObjectIdentifier(type)] = stamp.map { Listing(stamp: $0, ids: ids) }
        }
    }
}
