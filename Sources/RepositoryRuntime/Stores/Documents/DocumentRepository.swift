internal import Foundation

/// The four operations of a repository of opaque items on a document driver.
///
/// ``FileSystemRepository`` and ``UserDefaultsRepository`` are wrappers around it.
struct DocumentRepository: Sendable {
    let driver: any DocumentDriver
    let transformer: any DataTransformer
    /// The collection that contains the items.
    let collection: String
    /// Runs the calls that may block, one at a time.
    private let queue: BlockingQueue
    /// Whether the repository is open.
    private let life = StoreLife()

    init(_ driver: some DocumentDriver, collection: String, transformer: any DataTransformer) {
        if let layers = WrappingLayers(transformer) {
            self.driver = WrappedDriver(driver, layers)
            self.transformer = layers.format
        } else {
            self.driver = driver
            self.transformer = transformer
        }
        self.collection = collection
        queue = BlockingQueue(label: "CRUDRepository.\(driver.name)", life: life)
    }

    /// Closes the driver after the calls that have begun. Later calls throw `storeClosed`.
    func close() async {
        await life.close {
        } releasing: {
            await queue.finish { [driver] in driver.close() }
        }
    }

    /// Stores a new item; throws `recordAlreadyExists` if an item with the id exists.
    func create<T: CRUDRepository.Item>(id: String, item: T) async throws {
        try ItemIdentifierRules.check(id)
        let data = try await encode(item, id: id)
        guard try await apply(DocumentChange(id, in: collection, data: data, when: .absent)) else {
            throw CRUDRepositoryError.recordAlreadyExists(id: id)
        }
    }

    /// Reads an item; throws `recordNotFound` if there is none. A cached document is read on the
    /// calling thread.
    func read<T: CRUDRepository.Item>(id: String) async throws -> T {
        try life.check()
        try ItemIdentifierRules.check(id)
        let atHand = try driver.withCachedDocument(id, in: collection) { $0.map { Data($0) } }
        let data =
            if let atHand {
                atHand
            } else {
                try await queue.run { [driver, collection] in try driver.get(id, in: collection) }
            }
        guard let data else { throw CRUDRepositoryError.recordNotFound(id: id) }
        do {
            try DamagedDocument.check(data)
        } catch {
            throw CRUDRepositoryError.unreadable(error, id: id)
        }
        return try await StoredItem.decode(data, id: id, with: transformer)
    }

    /// Replaces an item; throws `recordNotFound` if there is none.
    func update<T: CRUDRepository.Item>(id: String, item: T) async throws {
        try ItemIdentifierRules.check(id)
        let data = try await encode(item, id: id)
        guard try await apply(DocumentChange(id, in: collection, data: data, when: .present)) else {
            throw CRUDRepositoryError.recordNotFound(id: id)
        }
    }

    /// Deletes an item; throws `recordNotFound` if there is none.
    func delete(id: String) async throws {
        try ItemIdentifierRules.check(id)
        guard try await apply(DocumentChange(id, in: collection, data: nil, when: .present)) else {
            throw CRUDRepositoryError.recordNotFound(id: id)
        }
    }

    /// Returns the ids of all items, in any order.
    func ids() async throws -> [String] {
        try life.check()
        return try await queue.run { [driver, collection] in try driver.keys(in: collection) }
    }

    /// Applies a change under the driver's lock. Returns false if its condition did not hold.
    private func apply(_ change: DocumentChange) async throws -> Bool {
        try await queue.runWrite { [driver] cancellation in
            try driver.withLock(cancellation) { try driver.apply(change) }
        } rest: { [driver] in
            driver.performDeferredCleanup()
        }
    }

    /// Encodes an item, and converts the transformer's errors.
    private func encode<T: CRUDRepository.Item>(_ item: T, id: String) async throws -> Data {
        do {
            return try await transformer.encode(item)
        } catch {
            throw TransformerErrors.encoding(error)
        }
    }
}
