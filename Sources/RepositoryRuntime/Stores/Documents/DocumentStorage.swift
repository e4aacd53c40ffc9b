internal import Foundation

/// The records of one table as documents.
final class DocumentStorage<E: Entity>: TableStorage {
    private let driver: any DocumentDriver
    private let coder: RecordCoder
    private let collection: String
    private let staged: StagedChanges

    init(
        _ driver: any DocumentDriver, _ coder: RecordCoder, collection: String,
        staged: StagedChanges
    ) {
        self.driver = driver
        self.coder = coder
        self.collection = collection
        self.staged = staged
    }

    func record(_ id: E.ID) throws -> E? {
        guard let data = try driver.get(id.description, in: collection) else { return nil }
        return try coder.decodeWaiting(data, E.self, id: id)
    }

    func contains(_ id: E.ID) throws -> Bool {
        try driver.contains(id.description, in: collection)
    }

    func ids() throws -> [E.ID] {
        var ids: [E.ID] = []
        try driver.visitKeys(in: collection) {
            if let id = E.ID(documentKey: $0) { ids.append(id) }
        }
        return ids
    }

    func sortedIDs() throws -> [E.ID] { try ids().sorted() }

    func count() throws -> Int {
        var count = 0
        try driver.visitKeys(in: collection) { if E.ID(documentKey: $0) != nil { count += 1 } }
        return count
    }

    func indexes(_ forms: TableIndexForms) -> any CommittedIndexes {
        DocumentIndexes(
            self, forms, in: collection, of: driver,
            format: coder.transformer.formatExtension, staged: staged)
    }

    func stage(
        _ changes: [E.ID: TableChange<E>], isNew: Set<E.ID>, _ forms: TableIndexForms
    ) throws {
        for (id, change) in changes {
            if change.record == nil, isNew.contains(id) { continue }
            staged.changes.append(
                DocumentChange(
                    id.description, in: collection,
                    data: try change.record.map(coder.encodeWaiting),
                    when: isNew.contains(id) ? .absent : .none))
        }
    }
}

/// What a write is about to change in the documents.
final class StagedChanges {
    var changes: [DocumentChange] = []
}

/// Gives each table a storage in the driver's documents.
struct DocumentSource: TableStorageSource {
    let driver: any DocumentDriver
    let coder: RecordCoder
    let staged: StagedChanges
    /// The collections of tables that have not got their new names yet.
    var earlierNames: [String: String] = [:]

    func storage<E: Entity>(_ type: E.Type) -> any TableStorage<E> {
        let name = E.Mapper.table.name
        return DocumentStorage<E>(
            driver, coder, collection: earlierNames[name] ?? name, staged: staged)
    }
}

extension EntityIdentifier {
    /// The id of a document's key; nil for a key that is not the text form of such an id: that document is no record.
    init?(documentKey key: String) {
        guard let id = Self(key), String.isSameIdentifier(id.description, key) else { return nil }
        self = id
    }
}
