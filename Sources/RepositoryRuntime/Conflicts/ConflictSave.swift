internal import Foundation

/// Applies a conflict policy to a batch of entities, inside a transaction.
///
/// Each entity is compared with its stored record. The resulting saves are collected and passed to
/// the store together, as long as no id repeats.
struct ConflictSave<Model: Entity> {
    /// The context of the transaction in which the saves run.
    let context: RepositoryContext
    let rule: ConflictPolicy<Model>.Rule
    /// The time of the write. It is the same for all entities, so that they get the same
    /// timestamps.
    let write: WriteContext

    /// The decision for one entity.
    private enum Outcome {
        case save(Model)
        case keep(Model)
    }

    /// Saves entities in order. Returns the stored record of each.
    func save(_ entities: [Model]) async throws -> [Model] {
        var stored: [Model] = []
        // Decisions that are not written yet. Their results follow those in `stored`.
        var pending: [Outcome] = []
        var pendingIDs: Set<Model.ID> = []
        for entity in entities {
            // A repeated id is compared with the record that the earlier entity left.
            if pendingIDs.contains(entity.id) {
                stored += try await flush(&pending)
                pendingIDs = []
            }
            pending.append(try await outcome(of: entity))
            pendingIDs.insert(entity.id)
        }
        return try await stored + flush(&pending)
    }

    /// Writes the pending saves as one batch, and returns the results in the order of the
    /// decisions.
    private func flush(_ pending: inout [Outcome]) async throws -> [Model] {
        let saves = pending.compactMap { if case .save(let entity) = $0 { entity } else { nil } }
        var saved: ArraySlice<Model> = []
        if !saves.isEmpty { saved = try await context.computed(context.store.saveAll(saves))[...] }
        let results: [Model] = pending.compactMap {
            if case .keep(let entity) = $0 { entity } else { saved.popFirst() }
        }
        pending = []
        return results
    }

    /// Decides what to do with one entity by comparing it with its stored record.
    private func outcome(of given: Model) async throws -> Outcome {
        let isKept = Model.Mapper.table.creation == .kept
        var entity = isKept ? given.created(from: nil, for: write) : given
        var prepared = try EntityPreparation.prepare(entity, for: write)
        let stored: Model
        do {
            stored = try await context.store.read(Model.self, id: entity.id)
        } catch let error as CRUDRepositoryError where error.code == .recordNotFound {
            if case .merge(let originals) = rule, originals[entity.id] != nil { throw error }
            return .save(prepared)
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            // There is a record, but nothing of it that could be kept or merged.
            guard case .replace = rule else { throw error }
            return try .save(isKept ? EntityPreparation.prepare(given, for: write) : prepared)
        }
        if isKept {
            entity = given.created(from: stored, for: write)
            prepared = try EntityPreparation.prepare(entity, for: write)
        }
        switch rule {
        case .fail:
            return try .save(unchanged(prepared))
        case .keepStored:
            return .keep(stored)
        case .replace:
            return .save(prepared.withVersion(of: stored))
        case .merge(let originals):
            guard let original = originals[entity.id] else {
                return try .save(unchanged(prepared))
            }
            return try merge(original, entity, prepared, stored)
        }
    }

    /// Returns the entity if its version lets the store detect changes; throws
    /// `recordAlreadyExists` otherwise.
    private func unchanged(_ entity: Model) throws -> Model {
        let table = Model.Mapper.table
        guard table.versionField == nil else { return entity }
        throw CRUDRepositoryError.recordAlreadyExists(
            id: entity.id.description, table: table.name)
    }

    /// Merges the changes of `entity` since `original` into the stored record. Throws
    /// `versionConflict` if both sides changed a field.
    private func merge(
        _ original: Model, _ entity: Model, _ prepared: Model, _ stored: Model
    ) throws -> Outcome {
        let table = Model.Mapper.table
        let values = try [original, prepared, later(entity), stored].map {
            try StoredValueEncoder.values(of: $0, Model.Mapper.self)
        }
        let merge = ThreeWayMerge(
            values[0], values[1], later: values[2], values[3], layout: table.layout,
            version: table.versionField)
        guard merge.conflicts.isEmpty else {
            throw CRUDRepositoryError.mergeConflict(
                id: entity.id.description, table: table.name, fields: merge.conflicts,
                expected: Model.Mapper.version(of: original),
                stored: Model.Mapper.version(of: stored))
        }
        guard merge.changesStored else { return .keep(stored) }
        var fields = StoredValueDecoder(merge.merged, layout: table.layout)
        // Validation rules may combine fields that now come from both sides.
        return try .save(
            EntityPreparation.prepare(
                Model.Mapper.decode(from: &fields).withBytes(of: stored, prepared), for: write))
    }

    /// The entity as it would be stored one second later. A field that differs from the present
    /// form holds a timestamp.
    private func later(_ entity: Model) throws -> Model {
        let moment = WriteContext(
            write.operation, now: write.now.addingTimeInterval(1),
            roundsToSeconds: write.roundsToSeconds, keepsDates: write.keepsDates)
        return try EntityPreparation.prepare(entity, for: moment)
    }
}

extension Entity {
    /// A copy with the version of another entity, so that the store's version check succeeds.
    fileprivate func withVersion(of other: Self) -> Self {
        guard let version = Mapper.version(of: other) else { return self }
        var copy = self
        Mapper.setVersion(version, of: &copy)
        return copy
    }
}

extension CRUDRepositoryError {
    /// The error for fields that were changed to different values on both sides.
    fileprivate static func mergeConflict(
        id: String, table: String, fields: [String], expected: Int?, stored: Int?
    ) -> Self {
        let names = fields.map { "'\($0)'" }.joined(separator: ", ")
        var error = Self(
            .versionConflict,
            """
            The record '\(id)' in '\(table)' and the given entity were both changed since it was \
            read, in \(names).
            """,
            id: id, table: table, field: fields.first)
        error.expectedVersion = expected
        error.storedVersion = stored
        return error
    }
}
