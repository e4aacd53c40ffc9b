public import Foundation
public import RepositoryRuntime

/// A read-only store over a source, so that generated repositories answer queries on the file of
/// another database, or on an export.
///
/// ```swift
/// let library = Library(SourceStore(source))
/// let books = try await library.books.fetch(.where { $0.pages > 300 })
/// ```
/// Queries read all records of a table and are evaluated by the runtime, unless they name ids. Every
/// write throws `unsupported`. Records that cannot be read throw `invalidRecord`, as in other stores.
public struct SourceStore: EntityStore {
    /// The source.
    public let source: any RecordSource
    /// The observers, which are never notified: a source does not change.
    public let changes = StoreChanges()

    /// Creates a store.
    public init(_ source: any RecordSource) { self.source = source }

    /// What is read.
    public var name: String { source.name }

    /// Reading, without indexes.
    public var capabilities: StoreCapabilities {
        let scan = "every record of the table is read"
        return StoreCapabilities([
            .listing: .native, .queries: .emulated(cost: scan), .finders: .emulated(cost: scan),
            .snapshots: .native, .observation: .native, .fractionalSeconds: .native,
            .controlCharacters: .native, .externalData: .native, .closing: .native,
        ])
    }

    /// Checks that the source can be read and fits the schema.
    ///
    /// - Throws: `schemaMismatch` with the problems because of which records cannot be read.
    public func open(_ schema: StoreSchema) async throws {
        _ = try await source.state()
        let problems = try await source.mappingProblems(schema).filter(\.isFatal)
        guard problems.isEmpty else {
            throw CRUDRepositoryError.schemaMismatch(
                store: name, differences: problems.map(\.message))
        }
    }

    /// Does nothing: the source belongs to the caller.
    public func close() async throws {}
}

/// Reading.
extension SourceStore {
    /// Reads an entity.
    public func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        guard let record = try await source.record(type, id: id) else {
            throw CRUDRepositoryError.recordNotFound(
                id: id.description, table: E.Mapper.table.name)
        }
        return record
    }

    /// Returns whether there is an entity with an id. One that cannot be read counts.
    public func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        do {
            return try await source.record(type, id: id) != nil
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            return true
        }
    }

    /// Returns the number of entities.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await source.count(type)
    }

    /// Returns all ids, in order.
    public func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        var ids: [E.ID] = []
        while true {
            let page = try await page(type, after: ids.last, limit: 1024)
            guard !page.isEmpty else { return ids }
            ids += page.map(\.id)
        }
    }

    /// Returns entities after an id, in order.
    ///
    /// - Throws: `invalidRecord` if one cannot be read.
    public func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        var found: [E] = []
        var last = id
        // A page of a source may be short before its end; one of a store may not.
        while found.count < limit {
            let page = try await source.page(type, after: last, limit: limit - found.count)
            if let failure = page.failures.first {
                throw CRUDRepositoryError.invalidRecord(
                    id: failure.id, table: failure.table, field: failure.field,
                    reason: failure.reason)
            }
            guard let next = page.last else { break }
            found += page.records
            last = next
        }
        return found
    }

    /// Returns the entities of a scan, for which it reads the whole table.
    public func find<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) async throws -> [E] {
        let order = IndexScanOrder(scan, E.Mapper.table)
        var found: [E] = []
        var last: E.ID?
        while true {
            let page = try await page(type, after: last, limit: 1024)
            guard let next = page.last?.id else { return Array(found.prefix(limit)) }
            found = try order.sorted(found + order.sorted(page))
            if found.count > limit { found.removeSubrange(limit...) }
            last = next
        }
    }

    /// Returns a chunk of the external data of a record.
    public func externalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int
    ) async throws -> Data? {
        guard var record = try await source.record(type, id: id) else { return nil }
        var data: ExternalData?
        E.Mapper.changeExternalData(of: &record) {
            if $0.description == content { data = $0 }
            return $0
        }
        return try await data?.chunk(at: index)
    }

    /// Begins a reading of the source, which does not change.
    public func snapshot() async throws -> any StoreTransaction { SourceSnapshot(source: self) }
}

/// Writes, which a source does not take.
extension SourceStore {
    private var refusal: CRUDRepositoryError { .unsupported("writes", by: name) }

    /// Throws `unsupported`.
    public func create<E: Entity>(_ entity: E) async throws { throw refusal }
    /// Throws `unsupported`.
    public func update<E: Entity>(_ entity: E) async throws -> E { throw refusal }
    /// Throws `unsupported`.
    public func save<E: Entity>(_ entity: E) async throws -> E { throw refusal }
    /// Throws `unsupported`.
    public func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws { throw refusal }
    /// Throws `unsupported`.
    public func createAll<E: Entity>(_ entities: [E]) async throws { throw refusal }
    /// Throws `unsupported`.
    public func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] { throw refusal }
    /// Throws `unsupported`.
    public func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        throw refusal
    }
    /// Throws `unsupported`.
    public func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int { throw refusal }
    /// Throws `unsupported`.
    public func reset(_ schema: StoreSchema) async throws { throw refusal }
}

/// A reading of a source.
private struct SourceSnapshot: EntityStoreWrapper, StoreTransaction {
    let source: SourceStore
    var store: any EntityStore { source }
    func commit() async throws {}
    func rollBack() async {}
}
