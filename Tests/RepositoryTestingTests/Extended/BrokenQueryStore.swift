import Foundation
import RepositoryRuntime

@testable import RepositoryTesting

/// A store that answers queries by itself and is wrong in one thing.
struct BrokenQueryStore: EntityStoreWrapper {
    /// What is wrong with it.
    enum Flaw: String, CaseIterable, Sendable {
        case negationSkipsNulls, differenceSkipsNulls, isNullFindsNothing, inForgetsNull
        case excludesBounds, foldsASCIIOnly, prefixNeedsMore, missingFieldsDropTheRecord
        case foldsCaseInOrder, nullsStandLast, tiesStandBackwards, losesTies, ignoresDirection
        case ignoresLaterKeys, cutsBeforeSorting, zeroScaleDecimals, forgetsManyAlternatives
        case startsAtRecordsOnly
    }

    let flaw: Flaw
    let store: any EntityStore = ReferenceStore()

    var name: String { "Broken: \(flaw.rawValue)" }

    func plan<E: Entity>(_ query: Query<E>) -> QueryPlan {
        QueryPlan(
            .selection(
                StoreSelection(query.condition.tree.conjuncts, sortKeys: query.sortKeys)),
            remainder: [], sortsInRuntime: false)
    }

    func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E] {
        var rows = try await store.page(type, after: nil, limit: .max).map {
            (entity: $0, values: try StoredValueEncoder.values(of: $0, E.Mapper.self))
        }
        rows.removeAll { row in !selection.conditions.allSatisfy { holds($0, row.values) } }
        if flaw == .cutsBeforeSorting, !selection.sortKeys.isEmpty { rows = Array(rows.prefix(4)) }
        let key = E.Mapper.table.key.map { FieldPath($0) }
        func position(_ values: [StoredValue]) -> [StoredValue] {
            selection.sortKeys.map { $0.path.value(in: values) } + key.map { $0.value(in: values) }
        }
        if flaw == .losesTies, let first = selection.sortKeys.first {
            var seen: Set<StoredValue> = []
            rows.removeAll { !seen.insert(first.path.value(in: $0.values)).inserted }
        }
        rows.sort { precedes(position($0.values), position($1.values), selection.sortKeys) }
        if let after = selection.after {
            if flaw == .startsAtRecordsOnly, !rows.contains(where: { position($0.values) == after })
            {
                return []
            }
            rows.removeAll { !precedes(after, position($0.values), selection.sortKeys) }
        }
        let rest = rows.dropFirst(selection.skipped)
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

extension BrokenQueryStore {
    private func holds(_ condition: ConditionTree, _ row: [StoredValue]) -> Bool {
        switch condition {
        case .all(let parts): return parts.allSatisfy { holds($0, row) }
        case .any(let parts):
            guard flaw == .forgetsManyAlternatives else { return parts.contains { holds($0, row) } }
            return alternatives(of: condition).prefix(100).contains { holds($0, row) }
        case .not(let part):
            if flaw == .negationSkipsNulls, hasNull(part, row) { return false }
            if flaw == .differenceSkipsNulls, case .compare(let path, .equal, _) = part,
                path.value(in: row) == .null
            {
                return false
            }
            return !holds(part, row)
        case .compare(let path, let comparison, let value):
            let actual = path.value(in: row)
            if flaw == .isNullFindsNothing, value == .null { return false }
            if flaw == .missingFieldsDropTheRecord, !path.names.isEmpty, actual == .null {
                return false
            }
            if flaw == .excludesBounds, actual == value,
                comparison == .lessOrEqual || comparison == .greaterOrEqual
            {
                return false
            }
            if flaw == .zeroScaleDecimals, case .decimal(let left) = actual,
                case .decimal(let right) = value, comparison != .equal
            {
                let tree = ConditionTree.compare(FieldPath(0), comparison, .decimal(right * 10))
                return tree.matches([.decimal(left)]) && condition.matches(row)
            }
            return condition.matches(row)
        case .isIn(let path, _):
            if flaw == .inForgetsNull, path.value(in: row) == .null { return false }
            return condition.matches(row)
        case .text(let path, let search):
            guard case .text(let text) = path.value(in: row) else { return false }
            if flaw == .foldsASCIIOnly, search.ignoringCase, !text.utf8.allSatisfy({ $0 < 128 }) {
                return false
            }
            if flaw == .prefixNeedsMore, search.kind == .hasPrefix,
                text.utf8.count == search.text.utf8.count
            {
                return false
            }
            return condition.matches(row)
        default: return condition.matches(row)
        }
    }

    private func alternatives(of condition: ConditionTree) -> [ConditionTree] {
        guard case .any(let parts) = condition else { return [condition] }
        return parts.flatMap(alternatives)
    }

    private func hasNull(_ condition: ConditionTree, _ row: [StoredValue]) -> Bool {
        switch condition {
        case .compare(let path, let comparison, let value):
            comparison != .equal && value != .null && path.value(in: row) == .null
        case .all(let parts), .any(let parts): parts.contains { hasNull($0, row) }
        case .not(let part): hasNull(part, row)
        default: false
        }
    }

    private func precedes(
        _ left: [StoredValue], _ right: [StoredValue], _ keys: [SortKey]
    ) -> Bool {
        for index in left.indices {
            if flaw == .ignoresLaterKeys, index > 0, index < keys.count { continue }
            let (one, two) = (sorted(left[index]), sorted(right[index]))
            guard one != two else { continue }
            if flaw == .nullsStandLast, index < keys.count, one == .null || two == .null {
                return two == .null
            }
            var descends = index < keys.count && keys[index].direction == .descending
            if flaw == .ignoresDirection { descends = false }
            if flaw == .tiesStandBackwards, index >= keys.count, !keys.isEmpty { descends = true }
            return descends ? two < one : one < two
        }
        return false
    }

    private func sorted(_ value: StoredValue) -> StoredValue {
        guard flaw == .foldsCaseInOrder, case .text(let text) = value else { return value }
        return .text(text.lowercased())
    }
}
