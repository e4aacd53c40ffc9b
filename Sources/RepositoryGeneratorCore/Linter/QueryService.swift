internal import RepositorySchema

/// Whether an index of an entity, or its id, leads to the records of a declared query.
///
/// It answers for the queries of a schema what the planner of the runtime decides for each query. Where the values of
/// parameters matter, it assumes that they can be looked up.
struct QueryService {
    /// What a condition demands of one field, as far as an index can be asked for it.
    private enum Constraint {
        /// One value, or one of several.
        case values
        /// Values between bounds, or any but null.
        case range
    }

    private typealias Keys = [(field: String, descending: Bool)]

    private let indexes: [Keys]
    /// What the conditions of partial indexes demand, for each such index.
    private let partial: [[CheckedCondition]]
    private let identity: [String]
    private let translator: ConditionTranslator

    init(_ entity: EntityDeclaration, _ scope: SchemaScope) {
        identity = scope.identityFields(of: entity).map(\.name.value)
        let single: [Keys] = scope.fields(of: entity).compactMap { field in
            let isIndexed = field.index?.value == true || field.unique?.value == true
            return isIndexed ? [(field.name.value, false)] : nil
        }
        let declared: [Keys] = entity.indexes.filter { $0.condition == nil }
            .map { $0.keys.map { ($0.field.value, $0.descending) } }
        // The id serves as an index over its components does.
        indexes = single + declared + [identity.map { ($0, false) }]
        let context = ConditionContext(entity, scope: scope)
        partial = entity.indexes.compactMap(\.condition).map { condition in
            var checker = ConditionChecker(context)
            return checker.check(condition)?.conjuncts ?? []
        }
        translator = ConditionTranslator(scope: scope, root: "$0")
    }

    /// Whether the query reads every record although it asks for some.
    ///
    /// - Parameter condition: the condition of the query as it was checked.
    func readsAll(_ query: QueryDeclaration, _ condition: CheckedCondition?) -> Bool {
        let sort = query.sort.map { ($0.field.value, $0.descending) }
        guard let condition else {
            return query.limit != nil && !sort.isEmpty && !isServed(sort)
        }
        return !leads(condition.conjuncts)
    }

    /// The keys of the indexes that would serve the query, as a schema writes them; empty where none would.
    ///
    /// It is one index, or several where the query asks for alternatives.
    func missingIndexes(
        _ query: QueryDeclaration, _ condition: CheckedCondition?
    ) -> [[String]] {
        let keys = missingIndex(query, condition)
        if !keys.isEmpty { return [keys] }
        let conjuncts = condition?.conjuncts ?? []
        for (position, conjunct) in conjuncts.enumerated() {
            guard case .any(let alternatives) = conjunct else { continue }
            var others = conjuncts
            others.remove(at: position)
            let unserved = alternatives.flatMap(\.alternatives)
                .filter { !leads($0.conjuncts + others) }
            let fields = unserved.compactMap {
                $0.conjuncts.lazy.compactMap(constraint).first?.field
            }
            guard fields.count == unserved.count else { continue }
            var seen: Set<String> = []
            return fields.filter { seen.insert($0).inserted }.map { [$0] }
        }
        return []
    }

    private func missingIndex(
        _ query: QueryDeclaration, _ condition: CheckedCondition?
    ) -> [String] {
        let conjuncts = condition?.conjuncts ?? []
        let constraints = conjuncts.compactMap { constraint($0) }
        var keys: [String] = []
        func add(_ name: String, descending: Bool = false) {
            if !keys.contains(name), !keys.contains("-" + name) {
                keys.append(descending ? "-" + name : name)
            }
        }
        for case (let field, .values) in constraints { add(field) }
        if let bounded = constraints.first(where: { $0.constraint == .range }) {
            add(bounded.field)
        } else if conjuncts.isEmpty || !keys.isEmpty {
            for key in query.sort { add(key.field.value, descending: key.descending) }
        }
        return keys
    }

    /// Whether an index leads to the records of which all of some conditions hold.
    private func leads(_ conjuncts: [CheckedCondition]) -> Bool {
        let fields = Set(conjuncts.compactMap { constraint($0)?.field })
        if indexes.contains(where: { $0.first.map { fields.contains($0.field) } ?? false }) {
            return true
        }
        if partial.contains(where: { covers($0, conjuncts, fields) }) { return true }
        // Several scans, one for each alternative.
        return conjuncts.indices.contains { position in
            guard case .any(let alternatives) = conjuncts[position] else { return false }
            var others = conjuncts
            others.remove(at: position)
            return alternatives.flatMap(\.alternatives).allSatisfy { leads($0.conjuncts + others) }
        }
    }

    /// Whether a partial index may hold every record of a query: where the query demands what the index does, or demands
    /// something of the same fields.
    private func covers(
        _ demands: [CheckedCondition], _ conjuncts: [CheckedCondition], _ fields: Set<String>
    ) -> Bool {
        let texts = Set(conjuncts.map { translator.code($0).line })
        return demands.allSatisfy { demand in
            texts.contains(translator.code(demand).line)
                || demand.fields.allSatisfy { name($0).map(fields.contains) ?? false }
        }
    }

    /// Whether an index holds the records in an order.
    private func isServed(_ sort: Keys) -> Bool {
        let wanted = order(sort)
        return indexes.contains { keys in
            [false, true].contains { isReversed in
                let walked = order(keys.map { ($0.field, $0.descending != isReversed) })
                return wanted.elementsEqual(walked, by: ==)
            }
        }
    }

    /// An order of records as far as it matters: up to the field with which the id is known.
    private func order(_ keys: Keys) -> Keys {
        var order: Keys = []
        for key in keys + identity.map({ ($0, false) }) {
            if identity.allSatisfy({ name in order.contains { $0.field == name } }) { break }
            if !order.contains(where: { $0.field == key.field }) { order.append(key) }
        }
        return order
    }

    /// What a condition demands of a field; nil where no index can be asked for it.
    private func constraint(
        _ condition: CheckedCondition
    ) -> (field: String, constraint: Constraint)? {
        switch condition {
        case .isNull(let field), .isIn(let field, _), .isInParameter(let field, _),
            .compare(let field, .equal, _):
            return name(field).map { ($0, .values) }
        case .compare(_, .unequal, _): return nil
        case .compare(let field, _, _), .not(.isNull(let field)):
            return name(field).map { ($0, .range) }
        case .function(.hasPrefix, let field, _):
            let ignoresCase = field.path.last?.ignoringCase?.value == true
            return ignoresCase ? nil : name(field).map { ($0, .range) }
        case .any(let alternatives):
            // Of one field they are a list of values.
            let parts = alternatives.map(constraint)
            guard let first = parts.first??.field,
                parts.allSatisfy({ $0?.field == first && $0?.constraint == .values })
            else { return nil }
            return (first, .values)
        case .all, .not, .function: return nil
        }
    }

    /// The name of a field of the entity that an index can hold; nil for others.
    private func name(_ field: ConditionField) -> String? {
        // The whole of a composite id begins with its first component.
        if field.path.isEmpty { return identity.first }
        guard field.path.count == 1, let declared = field.path.first else { return nil }
        switch declared.type.value.unwrapped {
        case .list, .map: return nil
        case .base, .named, .optional: return declared.name.value
        }
    }
}

extension CheckedCondition {
    /// The conditions that all must hold.
    fileprivate var conjuncts: [CheckedCondition] {
        if case .all(let parts) = self { return parts.flatMap(\.conjuncts) }
        return [self]
    }

    /// The conditions one of which must hold.
    fileprivate var alternatives: [CheckedCondition] {
        if case .any(let parts) = self { return parts.flatMap(\.alternatives) }
        return [self]
    }
}
