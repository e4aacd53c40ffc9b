internal import Foundation
internal import StoredSchema

/// The records of one table, stored as documents of a driver.
///
/// The table engine reads committed records through it. Writes collect their changes in
/// ``StagedChanges``, which the store applies as one batch. One thread at a time uses an instance,
/// inside the store's mutex.
final class DocumentStorage<E: Entity>: TableStorage {
    /// The driver that stores the documents.
    private let driver: any DocumentDriver
    /// Encodes and decodes the records.
    private let coder: RecordCoder
    /// The collection of the documents.
    private let collection = E.Mapper.table.name
    /// The changes of the running write.
    private let staged: StagedChanges

    init(_ driver: any DocumentDriver, _ coder: RecordCoder, staged: StagedChanges) {
        self.driver = driver
        self.coder = coder
        self.staged = staged
    }

    func record(_ id: E.ID) throws -> E? {
        guard let data = try driver.get(id.description, in: collection) else { return nil }
        return try decode(data, id)
    }

    /// Decodes a document. May block.
    private func decode(_ data: Data, _ id: E.ID) throws -> E {
        try coder.decodeWaiting(data, E.self, id: id)
    }

    func contains(_ id: E.ID) throws -> Bool {
        try driver.contains(id.description, in: collection)
    }

    /// Returns all ids, unsorted. Skips keys that are not ids of the entity. Cost: one listing.
    func ids() throws -> [E.ID] {
        var ids: [E.ID] = []
        try visitIDs { ids.append($0) }
        return ids
    }

    /// Passes the ids on while the collection is listed.
    func visitIDs(_ body: (E.ID) throws -> Void) throws {
        try driver.visitRecordIDs(E.self, coder, body)
    }

    /// Returns all ids in id order. Cost: one listing and a sort.
    func sortedIDs() throws -> [E.ID] { try ids().sorted() }

    /// Counts the keys that are ids of the entity. Cost: one listing.
    func count() throws -> Int {
        var count = 0
        try visitIDs { _ in count += 1 }
        return count
    }

    /// Creates the indexes of the table, stored in documents of the same driver.
    func indexes(_ forms: TableIndexForms) -> any CommittedIndexes {
        DocumentIndexes(
            self, forms, in: collection, of: driver,
            format: coder.formatExtension, staged: staged)
    }

    /// Adds the changes of a write. A record that the same write created and deleted causes no
    /// change.
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

/// External data: a document for each chunk, in a collection of its own.
///
/// The key of a chunk is the hash of the record's id and the content, and the number of the chunk,
/// so that it has the same length for every id.
extension DocumentStorage {
    private var external: String { ExternalDataNames.collection(of: collection) }

    private func key(_ index: Int, of content: ExternalContent<E.ID>) -> String {
        "\(Self.hash(of: content))-\(index)"
    }

    private static func hash(of content: ExternalContent<E.ID>) -> String {
        SHA256.hexadecimal("\(content.content)\u{0}\(content.id.description)".utf8)
    }

    func write(_ chunk: Data, _ index: Int, of content: ExternalContent<E.ID>) throws {
        _ = try driver.apply(
            DocumentChange(
                key(index, of: content), in: external, data: try coder.encodeWaiting(chunk: chunk)))
    }

    func chunk(_ index: Int, of content: ExternalContent<E.ID>) throws -> Data? {
        try driver.get(key(index, of: content), in: external).map {
            try coder.decodeWaiting(
                chunk: $0, id: content.id.description, table: E.Mapper.table.name)
        }
    }

    func removeChunks(of content: ExternalContent<E.ID>) throws {
        var count = 0
        while try driver.contains(key(count, of: content), in: external) { count += 1 }
        // From the last one, so that an interrupted removal can be repeated.
        for index in (0..<count).reversed() {
            _ = try driver.apply(
                DocumentChange(key(index, of: content), in: external, data: nil))
        }
    }

    func removeChunks(except contents: Set<ExternalContent<E.ID>>) throws {
        let known = Set(contents.map { Self.hash(of: $0) })
        for key in try driver.keys(in: external) where key != ExternalDataNames.unsettled {
            if known.contains(String(key.prefix(64))) { continue }
            _ = try driver.apply(DocumentChange(key, in: external, data: nil))
        }
    }

    func noteUnsettled(_ contents: Set<ExternalContent<E.ID>>) throws {
        let pairs = contents.map { [$0.id.description, $0.content] }
        let data = contents.isEmpty ? nil : try JSONEncoder().encode(pairs)
        if data == nil, try !driver.contains(ExternalDataNames.unsettled, in: external) { return }
        _ = try driver.apply(DocumentChange(ExternalDataNames.unsettled, in: external, data: data))
    }

    /// Returns no contents for a damaged note. Rebuilding the indexes finds their chunks.
    func unsettled() throws -> Set<ExternalContent<E.ID>> {
        guard let data = try driver.get(ExternalDataNames.unsettled, in: external),
            let pairs = try? JSONDecoder().decode([[String]].self, from: data)
        else { return [] }
        return Set(
            pairs.compactMap { pair in
                guard pair.count == 2, let id = E.ID(documentKey: pair[0]) else { return nil }
                return ExternalContent(id: id, content: pair[1])
            })
    }
}

/// The document changes of a running write, in the order in which they are applied.
final class StagedChanges {
    var changes: [DocumentChange] = []
}

/// Creates the storage of each table in the documents of a driver.
struct DocumentSource: TableStorageSource {
    let driver: any DocumentDriver
    let coder: RecordCoder
    let staged: StagedChanges

    func storage<E: Entity>(_ type: E.Type) -> any TableStorage<E> {
        DocumentStorage<E>(driver, coder, staged: staged)
    }
}

extension EntityIdentifier {
    /// Creates the id of a document's key.
    ///
    /// Returns nil if the key is not the canonical text form of such an id. The document is then
    /// not a record.
    init?(documentKey key: String) {
        guard let id = Self(key), String.isSameIdentifier(id.description, key) else { return nil }
        self = id
    }
}
