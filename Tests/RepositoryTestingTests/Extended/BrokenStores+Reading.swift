import Foundation
import RepositoryRuntime

@testable import RepositoryTesting

extension BrokenStore {
    func count<E: Entity>(_ type: E.Type) async throws -> Int { try await good.count(type) }

    func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        let ids = try await good.ids(type)
        if flaw == .ordersNumbersAsText { return ids.sorted { $0.description < $1.description } }
        return flaw == .listsInWrongOrder ? ids.reversed() : ids
    }

    func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        let page = try await good.page(type, after: id, limit: limit)
        switch flaw {
        case .listsInWrongOrder: return page.reversed()
        case .losesTheLastOfAPage where page.count > 2: return page.dropLast()
        case .repeatsThePageStart:
            guard let id, let first = try? await good.read(type, id: id) else { return page }
            return [first] + page.prefix(limit - 1)
        default: return page
        }
    }

    func find<E: Entity>(_ type: E.Type, _ scan: IndexScan, limit: Int) async throws -> [E] {
        let (index, values) = (scan.index, scan.equal)
        let found = try await good.find(type, changed(scan), limit: limit)
        switch flaw {
        case .partialScansFindAll:
            let index = E.Mapper.table.scannedIndex(scan.index)
            guard index.condition != nil, values.isEmpty else { return found }
            return try await good.page(type, after: nil, limit: limit)
        case .finderIgnoresOrder: return found.sorted { $0.id < $1.id }
        case .finderSkipsNulls where values.contains(.null): return []
        case .finderFoldsCase:
            guard case .text(let text)? = values.first else { return found }
            return try await found
                + good.find(type, IndexScan(index, equal: [.text(text.uppercased())]), limit: limit)
        default: return found
        }
    }
}

extension BrokenStore {
    /// The scan as the store understands it.
    private func changed(_ scan: IndexScan) -> IndexScan {
        var copy = scan
        switch flaw {
        case .scansIgnoreTheRange:
            copy.lower = nil
            copy.upper = nil
        case .idScansIgnoreTheBeginning where scan.index == IndexScan.ids:
            copy.equal = []
            copy.lower = nil
            copy.upper = nil
        case .scansIgnoreTheDirection: copy.isReversed = false
        case .scansIgnoreThePlace: copy.after = nil
        default: break
        }
        return copy
    }

    /// The schema without what the store is to ignore.
    func changed(_ schema: StoreSchema) -> StoreSchema {
        StoreSchema(schema.name, schema.tables.map(changed))
    }

    private func changed(_ table: EntityTable) -> EntityTable {
        var copy = EntityTable(table.name, entity: table.entity)
        for (index, field) in table.layout.fields.enumerated() {
            var reference = table.fields[index].reference
            if flaw == .ignoresReferences { reference = nil }
            if flaw == .neverCascades, reference?.onDelete == .cascade {
                reference?.onDelete = .restrict
            }
            copy.field(
                field.name, field.type, optional: field.isOptional, reference: reference,
                key: table.key.contains(index), version: table.versionField == index,
                ignoringCase: table.fields[index].ignoresCase && flaw != .tellsCaseApart)
        }
        for index in table.indexes {
            let keys = index.keys.map {
                ($0.descending ? "-" : "") + table.name(of: $0)
            }
            let isUnique = index.isUnique && flaw != .ignoresUniqueIndexes
            let condition = flaw == .partialIndexesCoverAll ? nil : index.condition
            copy.index(
                index.name, keys, unique: isUnique, where: condition.map { Condition($0) })
        }
        for check in table.checks where flaw != .ignoresChecks {
            copy.check(check.name, Condition(check.condition), message: check.message)
        }
        return copy
    }

    /// Throws for an entity whose nulls another has in a unique index too.
    func collide<E: Entity>(_ entity: E) async throws {
        let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
        for (number, index) in E.Mapper.table.indexes.enumerated() where index.isUnique {
            let values = index.keys.map { $0.path.value(in: row) }
            guard values.contains(.null),
                try await !good.find(E.self, IndexScan(number, equal: values), limit: 1).isEmpty
            else { continue }
            throw CRUDRepositoryError(.constraintViolated, "Null is taken.", id: "\(entity.id)")
        }
    }

    /// The entity with the version that is stored, where versions are ignored.
    func ignoringVersion<E: Entity>(_ entity: E) async throws -> E {
        guard flaw == .ignoresVersions || flaw == .checksVersionsTooEarly,
            E.Mapper.version(of: entity) != nil,
            try await good.exists(E.self, id: entity.id)
        else { return entity }
        var copy = entity
        let stored = try await good.read(E.self, id: entity.id)
        E.Mapper.setVersion(E.Mapper.version(of: stored) ?? 1, of: &copy)
        return copy
    }

    /// What the store keeps of an entity.
    func changed<E: Entity>(_ entity: E) throws -> E {
        if flaw == .startsAtVersionTwo {
            var copy = entity
            E.Mapper.setVersion(2, of: &copy)
            return copy
        }
        guard [.trimsTexts, .dropsFractions, .negatesZero].contains(flaw) else { return entity }
        let values = try StoredValueEncoder.values(of: entity, E.Mapper.self).map {
            value -> StoredValue in
            switch value {
            case .text(let text) where flaw == .trimsTexts:
                .text(text.trimmingCharacters(in: .whitespaces))
            case .double(let number) where flaw == .negatesZero && number.isZero: .double(-0.0)
            case .date(let date) where flaw == .dropsFractions:
                .date(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
            default: value
            }
        }
        var fields = RepositoryTesting.StoredValueDecoder(values, layout: E.Mapper.layout)
        return try E.Mapper.decode(from: &fields)
    }

    /// The id that the store takes an id for.
    func changed<ID: EntityIdentifier>(_ id: ID) -> ID {
        flaw == .foldsIDs ? ID(id.description.lowercased()) ?? id : id
    }

    /// The errors of a call as the store reports them.
    func translated<R>(_ call: () async throws -> R) async throws -> R {
        do {
            return try await call()
        } catch var error as CRUDRepositoryError {
            switch flaw {
            case .throwsAnotherCode where error.code == .recordAlreadyExists:
                error.code = .constraintViolated
            case .namesNoID: error.id = nil
            case .leaksValues where error.code == .constraintViolated:
                error.message += " The value is very-secret@example.org."
            default: break
            }
            throw error
        }
    }
}
