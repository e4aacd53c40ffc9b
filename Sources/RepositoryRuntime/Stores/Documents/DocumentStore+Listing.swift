internal import Foundation
internal import Synchronization

extension DocumentStore {
    /// The number of entities of a type.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await reading.run { [self] in try listed(type).count }
    }

    /// All ids of a type, in id order.
    public func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try await reading.run { [self] in try listed(type).sorted() }
    }

    /// The entities after an id, in id order.
    public func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        let ids = try await reading.run { [self] in try sortedIDs(type, after: id) }
        var rest = ids[(id.map { ids.firstIndex(after: $0) } ?? 0)...]
        var page: [E] = []
        while page.count < limit, !rest.isEmpty {
            let part = rest.prefix(min(limit - page.count, 256))
            rest = rest.dropFirst(part.count)
            page += try await records(part)
        }
        return page
    }

    /// The entities that a scan of an index finds, in its order.
    public func find<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) async throws -> [E] {
        try scan.check(type, in: name)
        let form = IndexKeyForm(E.Mapper.table, E.Mapper.table.indexes[scan.index])
        var found: [E] = []
        var last: IndexKey?
        while found.count < limit {
            let size = min(limit - found.count, 256)
            let keys = try await keys(type, scan, form, after: last, limit: size)
            let ids: [E.ID] = try keys.map { try form.known($0) }
            let read: [E] = try await records(ids[...])
            var records: [E.ID: E] = [:]
            for record in read { records[record.id] = record }
            for (key, id) in zip(keys, ids) {
                // One that was written meanwhile stands elsewhere in the index by now.
                guard let record = records[id], try form.key(of: StoreTable.row(of: record)) == key
                else { continue }
                found.append(record)
            }
            last = keys.last
            if keys.count < size { break }
        }
        return found
    }

    /// The keys that a scan finds: without a lock, unless the indexes do not fit or others write all the time.
    private func keys<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, _ form: IndexKeyForm, after last: IndexKey?,
        limit: Int
    ) async throws -> [IndexKey] {
        let found: [IndexKey]? = try await reading.run { [self] in
            for _ in 0..<3 {
                let keys = try state.withLock { state in
                    let table = try state.tables.table(type).committed
                    return try table.indexes?.read {
                        try table.keys(scan.index).walk(scan, form, after: last, limit: limit)
                    }
                }
                if let keys { return keys }
            }
            return nil
        }
        if let found { return found }
        return try await alone { [self] in
            try driver.recover()
            return try state.withLock { state in
                let table = try state.tables.table(type).committed
                try table.refreshIndexes()
                return try table.repairing {
                    try table.keys(scan.index).walk(scan, form, after: last, limit: limit)
                }
            }
        }
    }

    /// The records of those of the ids that are there.
    private func records<E: Entity>(_ ids: ArraySlice<E.ID>) async throws -> [E] {
        let table = E.Mapper.table.name
        let documents = try await reading.run { [driver] in
            try ids.compactMap { id in
                try driver.get(id.description, in: table).map { (id: id, data: $0) }
            }
        }
        var records: [E] = []
        records.reserveCapacity(documents.count)
        for (id, data) in documents {
            records.append(try await coder.decode(data, E.self, id: id))
        }
        return records
    }

    private func listed<E: Entity>(_ type: E.Type) throws -> [E.ID] {
        try driver.keys(in: E.Mapper.table.name).compactMap { E.ID(documentKey: $0) }
    }

    /// The ids in their order; for a later page those of the first, as long as nobody has written since.
    private func sortedIDs<E: Entity>(_ type: E.Type, after id: E.ID?) throws -> [E.ID] {
        let stamp = try driver.stamp(of: E.Mapper.table.name)
        if id != nil, let ids = listings.ids(type, stamp) { return ids }
        let ids = try listed(type).sorted()
        listings.keep(ids, type, stamp)
        return ids
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
