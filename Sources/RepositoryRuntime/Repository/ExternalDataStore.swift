internal import Foundation
internal import Synchronization

/// A store whose entities can load their external data, and whose writes store it.
///
/// Repositories of schemas with external data use it in place of the store itself. It adds the
/// source to the external data of every entity that it reads. Before an entity is stored, the source
/// is removed, so that a store in memory does not retain the bytes; after it was stored, the bytes
/// that the stored record did not have are copied in chunks, in the same transaction.
protocol ExternalDataKeeper: EntityStoreWrapper, TolerantStore {
    /// The store outside of transactions, from which the data of entities is loaded.
    var home: any EntityStore { get }
}

/// The store outside of transactions.
struct ExternalDataStore: ExternalDataKeeper {
    let store: any EntityStore
    var home: any EntityStore { store }

    /// Returns the store, wrapped unless it is already.
    static func around(_ store: any EntityStore) -> any EntityStore {
        store is any ExternalDataKeeper ? store : Self(store: store)
    }
}

/// A transaction of the store.
struct ExternalDataTransaction: ExternalDataKeeper, StoreTransaction {
    let transaction: any StoreTransaction
    let home: any EntityStore
    var store: any EntityStore { transaction }

    /// Returns a transaction of a store, wrapped unless it is already.
    static func around(
        _ transaction: any StoreTransaction, of store: any EntityStore
    ) -> any StoreTransaction {
        if transaction is any ExternalDataKeeper { return transaction }
        let home = (store as? any ExternalDataKeeper)?.home ?? store
        return Self(transaction: transaction, home: home)
    }

    func commit() async throws { try await transaction.commit() }
    func rollBack() async { await transaction.rollBack() }
}

/// Reads.
extension ExternalDataKeeper {
    func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        attached(try await store.read(type, id: id))
    }

    func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        attached(try await store.page(type, after: id, limit: limit))
    }

    package func fetchTolerantly<E: Entity>(
        _ type: E.Type, failures maximum: Int
    ) async throws -> TolerantFetch<E>? {
        guard let tolerant = store as? any TolerantStore,
            var result = try await tolerant.fetchTolerantly(type, failures: maximum)
        else { return nil }
        result.rows = attached(result.rows)
        return result
    }

    func find<E: Entity>(_ type: E.Type, _ scan: IndexScan, limit: Int) async throws -> [E] {
        attached(try await store.find(type, scan, limit: limit))
    }

    func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E] {
        attached(try await store.select(type, selection))
    }

    func begin() async throws -> any StoreTransaction {
        ExternalDataTransaction.around(try await store.begin(), of: self)
    }

    func snapshot() async throws -> any StoreTransaction {
        ExternalDataTransaction.around(try await store.snapshot(), of: self)
    }

    /// Returns entities whose external data can be loaded.
    private func attached<E: Entity>(_ entities: [E]) -> [E] {
        E.Mapper.table.externalFields.isEmpty ? entities : entities.map { attached($0) }
    }

    /// Returns an entity whose external data can be loaded.
    func attached<E: Entity>(_ entity: E) -> E {
        guard !E.Mapper.table.externalFields.isEmpty else { return entity }
        var copy = entity
        E.Mapper.changeExternalData(of: &copy) { data in
            data.from(RecordBytes<E>(store: home, id: entity.id, content: data.description))
        }
        return copy
    }
}

/// Writes.
extension ExternalDataKeeper {
    func create<E: Entity>(_ entity: E) async throws {
        guard entity.hasExternalData else { return try await store.create(entity) }
        try await atomically { store in
            try await store.create(entity.withoutBytes)
            try await entity.copyBytes(except: [], to: store)
        }
    }

    func createAll<E: Entity>(_ entities: [E]) async throws {
        guard entities.contains(where: \.hasExternalData) else {
            return try await store.createAll(entities)
        }
        try await atomically { store in
            try await store.createAll(entities.map(\.withoutBytes))
            for entity in entities { try await entity.copyBytes(except: [], to: store) }
        }
    }

    func update<E: Entity>(_ entity: E) async throws -> E {
        guard entity.hasExternalData else { return try await store.update(entity) }
        return try await atomically { store in
            let stored = try await entity.storedContents(in: store)
            let updated = try await store.update(entity.withoutBytes)
            try await entity.copyBytes(except: stored, to: store)
            return attached(updated)
        }
    }

    func save<E: Entity>(_ entity: E) async throws -> E {
        guard entity.hasExternalData else { return try await store.save(entity) }
        return try await atomically { store in
            let stored = try await entity.storedContents(in: store)
            let saved = try await store.save(entity.withoutBytes)
            try await entity.copyBytes(except: stored, to: store)
            return attached(saved)
        }
    }

    func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] {
        guard entities.contains(where: \.hasExternalData) else {
            return try await store.saveAll(entities)
        }
        return try await atomically { store in
            var stored: [Set<String>] = []
            for entity in entities { stored.append(try await entity.storedContents(in: store)) }
            let saved = try await store.saveAll(entities.map(\.withoutBytes))
            for (entity, contents) in zip(entities, stored) {
                try await entity.copyBytes(except: contents, to: store)
            }
            return attached(saved)
        }
    }

    func updateAll<E: Entity>(
        _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Int {
        guard !E.Mapper.table.externalFields.isEmpty else {
            return try await store.updateAll(query, change)
        }
        return try await atomically { [self] store in
            let copies = PendingCopies<E>()
            let count = try await store.updateAll(query) { stored in
                let changed = try change(attached(stored))
                copies.add(changed, stored: stored.externalContents)
                return changed.withoutBytes
            }
            for (entity, stored) in copies.all {
                try await entity.copyBytes(except: stored, to: store)
            }
            return count
        }
    }

    /// Runs writes that are stored together or not at all.
    private func atomically<R>(
        _ body: (any StoreTransaction) async throws -> R
    ) async throws -> R {
        let transaction = try await store.begin()
        do {
            let result = try await body(transaction)
            try Task.checkCancellation()
            try await transaction.commit()
            return result
        } catch {
            await transaction.rollBack()
            throw error
        }
    }
}

extension ExternalDataTransaction: RecordPuttingStore {
    func put<E: Entity>(_ entities: [E]) async throws {
        guard entities.contains(where: \.hasExternalData) else {
            return try await store.putAll(entities)
        }
        var stored: [Set<String>] = []
        for entity in entities { stored.append(try await entity.storedContents(in: store)) }
        try await store.putAll(entities.map(\.withoutBytes))
        for (entity, contents) in zip(entities, stored) {
            try await entity.copyBytes(except: contents, to: store)
        }
    }
}

/// The entities that an update changes and whose bytes have to be copied afterwards.
private final class PendingCopies<E: Entity>: Sendable {
    private let entities = Mutex<[E.ID: (entity: E, stored: Set<String>)]>([:])

    /// Adds a changed entity, unless the stored one has all of its external data. The last change
    /// of an entity counts, because a store may repeat the update.
    func add(_ entity: E, stored: Set<String>) {
        let isNeeded = !entity.externalContents.isSubset(of: stored)
        entities.withLock { $0[entity.id] = isNeeded ? (entity, stored) : nil }
    }

    var all: [(entity: E, stored: Set<String>)] { entities.withLock { Array($0.values) } }
}

extension Entity {
    /// The values of the external fields.
    fileprivate var externalContents: Set<String> {
        var contents: Set<String> = []
        var copy = self
        Mapper.changeExternalData(of: &copy) { data in
            contents.insert(data.description)
            return data
        }
        return contents
    }

    /// Whether an external field has a value.
    fileprivate var hasExternalData: Bool {
        !Mapper.table.externalFields.isEmpty && !externalContents.isEmpty
    }

    /// The entity without the sources of its external data.
    fileprivate var withoutBytes: Self {
        guard !Mapper.table.externalFields.isEmpty else { return self }
        var copy = self
        Mapper.changeExternalData(of: &copy) { $0.from(nil) }
        return copy
    }

    /// The values of the external fields of the stored record with the id; none if there is no such
    /// record or it cannot be read.
    fileprivate func storedContents(in store: any EntityStore) async throws -> Set<String> {
        do {
            return try await store.read(Self.self, id: id).externalContents
        } catch let error as CRUDRepositoryError
            where error.code == .recordNotFound || error.code == .invalidRecord
        {
            return []
        }
    }

    /// Copies the bytes of the external data to a transaction, in chunks.
    ///
    /// - Parameters:
    ///   - stored: the contents that the record had before.
    ///   - store: the transaction in which the record was stored.
    fileprivate func copyBytes(
        except stored: Set<String>, to store: any EntityStore
    ) async throws {
        var new: [String: ExternalData] = [:]
        var copy = self
        Mapper.changeExternalData(of: &copy) { data in
            if !stored.contains(data.description) { new[data.description] = data }
            return data
        }
        for (content, data) in new.sorted(by: { $0.key < $1.key }) {
            let source = (data.source as? any TransactionalBytes)?.reading(in: store)
            var index = 0
            for try await chunk in data.from(source ?? data.source).chunks() {
                try await store.writeExternalChunk(
                    Self.self, id: id, content: content, index: index, chunk)
                index += 1
            }
        }
    }
}

/// Bytes that may be in the store in which they are to be written.
private protocol TransactionalBytes: ExternalDataSource {
    /// Returns the source that reads in a transaction if it is one of the same store.
    func reading(in transaction: any EntityStore) -> any ExternalDataSource
}

/// The bytes of the external data of a stored record.
private struct RecordBytes<E: Entity>: TransactionalBytes {
    let store: any EntityStore
    let id: E.ID
    let content: String

    func chunk(_ index: Int) async throws -> Data? {
        // Inside a transaction, the store itself does not see its changes, and may wait for it.
        let store = TransactionScope.transaction(of: store.changes) ?? store
        return try await store.externalChunk(E.self, id: id, content: content, index: index)
    }

    func reading(in transaction: any EntityStore) -> any ExternalDataSource {
        transaction.changes === store.changes
            ? ReadBytes(transaction: transaction, bytes: self) : self
    }

    func failure(_ failure: ExternalDataFailure) -> CRUDRepositoryError {
        let table = E.Mapper.table.name
        return switch failure {
        case .missing:
            CRUDRepositoryError(
                .externalDataNotFound,
                "The record '\(id)' in '\(table)' does not have this external data any more.",
                id: id.description, table: table)
        case .changed:
            CRUDRepositoryError.invalidRecord(
                id: id.description, table: table, reason: "its external data is damaged")
        }
    }

    /// The same bytes, read in a transaction.
    private struct ReadBytes: ExternalDataSource {
        let transaction: any EntityStore
        let bytes: RecordBytes

        func chunk(_ index: Int) async throws -> Data? {
            try await transaction.externalChunk(
                E.self, id: bytes.id, content: bytes.content, index: index)
        }

        func failure(_ failure: ExternalDataFailure) -> CRUDRepositoryError {
            bytes.failure(failure)
        }
    }
}
