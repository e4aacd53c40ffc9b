internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

/// Decides on which connection, and in which transaction, an operation runs.
protocol SQLAccess: Sendable {
    /// Runs queries.
    func read<R: Sendable>(
        _ body: @escaping @Sendable (Session) throws -> R
    ) async throws -> R
    /// Runs a call that writes: all of it happens, or nothing.
    ///
    /// - Parameters:
    ///   - body: writes. It may run again.
    ///   - diagnose: returns the error for a violated constraint, after the call was undone; nil if
    ///     it finds none.
    func write<R: Sendable>(
        _ body: @escaping @Sendable (RecordWrite) throws -> R,
        diagnose: @escaping @Sendable (Session, SQLDriverError) throws -> CRUDRepositoryError?
    ) async throws -> R
}

/// The operations on entities, shared by the store, its transactions and its snapshots.
protocol SQLEntityStore: TolerantStore {
    /// The type of the access.
    associatedtype Access: SQLAccess
    /// Decides which connection an operation uses.
    var access: Access { get }
    /// The tables of all open schemas.
    var plans: TablePlans { get }
}

extension SQLEntityStore {
    /// Runs a query on the table of an entity.
    func scan<E: Entity, R: Sendable>(
        _ type: E.Type, id: E.ID? = nil,
        _ body: @escaping @Sendable (Session, TablePlan) throws -> R
    ) async throws -> R {
        let plan = try plans.plan(E.Mapper.table.name)
        return try await SQLDriverError.mapped(name, table: plan.table.name, id: id?.description) {
            try await access.read { try body($0, plan) }
        }
    }

    /// Runs a call that stores or deletes entities.
    ///
    /// - Parameters:
    ///   - entities: the entities that are stored, for errors.
    ///   - isCreation: whether none of them may be there.
    private func write<E: Entity, R: Sendable>(
        _ type: E.Type, _ entities: [E] = [], isCreation: Bool = false, id: E.ID? = nil,
        _ body: @escaping @Sendable (RecordWrite) throws -> R
    ) async throws -> R {
        let plan = try plans.plan(E.Mapper.table.name)
        let id = (entities.first?.id ?? id)?.description
        return try await SQLDriverError.mapped(name, table: plan.table.name, id: id) {
            try await access.write(body) { session, error in
                // Another program may have been faster.
                if isCreation {
                    for entity in entities {
                        let key = try RecordEncoder.parameters(of: entity.id, plan)
                        if try session.query(plan.texts.exists, key).isEmpty { continue }
                        return CRUDRepositoryError.recordAlreadyExists(
                            id: entity.id.description, table: plan.table.name)
                    }
                }
                guard let found = try UniqueValues<E>(session, plan).collision(entities) else {
                    return nil
                }
                var refused = plan.table.entity.notUnique(
                    found.index, id: found.entity.id.description)
                refused.underlyingError = error
                return refused
            }
        }
    }

    // MARK: Reading

    /// Reads an entity.
    ///
    /// - Throws: `recordNotFound`; `invalidRecord` if the row cannot be decoded.
    public func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        try await scan(type, id: id) { session, plan in
            let key = try RecordEncoder.parameters(of: id, plan)
            let rows = try session.query(plan.texts.select, key)
            guard let entity = try RecordRows.all(type, rows, plan.table, session).first else {
                throw CRUDRepositoryError.recordNotFound(
                    id: id.description, table: plan.table.name)
            }
            return entity
        }
    }

    /// Returns whether an entity with this id exists.
    public func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try await scan(type, id: id) { session, plan in
            let key = try RecordEncoder.parameters(of: id, plan)
            return try !session.query(plan.texts.exists, key).isEmpty
        }
    }

    /// Returns the number of entities.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await scan(type) { session, plan in
            Int(try session.integer(plan.texts.count) ?? 0)
        }
    }

    /// Returns all ids, in id order.
    public func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try await allIDs(type).all()
    }

    /// Returns all ids that can be decoded, in id order, and the others.
    package func readableIDs<E: Entity>(_ type: E.Type) async throws -> ReadableIDs<E>? {
        try await allIDs(type)
    }

    private func allIDs<E: Entity>(_ type: E.Type) async throws -> ReadableIDs<E> {
        try await scan(type) { session, plan in
            try RecordRows.ids(type, session.query(plan.texts.ids), plan.table)
        }
    }

    /// Returns at most `limit` entities whose ids follow `id`, in id order.
    public func page<E: Entity>(
        _ type: E.Type, after id: E.ID?, limit: Int
    ) async throws -> [E] {
        try await scan(type) { session, plan in
            let key = try id.map { try RecordEncoder.parameters(of: $0, plan) }
            let text = key == nil ? plan.texts.firstPage : plan.texts.nextPage
            let rows = try session.query(
                text, (key ?? []) + [.integer(Int64(max(0, limit)))])
            return try RecordRows.all(type, rows, plan.table, session)
        }
    }

    /// Returns all entities, in id order, and the rows that cannot be decoded.
    package func fetchTolerantly<E: Entity>(
        _ type: E.Type, failures maximum: Int
    ) async throws -> TolerantFetch<E>? {
        try await scan(type) { session, plan in
            try RecordRows.readable(
                type, session.query(plan.texts.firstPage, [.integer(.max)]), plan.table, session,
                failures: maximum)
        }
    }

    /// Returns a chunk of the external data of a record; nil if the record does not have it.
    public func externalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int
    ) async throws -> Data? {
        try await scan(type, id: id) { session, plan in
            guard let chunks = plan.chunks else { return nil }
            let place = try RecordEncoder.parameters(of: id, plan)
            let rows = try session.query(
                chunks.select, place + [.text(content), .integer(Int64(index))])
            guard case .data(let chunk)? = rows.first?.first else { return nil }
            return chunk
        }
    }

    /// Returns the entities that a scan of a declared index finds.
    ///
    /// - Throws: `unsupported` if the table has no such index, or the scan cannot be written.
    public func find<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) async throws -> [E] {
        try await self.scan(type) { [name] session, plan in
            if let found = try Self.hashed(type, scan, session, plan) {
                return Array(found.prefix(max(0, limit)))
            }
            let entity = plan.table.entity
            guard scan.index == IndexScan.ids || entity.indexes.indices.contains(scan.index),
                scan.equal.count <= entity.scannedIndex(scan.index).keys.count,
                let query = SQLSelectionWriter.find(scan, limit: limit, plan.table, plan.dialect)
            else {
                throw CRUDRepositoryError.unsupported(
                    "a scan of the index \(scan.index) of '\(plan.table.name)'", by: name)
            }
            return try RecordRows.all(type, session.query(query), plan.table, session)
        }
    }

    /// Returns the entities that a scan of an index over an encrypted field finds, in the order of
    /// the values; nil for another index. The hashes only narrow them down.
    private static func hashed<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, _ session: Session, _ plan: TablePlan
    ) throws -> [E]? {
        guard let selection = plan.table.hashed(scan, plan.dialect) else { return nil }
        let rows = try session.query(plan.query(selection))
        return try IndexScanOrder(scan, plan.table.entity).sorted(
            RecordRows.all(type, rows, plan.table, session))
    }

    // MARK: Writing

    /// Stores a new entity.
    ///
    /// - Throws: `recordAlreadyExists`, `constraintViolated`.
    public func create<E: Entity>(_ entity: E) async throws {
        _ = try await write(E.self, [entity], isCreation: true) {
            try $0.store([entity], .create)
        }
    }

    /// Replaces an entity.
    ///
    /// - Returns: the stored entity, with its new version.
    /// - Throws: `recordNotFound`, `versionConflict`, `constraintViolated`.
    public func update<E: Entity>(_ entity: E) async throws -> E {
        try await write(E.self, [entity]) { try $0.store([entity], .update)[0] }
    }

    /// Creates or replaces an entity.
    ///
    /// - Returns: the stored entity, with its new version.
    public func save<E: Entity>(_ entity: E) async throws -> E {
        try await write(E.self, [entity]) { try $0.store([entity], .save)[0] }
    }

    /// Deletes an entity and applies the `onDelete` rules of the references to it.
    ///
    /// - Throws: `recordNotFound`; `constraintViolated` if a `restrict` reference prevents it.
    public func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws {
        let wasThere = try await write(type, id: id) { try $0.delete(type, id) }
        guard wasThere else {
            throw CRUDRepositoryError.recordNotFound(
                id: id.description, table: E.Mapper.table.name)
        }
    }

    /// Stores new entities in one transaction.
    public func createAll<E: Entity>(_ entities: [E]) async throws {
        _ = try await write(E.self, entities, isCreation: true) {
            try $0.store(entities, .create)
        }
    }

    /// Creates or replaces entities in one transaction.
    ///
    /// - Returns: the stored entities, with their new versions.
    public func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] {
        try await write(E.self, entities) { try $0.store(entities, .save) }
    }

    /// Deletes entities in one transaction.
    ///
    /// - Returns: the number of deleted entities.
    public func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        try await write(type) { try $0.deleteAll(type, ids) }
    }

    /// Deletes all entities of a type.
    ///
    /// - Returns: the number of deleted entities.
    public func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int {
        try await write(type) { try $0.deleteAll(type) }
    }
}
