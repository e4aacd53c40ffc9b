internal import Foundation
internal import Synchronization

extension DocumentStore {
    /// The number of entities of a type.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await reading.run { [self] in
            try whole(E.Mapper.table.name) {
                var count = 0
                try visitIDs(type) { _ in count += 1 }
                return count
            }
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

    /// A page, some records at a time; nil where somebody wrote meanwhile.
    private func quietPage<E: Entity>(
        _ type: E.Type, after id: E.ID?, limit: Int
    ) async throws -> [E]? {
        var page: [E] = []
        var last = id
        var state: QuietState?
        while page.count < limit {
            let (after, earlier) = (last, state)
            let found = try await reading.run { [self] in
                try window(type, after: after, continuing: earlier)
            }
            guard let (now, window) = found else { return nil }
            state = now
            var rest = window.ids(after: last)
            while page.count < limit, !rest.isEmpty {
                let part = rest.prefix(min(limit - page.count, 256))
                rest = rest.dropFirst(part.count)
                let documents = try await reading.run { [self] () -> [FoundDocument<E>]? in
                    let documents: [FoundDocument<E>] = try self.found(part)
                    return try holds(now, E.Mapper.table.name) ? documents : nil
                }
                guard let documents else { return nil }
                page += try await decoded(documents)
                last = part.last
            }
            if rest.isEmpty, window.reachesEnd {
                // Whoever reads on from here finds nothing more.
                listings.forget(type)
                return page
            }
        }
        return page
    }

    private func listed<E: Entity>(_ type: E.Type) throws -> [E.ID] {
        var ids: [E.ID] = []
        try visitIDs(type) { ids.append($0) }
        return ids
    }

    func visitIDs<E: Entity>(_ type: E.Type, _ body: (E.ID) throws -> Void) throws {
        try driver.visitKeys(in: E.Mapper.table.name) { key in
            if let id = E.ID(documentKey: key) { try body(id) }
        }
    }

    /// The ids after one, in their order; for a later page those that were found for an earlier one, as long as nobody has
    /// written since. Nil where somebody writes, or has written since the state of an earlier call.
    ///
    /// - Parameter reusingFirst: whether the first window, too, may be one that was listed for an earlier call.
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

/// The sorted ids of the tables that are being read page by page, so that a page does not cost a listing: one window for each.
final class ListingCache: Sendable {
    private struct Listing: Sendable {
        var stamp: DocumentStamp
        var window: any Sendable
    }

    private let listings = Mutex<[ObjectIdentifier: Listing]>([:])

    /// How many ids are kept of a type.
    func count<E: Entity>(_ type: E.Type) -> Int {
        let listing = listings.withLock { $0[ObjectIdentifier(type)] }
        return (listing?.window as? IDWindow<E.ID>)?.ids.count ?? 0
    }

    /// The ids kept for this state of a table.
    func window<E: Entity>(_ type: E.Type, _ stamp: DocumentStamp?) -> IDWindow<E.ID>? {
        let listing = listings.withLock { $0[ObjectIdentifier(type)] }
        guard let listing, listing.stamp == stamp else { return nil }
        return listing.window as? IDWindow<E.ID>
    }

    /// Keeps ids of a state of a table; those that nothing is known of are not kept.
    func keep<E: Entity>(_ window: IDWindow<E.ID>, _ type: E.Type, _ stamp: DocumentStamp?) {
        listings.withLock { listings in
            listings[ObjectIdentifier(type)] = stamp.map { Listing(stamp: $0, window: window) }
        }
    }

    /// Gives up the ids of a type.
    func forget<E: Entity>(_ type: E.Type) {
        listings.withLock { $0[ObjectIdentifier(type)] = nil }
    }
}
