internal import Foundation

/// The indexes of a table, stored in documents of a separate collection: pages of keys, a directory
/// per index, and a state that describes which records they cover.
///
/// The indexes change in the same batch as the records. They are rebuilt from the records in these
/// cases:
///
/// - The state, a directory or a page is missing, damaged, or built for another definition of the
///   table.
/// - The state does not cover the listed documents. This is checked at the first use and after
///   another process or program has written.
///
/// One thread at a time uses an instance, inside the store's mutex.
final class DocumentIndexes<Storage: TableStorage>: CommittedIndexes {
    /// The indexes in one state of the documents.
    struct Loaded {
        /// The stamp of the records' collection; nil if the driver has none.
        var stamp: DocumentStamp?
        /// The stored state.
        var state: DocumentIndexState
        /// The directory of each index.
        var directories: [IndexDirectory]
        /// The page cache of each index.
        var caches: [DocumentPageCache]
    }

    /// The records. The committed table owns both the storage and the indexes.
    unowned let storage: Storage
    let driver: any DocumentDriver
    /// The definitions of the indexes, in the order of their positions.
    let forms: TableIndexForms
    /// The collection of the records.
    let collection: String
    /// The hash of the definition of the indexes.
    let fingerprint: String
    /// Receives the document changes of a running write.
    private let staged: StagedChanges
    /// The committed indexes; nil before the first use and after damage was found.
    private var loaded: Loaded?
    /// The indexes as the running write will leave them.
    private var pending: Loaded?

    /// Creates the indexes of a table; does not read them.
    ///
    /// - Parameters:
    ///   - storage: The records.
    ///   - forms: The definitions of the indexes.
    ///   - collection: The collection of the records.
    ///   - driver: The documents.
    ///   - format: The format of the records.
    ///   - staged: Receives the document changes of a running write.
    init(
        _ storage: Storage, _ forms: TableIndexForms, in collection: String,
        of driver: any DocumentDriver, format: String, staged: StagedChanges
    ) {
        self.storage = storage
        self.forms = forms
        self.collection = collection
        self.driver = driver
        self.staged = staged
        fingerprint = Storage.Model.Mapper.table.indexFingerprint(format: format)
    }

    /// The collection that contains the indexes.
    var ownCollection: String { DocumentIndexNames.collection(of: collection) }

    /// Loads the indexes if another process has written since, and rebuilds them if they do not
    /// match the records.
    ///
    /// The caller holds the driver's lock. If the stamp is unchanged, the call takes constant time;
    /// otherwise it lists the records.
    func refresh() throws {
        let stamp = try driver.stamp(of: collection)
        if let stamp, stamp == loaded?.stamp { return }
        if let found = try load(stamp) {
            loaded = found
        } else {
            try rebuild()
        }
    }

    /// Runs a body that reads keys without the driver's lock. Returns nil if the indexes do not
    /// match the records or if another process wrote during the body.
    ///
    /// - Parameters:
    ///   - known: The current stamp of the table, from a caller that compares the stamps itself
    ///     afterwards; nil to compare them here.
    ///   - body: Reads keys.
    func read<R>(_ known: DocumentStamp?, _ body: () throws -> R) throws -> R? {
        let stamp = try known ?? driver.stamp(of: collection)
        if stamp == nil || stamp != loaded?.stamp {
            guard let found = try load(stamp) else { return nil }
            loaded = found
        }
        let revision = loaded?.state.revision
        let result: R
        do {
            result = try body()
        } catch is IndexFailure {
            loaded = nil
            return nil
        }
        if known != nil { return result }
        if let stamp { return try driver.stamp(of: collection) == stamp ? result : nil }
        return try state()?.revision == revision ? result : nil
    }

    /// Returns the keys of the index at a position, as of the last load.
    func keys(_ position: Int) throws -> any OrderedKeys {
        guard let loaded else { throw IndexFailure.noState }
        return pages(position, loaded)
    }

    /// The pages of the index at a position, for reading or for the changes of one write.
    private func pages(_ position: Int, _ loaded: Loaded) -> IndexPages<DocumentIndexPages> {
        IndexPages(
            DocumentIndexPages(position, loaded.caches[position]), loaded.directories[position])
    }
}

/// Loading and rebuilding.
extension DocumentIndexes {
    /// Reads the stored state; nil if it is missing or damaged.
    private func state() throws -> DocumentIndexState? {
        try driver.get(DocumentIndexNames.state, in: ownCollection).flatMap(DocumentIndexState.init)
    }

    /// Reads the stored state and directories. Returns nil if they do not match the records.
    private func load(_ stamp: DocumentStamp?) throws -> Loaded? {
        guard let state = try state(), state.fingerprint == fingerprint,
            try state.covers(
                DocumentIndexState(fingerprint: fingerprint, of: collection, driver))
        else { return nil }
        if var loaded, loaded.state == state {
            loaded.stamp = stamp
            return loaded
        }
        var found = Loaded(stamp: stamp, state: state, directories: [], caches: [])
        for position in forms.positions {
            let name = DocumentIndexNames.directory(position)
            guard let data = try driver.get(name, in: ownCollection),
                let directory = IndexPageBytes.directory(data)
            else { return nil }
            found.directories.append(directory)
            found.caches.append(DocumentPageCache(driver, ownCollection))
        }
        return found
    }

    /// Rebuilds all indexes and writes them. Reads every record once, and keeps only the keys in
    /// memory.
    ///
    /// The caller holds the driver's lock.
    func rebuild() throws {
        loaded = nil
        let stamp = try driver.stamp(of: collection)
        let state = try DocumentIndexState(fingerprint: fingerprint, of: collection, driver)
        // Keep only the keys of each record in memory.
        var keys = forms.positions.map { _ in [IndexKey]() }
        try storage.visitRows { row in
            for position in forms.positions {
                forms.visitKeys(position, of: row) { keys[position].append($0) }
            }
        }
        var fresh = Loaded(stamp: stamp, state: state, directories: [], caches: [])
        var changes: [DocumentChange] = []
        for position in forms.positions {
            let cache = DocumentPageCache(driver, ownCollection)
            keys[position].sort()
            let pages = try IndexPages(
                DocumentIndexPages(position, cache), sorted: keys[position])
            keys[position] = []
            changes += pages.storage.changes(in: ownCollection)
            changes.append(directory(pages.directory, position))
            fresh.directories.append(pages.directory)
            cache.take(pages.storage.changed)
            fresh.caches.append(cache)
        }
        changes.append(stateChange(state))
        try driver.remove(collection: ownCollection)
        try driver.applyAll(changes)
        loaded = fresh
        loaded?.stamp = try driver.stamp(of: collection)
    }

    /// The change that stores the directory of the index at a position.
    private func directory(_ directory: IndexDirectory, _ position: Int) -> DocumentChange {
        DocumentChange(
            DocumentIndexNames.directory(position), in: ownCollection,
            data: IndexPageBytes.encode(directory))
    }

    /// The change that stores a state.
    private func stateChange(_ state: DocumentIndexState) -> DocumentChange {
        DocumentChange(DocumentIndexNames.state, in: ownCollection, data: state.data)
    }
}

/// Changes of a write. The order of calls is ``stage(_:)``, then ``finish()`` after the commit or
/// ``abandon()``.
extension DocumentIndexes {
    /// Computes the changes that a write makes to the pages, the directories and the state, and
    /// stages them.
    ///
    /// Only the pages that the changes affect are rewritten. A record that cannot be read costs
    /// a scan of each index.
    ///
    /// - Throws: ``IndexFailure`` if the pages do not match the records; the caller then rebuilds
    ///   the indexes and tries again.
    func stage(_ changes: [RowChange]) throws {
        guard var next = loaded else { throw IndexFailure.noState }
        var documents: [DocumentChange] = []
        for position in forms.positions {
            var inserting: [IndexKey] = []
            var removing: [IndexKey] = []
            var pages = pages(position, next)
            for change in changes {
                forms.addChanges(
                    position, from: change.old, to: change.new, inserting: &inserting,
                    removing: &removing)
            }
            let unknown = Set(changes.filter(\.isUnknown).map { TextKey($0.id) })
            if !unknown.isEmpty { removing += try keys(of: unknown, in: pages, position) }
            if inserting.isEmpty, removing.isEmpty { continue }
            let done = try pages.apply(inserting: inserting, removing: removing)
            // Otherwise the pages do not belong to these records.
            guard done.removed == removing.count, done.inserted == inserting.count else {
                throw IndexFailure.noKey
            }
            documents += pages.storage.changes(in: ownCollection)
            if pages.directory != next.directories[position] {
                documents.append(directory(pages.directory, position))
            }
            next.directories[position] = pages.directory
            next.caches[position] = next.caches[position].with(pages.storage.changed)
        }
        for change in changes {
            if !change.wasThere, change.new != nil { next.state.add(change.id) }
            if change.wasThere, change.new == nil { next.state.remove(change.id) }
        }
        if documents.isEmpty, next.state == loaded?.state {
            pending = next
            return
        }
        next.state.revision = .random(in: .min ... .max)
        staged.changes += documents
        staged.changes.append(stateChange(next.state))
        pending = next
    }

    /// Returns the keys of records that cannot be read and of which only the ids are known. Cost: a
    /// scan of the index.
    private func keys(
        of ids: Set<TextKey>, in pages: IndexPages<DocumentIndexPages>, _ position: Int
    ) throws -> [IndexKey] {
        try pages.ascending(.all, limit: .max).filter { key in
            let id: Storage.Model.ID = try forms.id(of: key, position)
            return ids.contains(TextKey(id.description))
        }
    }

    /// Adopts the indexes of the committed write.
    func finish() {
        guard var next = pending else { return }
        pending = nil
        // Without a stamp, the next use reads the state again.
        next.stamp = try? driver.stamp(of: collection)
        for cache in next.caches { cache.settle() }
        loaded = next
    }

    /// Discards the changes of a write that was not committed.
    func abandon() { pending = nil }
}
