internal import Foundation

/// The documents of a store as they will be after a migration, for checks before anything changes.
///
/// It reads changed documents from the migration and all others from the store. It cannot write.
struct MigratedDocuments: DocumentDriver {
    /// The documents of the store.
    let base: any DocumentDriver
    /// The stored names of the collections that are renamed, by their new names.
    let earlierNames: [String: String]
    /// The collections whose documents are all in ``documents``.
    let replaced: Set<String>
    /// The new documents of those collections.
    let documents: [String: [TextKey: Data]]

    var name: String { base.name }
    var isDurable: Bool { base.isDurable }

    func get(_ key: String, in collection: String) throws -> Data? {
        if replaced.contains(collection) { return documents[collection]?[TextKey(key)] }
        return try base.get(key, in: earlierNames[collection] ?? collection)
    }

    func keys(in collection: String) throws -> [String] {
        if replaced.contains(collection) {
            return documents[collection].map { $0.keys.map(\.text) } ?? []
        }
        return try base.keys(in: earlierNames[collection] ?? collection)
    }

    func apply(_ change: DocumentChange) throws -> Bool { throw readOnly }

    func withLock<R>(_ body: () throws -> R) throws -> R { try base.withLock(body) }

    func note(_ name: String) throws -> Data? { try base.note(name) }

    func setNote(_ name: String, _ data: Data?) throws { throw readOnly }

    func noteNames() throws -> [String] { try base.noteNames() }

    private var readOnly: CRUDRepositoryError {
        .unsupported("a write during the check of a migration", by: name)
    }
}
