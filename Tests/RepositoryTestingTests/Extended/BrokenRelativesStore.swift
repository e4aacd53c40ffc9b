import RepositoryRuntime

@testable import RepositoryTesting

/// A store that follows references and relations by itself and is wrong in one thing, or in none.
struct BrokenRelativesStore: EntityStoreWrapper {
    /// What is wrong with it.
    enum Flaw: String, CaseIterable, Sendable {
        case nothing
        case missingTargetsMatch, nullTargetsDiffer, followsOneReference
        case allNeedsRecords, noneIsAny, countsOneMore, countsAreOne, joinsCountTwice
        case forgetsTheInnerCondition
        case missingStandLast, missingCountsAreZero, sortsByTheReference, ignoresTheDirection
        case ordersByOneJoinRecord, forgetsTheCount
        case fieldsIgnoreNull, fieldsCompareTexts
    }

    let flaw: Flaw
    let store: any EntityStore = ReferenceStore()

    var name: String { "Broken relatives: \(flaw.rawValue)" }

    func plan<E: Entity>(_ query: Query<E>) -> QueryPlan {
        QueryPlan(
            .selection(
                StoreSelection(query.condition.tree.conjuncts, sortKeys: query.sortKeys)),
            remainder: [], sortsInRuntime: false)
    }

    func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E] {
        var found: [(entity: E, position: [StoredValue])] = []
        for row in try await rows(of: type) {
            guard try await holds(.all(selection.conditions), row, type) else { continue }
            var position: [StoredValue] = []
            for key in selection.sortKeys {
                position.append(
                    try await key.relative.asyncMap { try await value($0, row, type) }
                        ?? key.path.value(in: row.values))
            }
            position += E.Mapper.table.key.map { row.values[$0] }
            found.append((row.entity, position))
        }
        found.sort { precedes($0.position, $1.position, selection.sortKeys) }
        if let after = selection.after {
            found.removeAll { !precedes(after, $0.position, selection.sortKeys) }
        }
        let rest = found.dropFirst(selection.skipped)
        return rest.prefix(selection.maximum ?? rest.count).map(\.entity)
    }

    func values<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, at paths: [FieldPath]
    ) async throws -> [[StoredValue]] {
        try await select(type, selection).map { entity in
            let values = try StoredValueEncoder.values(of: entity, E.Mapper.self)
            return paths.map { $0.value(in: values) }
        }
    }

    func summary<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]? { nil }
}

/// A record with its values and its id as references contain it.
private struct Row<E: Entity> {
    let entity: E
    let id: StoredValue
    let values: [StoredValue]
}

extension BrokenRelativesStore {
    private func rows<E: Entity>(of type: E.Type) async throws -> [Row<E>] {
        try await store.page(type, after: nil, limit: .max).map {
            Row(
                entity: $0, id: try StoredValue(encoding: $0.id),
                values: try StoredValueEncoder.values(of: $0, E.Mapper.self))
        }
    }

    /// The records that a link finds.
    private func linked<E: Entity, Target: Entity>(
        _ row: Row<E>, by link: RecordLink, _ target: Target.Type
    ) async throws -> [Row<Target>] {
        let rows = try await rows(of: target)
        if let reference = link.reference {
            return rows.filter { $0.id == reference.value(in: row.values) }
        }
        let field = link.backReference.flatMap { Target.Mapper.layout.indexByKey[$0] }
        return rows.filter { other in field.map { other.values[$0] } == row.id }
    }

    private func entity(_ link: RecordLink) throws -> any Entity.Type {
        guard let entity = link.target as? any Entity.Type else {
            throw CRUDRepositoryError(.invalidQuery, "'\(link.name)' leads to no entity.")
        }
        return entity
    }

    // MARK: Conditions

    private func holds<E: Entity>(
        _ tree: ConditionTree, _ row: Row<E>, _ type: E.Type, depth: Int = 0
    ) async throws -> Bool {
        switch tree {
        case .related(let related):
            return try await holds(related, row, entity(related.link), depth)
        case .all(let parts):
            for part in parts {
                if try await !holds(part, row, type, depth: depth) { return false }
            }
            return true
        case .any(let parts):
            for part in parts {
                if try await holds(part, row, type, depth: depth) { return true }
            }
            return false
        case .not(.related(let related))
        where flaw == .allNeedsRecords && related.link.reference == nil:
            let all = ConditionTree.related(RelatedCondition(related.link, .constant(true)))
            guard try await holds(all, row, type, depth: depth) else { return false }
            return try await !holds(.related(related), row, type, depth: depth)
        case .not(.related(let related)) where flaw == .noneIsAny && related.link.reference == nil:
            return try await holds(.related(related), row, type, depth: depth)
        case .not(let part): return try await !holds(part, row, type, depth: depth)
        case .compareFields(let one, let comparison, let two):
            let (left, right) = (one.value(in: row.values), two.value(in: row.values))
            if flaw == .fieldsIgnoreNull, left == .null || right == .null { return false }
            if flaw == .fieldsCompareTexts {
                let (left, right) = (StoredValue.text("\(left)"), StoredValue.text("\(right)"))
                return ConditionTree.compare(FieldPath(0), comparison, right).matches([left])
            }
            return tree.matches(row.values)
        case .constant, .compare, .isIn, .text, .hasElement, .invalid:
            return tree.matches(row.values)
        }
    }

    private func holds<E: Entity, Target: Entity>(
        _ related: RelatedCondition, _ row: Row<E>, _ target: Target.Type, _ depth: Int
    ) async throws -> Bool {
        if flaw == .followsOneReference, depth > 0, related.link.reference != nil { return true }
        var found: [Row<Target>] = []
        let all = try await linked(row, by: related.link, target)
        for other in all {
            if flaw == .forgetsTheInnerCondition, related.link.reference == nil {
                found.append(other)
            } else if try await holds(related.condition, other, target, depth: depth + 1) {
                found.append(other)
            }
        }
        if let reference = related.link.reference, all.isEmpty {
            if flaw == .missingTargetsMatch { return true }
            if flaw == .nullTargetsDiffer, reference.value(in: row.values) == .null,
                case .not = related.condition
            {
                return true
            }
        }
        var count = found.count
        if let distinct = related.distinct, flaw != .joinsCountTwice {
            count = Set(found.map { distinct.value(in: $0.values) }).count
        }
        if flaw == .countsOneMore, related.minimum > 1 { count += 1 }
        if flaw == .countsAreOne { return count >= min(1, related.minimum) }
        return count >= related.minimum
    }

    // MARK: Orders

    private func value<E: Entity>(
        _ value: RelatedValue, _ row: Row<E>, _ type: E.Type
    ) async throws -> StoredValue {
        switch value {
        case .field(let path): return path.value(in: row.values)
        case .behind(let link, let inner):
            if flaw == .sortsByTheReference {
                return link.reference?.value(in: row.values) ?? .null
            }
            return try await behind(link, inner, row, entity(link))
        case .count(let link, let join):
            if flaw == .forgetsTheCount { return .integer(0) }
            return .integer(Int64(try await count(link, join, row, entity(link))))
        }
    }

    private func behind<E: Entity, Target: Entity>(
        _ link: RecordLink, _ inner: RelatedValue, _ row: Row<E>, _ target: Target.Type
    ) async throws -> StoredValue {
        guard let other = try await linked(row, by: link, target).first else {
            if flaw == .missingCountsAreZero, case .count = inner { return .integer(0) }
            return .null
        }
        return try await value(inner, other, target)
    }

    private func count<E: Entity, Found: Entity>(
        _ link: RecordLink, _ join: RecordLink?, _ row: Row<E>, _ found: Found.Type
    ) async throws -> Int {
        let rows = try await linked(row, by: link, found)
        guard let reference = join?.reference, flaw != .ordersByOneJoinRecord else {
            return rows.count
        }
        return Set(rows.map { reference.value(in: $0.values) }).subtracting([.null]).count
    }

    private func precedes(
        _ left: [StoredValue], _ right: [StoredValue], _ keys: [SortKey]
    ) -> Bool {
        for index in left.indices where left[index] != right[index] {
            let (one, two) = (left[index], right[index])
            let isRelative = index < keys.count && keys[index].relative != nil
            if flaw == .missingStandLast, isRelative, one == .null || two == .null {
                return two == .null
            }
            var descends = index < keys.count && keys[index].direction == .descending
            if flaw == .ignoresTheDirection, isRelative { descends = false }
            return descends ? two < one : one < two
        }
        return false
    }
}

extension Optional {
    fileprivate func asyncMap<R>(_ body: (Wrapped) async throws -> R) async throws -> R? {
        guard let self else { return nil }
        return try await body(self)
    }
}
