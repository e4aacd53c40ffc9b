internal import Foundation

/// The indexes of a table in documents beside its records: pages of keys, and a state that says which records they cover.
///
/// They are changed in the same step as the records. Whoever finds that they do not fit these makes them anew: where the
/// state, a directory or a page is missing or broken, or of another form of the table, and where it does not cover the
/// documents that are listed, which is looked at in the beginning and whenever somebody else has written.
final class DocumentIndexes<Storage: TableStorage>: CommittedIndexes {
    /// What is known of the indexes in one state of the documents.
    struct Loaded {
        var stamp: DocumentStamp?
        var state: DocumentIndexState
        var directories: [IndexDirectory]
        var caches: [DocumentPageCache]
    }

    unowned let storage: Storage
    let driver: any DocumentDriver
    let forms: TableIndexForms
    let collection: String
    let fingerprint: String
    private let staged: StagedChanges
    private var loaded: Loaded?
    private var pending: Loaded?

    /// - Parameters:
    ///   - format: the format of the records.
    ///   - staged: where changes are put that a write is about to make.
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

    /// The collection in which the indexes are.
    var ownCollection: String { DocumentIndexNames.collection(of: collection) }

    func refresh() throws {
        let stamp = try driver.stamp(of: collection)
        if let stamp, stamp == loaded?.stamp { return }
        if let found = try load(stamp) {
            loaded = found
        } else {
            try rebuild()
        }
    }

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

    func keys(_ position: Int) throws -> any OrderedKeys {
        guard let loaded else { throw IndexFailure.noState }
        return pages(position, loaded)
    }

    private func pages(_ position: Int, _ loaded: Loaded) -> IndexPages<DocumentIndexPages> {
        IndexPages(
            DocumentIndexPages(position, loaded.caches[position]), loaded.directories[position])
    }
}

extension DocumentIndexes {
    private func state() throws -> DocumentIndexState? {
        try driver.get(DocumentIndexNames.state, in: ownCollection).flatMap(DocumentIndexState.init)
    }

    /// The indexes as they are stored; nil where they do not fit the records.
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
        for position in forms.forms.indices {
            let name = DocumentIndexNames.directory(position)
            guard let data = try driver.get(name, in: ownCollection),
                let directory = IndexPageBytes.directory(data)
            else { return nil }
            found.directories.append(directory)
            found.caches.append(DocumentPageCache(driver, ownCollection))
        }
        return found
    }

    func rebuild() throws {
        loaded = nil
        let stamp = try driver.stamp(of: collection)
        let state = try DocumentIndexState(fingerprint: fingerprint, of: collection, driver)
        // Of each record no more is kept than its keys.
        var keys = forms.forms.map { _ in [IndexKey]() }
        try storage.visitRows { row in
            for (position, form) in forms.forms.enumerated() {
                if let key = form.key(of: row) { keys[position].append(key) }
            }
        }
        var fresh = Loaded(stamp: stamp, state: state, directories: [], caches: [])
        var changes: [DocumentChange] = []
        for position in forms.forms.indices {
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

    private func directory(_ directory: IndexDirectory, _ position: Int) -> DocumentChange {
        DocumentChange(
            DocumentIndexNames.directory(position), in: ownCollection,
            data: IndexPageBytes.encode(directory))
    }

    private func stateChange(_ state: DocumentIndexState) -> DocumentChange {
        DocumentChange(DocumentIndexNames.state, in: ownCollection, data: state.data)
    }
}

extension DocumentIndexes {
    func stage(_ changes: [RowChange]) throws {
        guard var next = loaded else { throw IndexFailure.noState }
        var documents: [DocumentChange] = []
        for (position, form) in forms.forms.enumerated() {
            var inserting: [IndexKey] = []
            var removing: [IndexKey] = []
            var pages = pages(position, next)
            for change in changes {
                let keys = forms.change(position, from: change.old, to: change.new)
                if let key = keys.inserting { inserting.append(key) }
                if let key = keys.removing { removing.append(key) }
            }
            let unknown = Set(changes.filter(\.isUnknown).map { TextKey($0.id) })
            if !unknown.isEmpty { removing += try keys(of: unknown, in: pages, form) }
            if inserting.isEmpty, removing.isEmpty { continue }
            let done = try pages.apply(inserting: inserting, removing: removing)
            // Otherwise the pages are not of these records.
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

    /// The keys of records that cannot be read, of which only the ids are known.
    private func keys(
        of ids: Set<TextKey>, in pages: IndexPages<DocumentIndexPages>, _ form: IndexKeyForm
    ) throws -> [IndexKey] {
        try pages.ascending(.all, limit: .max).filter { key in
            let id: Storage.Model.ID = try form.known(key)
            return ids.contains(TextKey(id.description))
        }
    }

    func finish() {
        guard var next = pending else { return }
        pending = nil
        // Without a stamp the state is read anew the next time.
        next.stamp = try? driver.stamp(of: collection)
        for cache in next.caches { cache.settle() }
        loaded = next
    }

    func abandon() { pending = nil }
}
