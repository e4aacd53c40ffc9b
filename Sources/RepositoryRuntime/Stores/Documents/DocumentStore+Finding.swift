internal import Foundation
internal import Synchronization

/// Index scans: walking index pages and reading the records they refer to.
extension DocumentStore {
    /// Returns the entities that an index scan finds, in the order of the index.
    ///
    /// A scan of the ids uses an index that starts with the first component of the id, if there is
    /// one.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - scan: The scan.
    ///   - limit: The maximum number of entities.
    public func find<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) async throws -> [E] {
        try scan.check(type, in: name)
        let table = E.Mapper.table
        if scan.index != IndexScan.ids {
            let form = IndexKeyForm(table, table.indexes[scan.index])
            return try await find(type, scan, form, limit: limit)
        }
        let forms = TableIndexForms(table)
        guard let other = forms.indexScan(for: scan, key: table.key) else {
            return try await findByID(type, scan, limit: limit)
        }
        return try await find(type, other, forms.forms[other.index], limit: limit)
    }

    /// Scans a stored index in parts of at most 256 keys, so that memory does not depend on the
    /// size of the index.
    private func find<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, _ form: IndexKeyForm, limit: Int
    ) async throws -> [E] {
        var found: [E] = []
        var last: IndexKey?
        while found.count < limit {
            let size = min(limit - found.count, 256)
            let part = IndexPart<E>(scan: scan, form: form, after: last, limit: size)
            let (keys, documents) = try await read(part)
            var records: [E.ID: E] = [:]
            for record in try await decoded(documents) { records[record.id] = record }
            for key in keys {
                // A concurrent write may have changed the record; its key in the index is then
                // another one.
                guard let record = records[try form.known(key)],
                    try form.key(of: StoreTable.row(of: record)) == key
                else { continue }
                found.append(record)
            }
            last = keys.last
            if keys.count < size { break }
        }
        return found
    }

    /// Reads a part of the keys and their records.
    ///
    /// Reads without a lock first. If another process writes during each attempt, reads between its
    /// batches. If the indexes do not match the records, takes the lock and repairs them.
    private func read<E: Entity>(
        _ part: IndexPart<E>
    ) async throws -> ([IndexKey], [FoundDocument<E>]) {
        let table = E.Mapper.table.name
        let read: ([IndexKey], [FoundDocument<E>])? = try await readingRecords(of: E.Mapper.table) {
            [self] in
            for _ in 0..<Self.quietTries {
                guard let quiet = try quietState(table),
                    let keys = try state.withLock({ try walked(part, $0, quiet.stamp) })
                else { continue }
                let documents = try documents(part, keys)
                if try holds(quiet, table) { return (keys, documents) }
            }
            // Acquire the mutex before the lock of the batches, in the same order as a write.
            return try state.withLock { state in
                try driver.withConsistentReads(of: table) {
                    try walked(part, state).map { ($0, try documents(part, $0)) }
                }
            }
        }
        if let read { return read }
        return try await alone { [self] in
            try driver.recover()
            try requireFittingDescription()
            return try state.withLock { state in
                let table = try state.tables.table(E.self).committed
                try table.refreshIndexes()
                return try table.repairing {
                    let keys = try part.walk(table)
                    return (keys, try documents(part, keys))
                }
            }
        }
    }

    /// Returns the keys of a part; nil if the indexes do not match the records or if another
    /// process has written.
    ///
    /// - Parameter stamp: The current stamp of the table, from a caller that checks afterwards that
    ///   the stamp is still the same.
    private func walked<E: Entity>(
        _ part: IndexPart<E>, _ state: State, _ stamp: DocumentStamp? = nil
    ) throws -> [IndexKey]? {
        let table = try state.tables.table(E.self).committed
        return try table.indexes?.read(stamp) { try part.walk(table) }
    }

    /// Reads the documents of keys.
    private func documents<E: Entity>(
        _ part: IndexPart<E>, _ keys: [IndexKey]
    ) throws -> [FoundDocument<E>] {
        try found(keys.map { try part.form.known($0) })
    }
}

/// A part of an index scan: at most `limit` keys after a key.
private struct IndexPart<E: Entity>: Sendable {
    let scan: IndexScan
    let form: IndexKeyForm
    /// The last key of the previous part; nil for the first part.
    let after: IndexKey?
    let limit: Int

    /// Returns the keys of the part.
    func walk(_ table: CommittedTable<E>) throws -> [IndexKey] {
        try table.keys(scan.index).walk(scan, form, after: after, limit: limit)
    }
}
