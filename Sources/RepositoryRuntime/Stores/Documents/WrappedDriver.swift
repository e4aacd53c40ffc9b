internal import Foundation

/// A driver whose documents are wrapped by transformers before another driver stores them.
///
/// Everything that the other driver writes beside the documents, such as the files of a batch, is
/// made of wrapped documents.
struct WrappedDriver<Base: DocumentDriver>: DocumentDriver {
    /// The driver that stores the wrapped documents.
    let base: Base
    /// The transformers.
    let wrapping: DocumentWrapping

    init(_ base: Base, _ layers: WrappingLayers) {
        self.base = base
        wrapping = DocumentWrapping(layers)
    }

    var name: String { base.name }
    var isDurable: Bool { base.isDurable }
    var batchesAreAtomic: Bool { base.batchesAreAtomic }
    var holdsLargeDocuments: Bool { base.holdsLargeDocuments }
    var providesStamps: Bool { base.providesStamps }

    func get(_ key: String, in collection: String) throws -> Data? {
        try wrapping.prepareToRead(base)
        return try base.get(key, in: collection).map { try unwrapped($0, key, collection) }
    }

    func documents(_ keys: [String], in collection: String) throws -> [Data?] {
        try wrapping.prepareToRead(base)
        return try zip(keys, base.documents(keys, in: collection)).map { key, data in
            try data.map { try unwrapped($0, key, collection) }
        }
    }

    func contains(_ key: String, in collection: String) throws -> Bool {
        try wrapping.prepareToRead(base)
        return try base.contains(key, in: collection)
    }

    func withCachedDocument<R>(
        _ key: String, in collection: String, _ body: (UnsafeRawBufferPointer?) throws -> R
    ) throws -> R? {
        guard wrapping.isReady,
            let found = try base.withCachedDocument(key, in: collection, { $0.map { Data($0) } })
        else { return nil }
        guard let data = found else { return try body(nil) }
        // What is damaged, or needs the note, is read on a thread that may block.
        guard let plain = wrapping.unwrapKnown(data, key, in: collection) else { return nil }
        return try plain.withUnsafeBytes(body)
    }

    func containsCached(_ key: String, in collection: String) throws -> Bool? {
        guard wrapping.isReady else { return nil }
        return try base.containsCached(key, in: collection)
    }

    func keys(in collection: String) throws -> [String] { try base.keys(in: collection) }

    func visitKeys(in collection: String, _ body: (String) throws -> Void) throws {
        try base.visitKeys(in: collection, body)
    }

    func apply(_ change: DocumentChange) throws -> Bool {
        try wrapping.prepareToWrite(base)
        return try base.apply(wrapped(change))
    }

    func applyAll(_ changes: [DocumentChange]) throws {
        try wrapping.prepareToWrite(base)
        try base.applyAll(changes.map(wrapped))
    }

    func recover() throws {
        try base.recover()
        try wrapping.prepareToRead(base)
    }

    func withLock<R>(_ body: () throws -> R) throws -> R { try base.withLock(body) }

    func withLock<R>(_ cancellation: CancellationFlag, _ body: () throws -> R) throws -> R {
        try base.withLock(cancellation, body)
    }

    func performDeferredCleanup() { base.performDeferredCleanup() }

    func stamp(of collection: String) throws -> DocumentStamp? { try base.stamp(of: collection) }

    func withConsistentReads<R>(of collection: String, _ body: () throws -> R) throws -> R {
        try base.withConsistentReads(of: collection, body)
    }

    func rename(collection: String, to other: String) throws {
        try wrapping.note(renaming: collection, to: other, base)
        try base.rename(collection: collection, to: other)
    }

    func remove(collection: String) throws { try base.remove(collection: collection) }
    func note(_ name: String) throws -> Data? { try base.note(name) }
    func setNote(_ name: String, _ data: Data?) throws { try base.setNote(name, data) }
    func stamp(ofNote name: String) throws -> DocumentStamp? { try base.stamp(ofNote: name) }
    func close() { base.close() }

    private func unwrapped(_ data: Data, _ key: String, _ collection: String) throws -> Data {
        try wrapping.unwrap(data, key, in: collection, of: base)
    }

    private func wrapped(_ change: DocumentChange) throws -> DocumentChange {
        guard let data = change.data else { return change }
        var wrapped = change
        wrapped.data = try wrapping.wrap(data, change.key, in: change.collection)
        return wrapped
    }
}

extension WrappedDriver: MaintainedDriver where Base: MaintainedDriver {
    func backUp(
        to url: URL, _ cancellation: CancellationFlag, _ release: () -> Void
    ) throws {
        try base.backUp(to: url, cancellation, release)
    }

    func requireEmpty(isRepeated: Bool) throws { try base.requireEmpty(isRepeated: isRepeated) }

    func verifyBackup(at url: URL, _ cancellation: CancellationFlag) throws {
        try base.verifyBackup(at: url, cancellation)
    }

    func restore(from url: URL, _ cancellation: CancellationFlag) throws {
        try base.restore(from: url, cancellation)
        wrapping.forget()
    }

    func compact() throws { try base.compact() }
}

extension WrappedDriver: HandNamedDriver where Base: HandNamedDriver {
    func visitKeys(
        in collection: String, _ body: (_ key: String, _ isByHand: Bool) throws -> Void
    ) throws {
        try base.visitKeys(in: collection, body)
    }
}

extension WrappedDriver: WatchedDriver where Base: WatchedDriver {
    var descriptionWatch: DescriptionWatch { base.descriptionWatch }
    func watchDescription() throws { try base.watchDescription() }
}

extension WrappedDriver: MigratingDriver where Base: MigratingDriver {
    var volumePath: String { base.volumePath }
    func markMigration(_ isRunning: Bool) { base.markMigration(isRunning) }
    func copy(to url: URL, _ check: () throws -> Void) throws { try base.copy(to: url, check) }
}

extension WrappedDriver: BesideDriver where Base: BesideDriver {
    func requireRoom(for collection: String) throws { try base.requireRoom(for: collection) }

    func hasBeside() throws -> Bool { try base.hasBeside() }

    func create(
        _ documents: [NewDocument], in collection: String, for table: String
    ) throws -> Set<Int> {
        try wrapping.prepareToWrite(base)
        let wrapped = try documents.map {
            NewDocument(key: $0.key, data: try wrapping.wrap($0.data, $0.key, in: collection))
        }
        return try base.create(wrapped, in: collection, for: table)
    }

    func remove(_ key: String, fromBeside collection: String) throws {
        try base.remove(key, fromBeside: collection)
    }

    func synchronizeBeside(_ collections: [String]) throws {
        try base.synchronizeBeside(collections)
    }

    func placing<R>(_ collections: Set<String>, _ body: () throws -> R) throws -> R {
        try base.placing(collections, body)
    }

    func clear(_ collection: String) throws { try base.clear(collection) }

    func removeDocuments(namedIn collection: String, from table: String) throws {
        try base.removeDocuments(namedIn: collection, from: table)
    }

    func moveDocuments(of collection: String, to table: String) throws {
        try base.moveDocuments(of: collection, to: table)
    }

    func removeBeside() throws { try base.removeBeside() }

    func scratchFile() throws -> any ScratchFile {
        let file = try base.scratchFile()
        guard let layer = wrapping.layers.keyed else { return file }
        return try WrappedScratchFile(file, layer)
    }
}
