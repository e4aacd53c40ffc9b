internal import Foundation

/// The documents of a store as they will be after a migration, for checks before anything changes.
///
/// It reads changed documents from the output of the migration and all others from the store. It
/// cannot write to the store.
struct MigratedDocuments: DocumentDriver {
    /// The documents of the store.
    let base: any DocumentDriver
    /// The new documents.
    ///
    /// `nonisolated(unsafe)` is safe: the value exists only during the checks of a migration, which
    /// run on the thread that holds the lock of the store.
    nonisolated(unsafe) let output: any MigrationOutput
    /// The stored names of the collections that are renamed, by their new names.
    let earlierNames: [String: String]
    /// The collections with new documents.
    let changed: Set<String>
    /// The collections that have only new documents, or none.
    let replaced: Set<String>

    var name: String { base.name }
    var isDurable: Bool { base.isDurable }

    func get(_ key: String, in collection: String) throws -> Data? {
        if changed.contains(collection), let new = try output.document(key, of: collection) {
            return new
        }
        guard try isKept(key, in: collection) else { return nil }
        return try base.get(key, in: earlierNames[collection] ?? collection)
    }

    func contains(_ key: String, in collection: String) throws -> Bool {
        if changed.contains(collection), try output.contains(key, in: collection) { return true }
        guard try isKept(key, in: collection) else { return false }
        return try base.contains(key, in: earlierNames[collection] ?? collection)
    }

    func keys(in collection: String) throws -> [String] {
        var keys: [String] = []
        try visitKeys(in: collection) { keys.append($0) }
        return keys
    }

    func visitKeys(in collection: String, _ body: (String) throws -> Void) throws {
        let isChanged = changed.contains(collection)
        if !replaced.contains(collection) {
            try base.visitKeys(in: earlierNames[collection] ?? collection) { key in
                if try isKept(key, in: collection) { try body(key) }
            }
        }
        guard isChanged else { return }
        try output.visitKeys(of: collection) { key in
            let stored = earlierNames[collection] ?? collection
            if try replaced.contains(collection) || !base.contains(key, in: stored) {
                try body(key)
            }
        }
    }

    /// Returns whether a stored document, if there is one, remains or is replaced by another of its
    /// key.
    private func isKept(_ key: String, in collection: String) throws -> Bool {
        if replaced.contains(collection) { return false }
        return try !changed.contains(collection) || !output.isDropped(key, from: collection)
    }

    /// Removes a document from those that there will be.
    func remove(_ key: String, from collection: String) throws {
        try output.remove(key, from: collection)
        guard !replaced.contains(collection),
            try base.contains(key, in: earlierNames[collection] ?? collection)
        else { return }
        try output.drop([key], from: collection)
    }

    func apply(_ change: DocumentChange) throws -> Bool { throw readOnly }

    func withLock<R>(_ body: () throws -> R) throws -> R { try base.withLock(body) }

    func note(_ name: String) throws -> Data? { try base.note(name) }

    func setNote(_ name: String, _ data: Data?) throws { throw readOnly }

    private var readOnly: CRUDRepositoryError {
        .unsupported("a write during the check of a migration", by: name)
    }
}
