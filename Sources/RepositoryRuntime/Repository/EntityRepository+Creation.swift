internal import Synchronization

/// Writes to tables with dates of creation (`onCreate: now`). Other tables do without the reads.
extension EntityRepository {
    /// The repository whose writes keep the dates of creation and update (`onCreate: now`,
    /// `onUpdate: now`) that they are given.
    ///
    /// It is for records that exist already elsewhere: an export that is read again, or a copy of
    /// another store.
    ///
    /// ```swift
    /// try await library.books.keepingDates.createAll(exported)
    /// ```
    public var keepingDates: Self {
        context.keepsDates ? self : Self(RepositoryContext(context, keepingDates: true))
    }

    /// Returns new entities with their dates of creation, before they are prepared.
    ///
    /// - Parameter write: the write, whose time the entities get.
    func stamped(_ entities: [Model], for write: WriteContext) -> [Model] {
        guard Model.Mapper.table.creation != .none else { return entities }
        return entities.map { $0.created(from: nil, for: write) }
    }

    /// Replaces an entity, except for its dates of creation, in one atomic step. A deleted record
    /// counts as missing, unless the repository includes deleted records.
    ///
    /// Stores that implement the four-method protocol read and write in two steps.
    ///
    /// - Throws: the errors of `update`.
    func updateStored(_ entity: Model) async throws -> Model {
        try EntityPreparation.check(entity.id)
        let write = context.write(.update)
        guard context.store.capabilities.has(.updates) else {
            let stored = try await read(entity.id)
            let kept = entity.created(from: stored, for: write)
            return try await context.store.update(EntityPreparation.prepare(kept, for: write))
        }
        return try await changeStored(entity.id) { stored in
            let prepared = try EntityPreparation.prepare(
                entity.created(from: stored, for: write), for: write)
            guard let version = Model.Mapper.version(of: entity),
                let current = Model.Mapper.version(of: stored), version != current
            else { return prepared }
            throw CRUDRepositoryError.versionConflict(
                id: entity.id.description, table: Model.Mapper.table.name, expected: version,
                stored: current)
        }
    }

    /// Creates or replaces entities: those that are stored keep their dates of creation.
    ///
    /// - Parameters:
    ///   - entities: the entities, not prepared yet.
    ///   - save: stores the prepared entities, in the context in which the stored ones were read.
    /// - Returns: the stored entities.
    func saveKeepingCreation(
        _ entities: [Model],
        _ save: (RepositoryContext, [Model]) async throws -> [Model]
    ) async throws -> [Model] {
        if entities.isEmpty { return [] }
        for entity in entities { try EntityPreparation.check(entity.id) }
        let store = context.store
        // One save inside a transaction is a part of it, unless it also counts ids.
        let isPart = store is any StoreTransaction && !Model.Mapper.table.assignsIDs
        guard store.capabilities.has(.transactions), !isPart else {
            return try await save(context, prepared(entities))
        }
        return try await context.transaction { context in
            try await save(context, Self(context).prepared(entities))
        }
    }

    /// Prepares entities for a save: those that are stored have their dates of creation.
    func prepared(_ entities: [Model]) async throws -> [Model] {
        let write = context.write(.update)
        var stored: [Model.ID: Model?] = [:]
        if entities.count > 1, context.store.capabilities.has(.queries) {
            do {
                stored = try await fetch(ids: entities.map(\.id), includingDeleted: true)
                    .mapValues { .some($0) }
            } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
                // One by one, because the others may keep their dates.
                stored = try await readEach(entities.map(\.id))
            }
        } else {
            stored = try await readEach(entities.map(\.id))
        }
        let kept = entities.map { entity in
            switch stored[entity.id] {
            case .some(.some(let record)): entity.created(from: record, for: write)
            // The stored record is unreadable, so that its dates are lost.
            case .some(.none): entity
            case nil: entity.created(from: nil, for: write)
            }
        }
        return try EntityPreparation.prepareAll(kept, for: write)
    }

    /// Reads the records that are stored under some ids; a record that is unreadable is nil.
    private func readEach(_ ids: [Model.ID]) async throws -> [Model.ID: Model?] {
        var stored: [Model.ID: Model?] = [:]
        for id in ids where stored[id] == nil {
            do {
                stored[id] = .some(try await context.store.read(Model.self, id: id))
            } catch let error as CRUDRepositoryError where error.code == .recordNotFound {
                continue
            } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
                stored[id] = .some(nil)
            }
        }
        return stored
    }

    /// Changes a stored entity in one atomic step. A deleted record counts as missing, unless the
    /// repository includes deleted records.
    ///
    /// - Parameters:
    ///   - id: the id.
    ///   - isDeleted: whether the record must be deleted; nil if the repository decides.
    ///   - change: returns the prepared entity for the stored one, with its version.
    /// - Returns: the stored entity.
    /// - Throws: `recordNotFound`, or the errors of the store and of `change`.
    func changeStored(
        _ id: Model.ID, deleted isDeleted: Bool? = nil,
        _ change: @escaping @Sendable (Model) throws -> Model
    ) async throws -> Model {
        let changed = ChangedRecord<Model>()
        let wanted = isDeleted ?? (context.hidesDeleted(Model.self) ? false : nil)
        let step: @Sendable (Model) throws -> Model = { stored in
            if let wanted, (Model.Mapper.deletion(of: stored) != nil) != wanted {
                throw CRUDRepositoryError.notFound(id, Model.self)
            }
            let entity = try change(stored)
            changed.set(entity)
            return entity
        }
        let store = context.store as? any RecordChangingStore
        if try await store?.change(Model.self, id: id, step) != true,
            try await context.store.updateAll(.where { $0.id == id }, step) == 0
        {
            throw CRUDRepositoryError.notFound(id, Model.self)
        }
        guard var entity = changed.entity else {
            throw CRUDRepositoryError.notFound(id, Model.self)
        }
        // The store increases the version of what it is given.
        if let version = Model.Mapper.version(of: entity) {
            Model.Mapper.setVersion(version &+ 1, of: &entity)
        }
        return try await context.computed(context.loading(entity))
    }
}

extension Entity {
    /// The entity with the dates of creation of the stored one, or with the time of the write if
    /// there is none.
    func created(from stored: Self?, for write: WriteContext) -> Self {
        if write.keepsDates { return self }
        var copy = self
        Mapper.setCreation(of: &copy, from: stored, for: write)
        return copy
    }
}

/// The entity that a change produced last. The store may repeat a change.
private final class ChangedRecord<Model: Entity>: Sendable {
    private let value = Mutex<Model?>(nil)

    var entity: Model? { value.withLock { $0 } }

    func set(_ entity: Model) { value.withLock { $0 = entity } }
}
