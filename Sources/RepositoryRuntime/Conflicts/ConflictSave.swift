internal import Foundation

/// Decides, for one entity after the other, what a save by a policy writes. It runs in a transaction.
struct ConflictSave<Model: Entity> {
    let context: RepositoryContext
    let rule: ConflictPolicy<Model>.Rule
    let write: WriteContext

    /// What is done with an entity.
    private enum Outcome {
        case save(Model)
        case keep(Model)
    }

    /// Saves entities in their order; returns what is stored of each.
    func save(_ entities: ArraySlice<Model>) async throws -> [Model] {
        var stored: [Model] = []
        // Those decided on and not yet written, which stand behind the ones in `stored`.
        var pending: [Outcome] = []
        var pendingIDs: Set<Model.ID> = []
        for entity in entities {
            // Of several with one id each finds what the one before it left.
            if pendingIDs.contains(entity.id) {
                stored += try await flush(&pending)
                pendingIDs = []
            }
            pending.append(try await outcome(of: entity))
            pendingIDs.insert(entity.id)
        }
        return try await stored + flush(&pending)
    }

    private func flush(_ pending: inout [Outcome]) async throws -> [Model] {
        let saves = pending.compactMap { if case .save(let entity) = $0 { entity } else { nil } }
        var saved = try await saves.isEmpty ? [] : context.store.saveAll(saves)[...]
        let results: [Model] = pending.compactMap {
            if case .keep(let entity) = $0 { entity } else { saved.popFirst() }
        }
        pending = []
        return results
    }

    private func outcome(of entity: Model) async throws -> Outcome {
        let prepared = try EntityPreparation.prepare(entity, for: write)
        let stored: Model
        do {
            stored = try await context.store.read(Model.self, id: entity.id)
        } catch let error as CRUDRepositoryError where error.code == .recordNotFound {
            if case .merge(let originals) = rule, originals[entity.id] != nil { throw error }
            return .save(prepared)
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            // There is a record, but nothing of it that could be kept or merged.
            guard case .replace = rule else { throw error }
            return .save(prepared)
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

    /// The entity, if the store can tell whether its record was changed.
    private func unchanged(_ entity: Model) throws -> Model {
        let table = Model.Mapper.table
        guard table.versionField == nil else { return entity }
        throw CRUDRepositoryError.recordAlreadyExists(
            id: entity.id.description, table: table.name)
    }

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
        // Rules may speak of several fields, which come from two sides now.
        return try .save(
            EntityPreparation.prepare(Model.Mapper.decode(from: &fields), for: write))
    }

    /// The entity as it would be stored at another moment.
    private func later(_ entity: Model) throws -> Model {
        let moment = WriteContext(
            write.operation, now: write.now.addingTimeInterval(1),
            keepsWholeSeconds: write.keepsWholeSeconds)
        return try EntityPreparation.prepare(entity, for: moment)
    }
}

extension Entity {
    fileprivate func withVersion(of other: Self) -> Self {
        guard let version = Mapper.version(of: other) else { return self }
        var copy = self
        Mapper.setVersion(version, of: &copy)
        return copy
    }
}

extension CRUDRepositoryError {
    /// Two have changed fields of a record to something else since it was read.
    fileprivate static func mergeConflict(
        id: String, table: String, fields: [String], expected: Int?, stored: Int?
    ) -> Self {
        let names = fields.map { "'\($0)'" }.joined(separator: ", ")
        var error = Self(
            .versionConflict,
            "The record '\(id)' in '\(table)' was changed since it was read, and so was what is to be saved, in \(names).",
            id: id, table: table, field: fields.first)
        error.expectedVersion = expected
        error.storedVersion = stored
        return error
    }
}
