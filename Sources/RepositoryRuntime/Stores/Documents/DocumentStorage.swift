internal import Foundation

/// The records of one table as documents.
final class DocumentStorage<E: Entity>: TableStorage {
    private let driver: any DocumentDriver
    private let coder: RecordCoder
    private let collection: String
    private let staged: StagedChanges
    /// How documents are read that an earlier schema wrote; nil where the mapper reads them right.
    private let reading: EarlierReading?

    init(
        _ driver: any DocumentDriver, _ coder: RecordCoder, collection: String,
        staged: StagedChanges, reading: EarlierReading? = nil
    ) {
        self.reading = reading
        self.driver = driver
        self.coder = coder
        self.collection = collection
        self.staged = staged
    }

    func record(_ id: E.ID) throws -> E? {
        guard let data = try driver.get(id.description, in: collection) else { return nil }
        return try decode(data, id)
    }

    private func decode(_ data: Data, _ id: E.ID) throws -> E {
        if let reading {
            return try coder.decodeWaiting(data, E.self, id: id, as: reading)
        }
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

/// A storage whose documents can be rewritten.
protocol RewritableStorage {
    /// The documents as the present schema writes them, as far as that differs. A document that cannot be read stays.
    func rewritten() throws -> [DocumentChange]
}

extension DocumentStorage: RewritableStorage {
    func rewritten() throws -> [DocumentChange] {
        try ids().compactMap { id in
            guard let data = try driver.get(id.description, in: collection) else { return nil }
            let record: E
            do {
                record = try decode(data, id)
            } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
                return nil
            }
            let bytes = try coder.encodeWaiting(record)
            if bytes == data { return nil }
            return DocumentChange(id.description, in: collection, data: bytes)
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
    /// How the documents of tables are read that are not rewritten yet.
    var readings: [String: EarlierFields] = [:]

    func storage<E: Entity>(_ type: E.Type) -> any TableStorage<E> {
        let name = E.Mapper.table.name
        return DocumentStorage<E>(
            driver, coder, collection: earlierNames[name] ?? name, staged: staged,
            reading: readings[name].map { EarlierReading($0, E.Mapper.layout) })
    }
}

extension EntityIdentifier {
    /// The id of a document's key; nil for a key that is not the text form of such an id: that document is no record.
    init?(documentKey key: String) {
        guard let id = Self(key), String.isSameIdentifier(id.description, key) else { return nil }
        self = id
    }
}
