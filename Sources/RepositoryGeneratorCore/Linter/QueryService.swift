internal import ConditionLanguage
internal import RepositorySchema

/// Decides whether an index, or the id of an entity, can be used for a declared query.
///
/// The decision corresponds to that of the query planner in the runtime, which makes it for each
/// execution. Where the planner would depend on the values of parameters, this type assumes that
/// the index can be used.
///
/// With an index on `[author, title]`, the following is decided:
///
/// ```yaml
/// ofAuthor: { where: author == $author && pages > $pages }    # uses the index
/// titled: { where: title == $title }                          # reads all records
/// either: { where: "author == $author || title == $title" }   # reads all records
/// ```
struct QueryService {
    /// The kind of constraint that a condition imposes on a field and that an index can serve.
    private enum Constraint {
        /// The field equals one of a list of values.
        case values
        /// The field is within a range, or is not null.
        case range
    }

    /// The fields of an index or of a sort order, with their directions.
    private typealias Keys = [(field: String, descending: Bool)]

    /// The indexes that cover all records, including the id.
    private let indexes: [Keys]
    /// The conditions of the partial indexes, split at `&&`.
    private let partial: [[CheckedCondition]]
    /// The names of the id's fields.
    private let identity: [String]
    /// The names of the encrypted fields. An index over one of them contains hashes, which find equal
    /// values and have no order.
    private let encrypted: Set<String>
    /// The field that marks deleted records. Queries leave them out by themselves, so that the
    /// condition that it is null neither selects records nor costs an index.
    private let deletion: String?
    /// The scope in which types are resolved.
    private let scope: SchemaScope
    /// Renders conditions, so that they can be compared as strings.
    private let translator: ConditionTranslator

    /// Collects the indexes of an entity.
    init(_ entity: EntityDeclaration, _ scope: SchemaScope) {
        self.scope = scope
        identity = scope.identityFields(of: entity).map(\.name.value)
        encrypted = Set(scope.fields(of: entity).filter(\.isEncrypted).map(\.name.value))
        let single: [Keys] = scope.fields(of: entity).compactMap { field in
            let isIndexed = field.index?.value == true || field.unique?.value == true
            return isIndexed ? [(field.name.value, false)] : nil
        }
        let deletion = entity.softDelete?.value
        self.deletion = deletion
        let context = ConditionContext(entity, scope: scope)
        let declared = entity.indexes.map { index -> (keys: Keys, demands: [CheckedCondition]?) in
            let demands = index.condition.map { condition in
                var checker = ConditionChecker(context)
                return (checker.check(condition)?.conjuncts ?? [])
                    .filter { !$0.isPresence(deletion) }
            }
            return (index.keys.map { ($0.field.value, $0.descending) }, demands)
        }
        // The id can be used like an index on its components.
        indexes =
            single + declared.filter { $0.demands?.isEmpty ?? true }.map(\.keys)
            + [identity.map { ($0, false) }]
        partial = declared.compactMap(\.demands).filter { !$0.isEmpty }
        translator = ConditionTranslator(scope: scope, root: "$0")
    }

    /// Returns whether the query reads every record although it returns only some of them.
    ///
    /// - Parameter condition: The checked condition of the query.
    func readsAll(_ query: QueryDeclaration, _ condition: CheckedCondition?) -> Bool {
        let sort = query.sort.map { ($0.field.value, $0.descending) }
        let conjuncts = selecting(condition)
        guard !conjuncts.isEmpty else {
            return query.limit != nil && !sort.isEmpty && !isServed(sort)
        }
        return !leads(conjuncts)
    }

    /// Returns the keys of the indexes that would serve the query, in schema notation. The result
    /// has several indexes if the query has alternatives, and is empty if no index would help.
    func missingIndexes(
        _ query: QueryDeclaration, _ condition: CheckedCondition?
    ) -> [[String]] {
        let keys = missingIndex(query, condition)
        if !keys.isEmpty { return [keys] }
        let conjuncts = selecting(condition)
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

    /// The keys of the single index that would serve the query: fields with equality first, then a
    /// range or the sort order.
    private func missingIndex(
        _ query: QueryDeclaration, _ condition: CheckedCondition?
    ) -> [String] {
        let conjuncts = selecting(condition)
        let constraints = conjuncts.compactMap { constraint($0) }
        var keys: [String] = []
        func add(_ name: String, descending: Bool = false) {
            if !keys.contains(name), !keys.contains("-" + name) {
                keys.append(descending ? "-" + name : name)
            }
        }
        for case (let field, .values) in constraints where !encrypted.contains(field) { add(field) }
        if let bounded = constraints.first(where: { $0.constraint == .range }) {
            add(bounded.field)
        } else if conjuncts.isEmpty || !keys.isEmpty {
            // No index has the order of related records.
            let isIndexed = query.sort.allSatisfy {
                !$0.isPath && !encrypted.contains($0.field.value)
            }
            if isIndexed {
                for key in query.sort { add(key.field.value, descending: key.descending) }
            }
        }
        if !keys.isEmpty { return keys }
        // An index over an encrypted field has no other field.
        return constraints.first { $0.constraint == .values }.map { [$0.field] } ?? []
    }

    /// Returns the conditions that select records, without the one that leaves out deleted ones.
    private func selecting(_ condition: CheckedCondition?) -> [CheckedCondition] {
        (condition?.conjuncts ?? []).filter { !$0.isPresence(deletion) }
    }

    /// Returns whether an index can find the records for which all conditions hold.
    private func leads(_ conjuncts: [CheckedCondition]) -> Bool {
        let fields = Set(conjuncts.compactMap { constraint($0)?.field })
        if indexes.contains(where: { $0.first.map { fields.contains($0.field) } ?? false }) {
            return true
        }
        if partial.contains(where: { covers($0, conjuncts, fields) }) { return true }
        // A disjunction is served by one scan per alternative, if each of them can use an index.
        return conjuncts.indices.contains { position in
            guard case .any(let alternatives) = conjuncts[position] else { return false }
            var others = conjuncts
            others.remove(at: position)
            return alternatives.flatMap(\.alternatives).allSatisfy { leads($0.conjuncts + others) }
        }
    }

    /// Returns whether a partial index may contain all records of a query. For each condition of
    /// the index, the query must have the same condition, or constrain the same fields.
    private func covers(
        _ demands: [CheckedCondition], _ conjuncts: [CheckedCondition], _ fields: Set<String>
    ) -> Bool {
        let texts = Set(conjuncts.map { translator.code($0).line })
        return demands.allSatisfy { demand in
            texts.contains(translator.code(demand).line)
                || demand.fields.allSatisfy { name($0).map(fields.contains) ?? false }
        }
    }

    /// Returns whether an index has the records in the given order, forwards or backwards.
    private func isServed(_ sort: Keys) -> Bool {
        let wanted = order(sort)
        return indexes.contains { keys in
            !keys.contains { encrypted.contains($0.field) }
                && [false, true].contains { isReversed in
                    let walked = order(keys.map { ($0.field, $0.descending != isReversed) })
                    return wanted.elementsEqual(walked, by: ==)
                }
        }
    }

    /// Returns the part of a sort order that affects the result. Once all fields of the id are
    /// included, further fields have no effect.
    private func order(_ keys: Keys) -> Keys {
        var order: Keys = []
        for key in keys + identity.map({ ($0, false) }) {
            if identity.allSatisfy({ name in order.contains { $0.field == name } }) { break }
            if !order.contains(where: { $0.field == key.field }) { order.append(key) }
        }
        return order
    }

    /// Returns the constraint of a condition on a field, or nil if no index can serve it.
    private func constraint(
        _ condition: CheckedCondition
    ) -> (field: String, constraint: Constraint)? {
        if let (reference, target, inner) = condition.behindReference(scope) {
            // The ids of the related records are a list of values.
            let service = QueryService(target, scope)
            return service.leads(inner.conjuncts) ? (reference, .values) : nil
        }
        switch condition {
        case .related(.any, let relation, let inner) where relation.references.isEmpty:
            guard let id = identity.first,
                QueryService(relation.target, scope).leads(inner.conjuncts)
            else { return nil }
            return (id, .values)
        case .isNull(let field), .isIn(let field, _), .isInParameter(let field, _),
            .compare(let field, .equal, _):
            return name(field).map { ($0, .values) }
        case .compare(_, .unequal, _): return nil
        case .compare(let field, _, _), .not(.isNull(let field)):
            if field.path.last?.isEncrypted == true { return nil }
            return name(field).map { ($0, .range) }
        case .function(.hasPrefix, let field, _):
            if field.path.last?.isEncrypted == true { return nil }
            let ignoresCase = field.path.last?.ignoringCase?.value == true
            return ignoresCase ? nil : name(field).map { ($0, .range) }
        case .any(let alternatives):
            // Alternatives of the same field are equivalent to a list of values.
            let parts = alternatives.map(constraint)
            guard let first = parts.first??.field,
                parts.allSatisfy({ $0?.field == first && $0?.constraint == .values })
            else { return nil }
            return (first, .values)
        case .all, .not, .function, .related, .count, .compareFields: return nil
        }
    }

    /// Returns the name of a field that an index can contain, or nil.
    private func name(_ field: ConditionField) -> String? {
        // A complete composite id is looked up by its first component.
        if field.path.isEmpty { return identity.first }
        if field.isInsideValue {
            // Parameters do not matter here, only what an index inside a value can hold.
            return field.depth == 0
                && SQLiteConditions(scope: scope).reason(againstPath: field) == nil
                ? field.path.map(\.name.value).joined(separator: ".") : nil
        }
        guard field.path.count == 1, let declared = field.path.first else { return nil }
        switch declared.type.value.unwrapped {
        case .list, .map: return nil
        case .base, .named, .optional: return declared.name.value
        }
    }
}

extension CheckedCondition {
    /// The operands of the outermost conjunction.
    fileprivate var conjuncts: [CheckedCondition] {
        if case .all(let parts) = self { return parts.flatMap(\.conjuncts) }
        return [self]
    }

    /// Whether the condition only leaves out records that a field marks as deleted.
    fileprivate func isPresence(_ deletion: String?) -> Bool {
        guard let deletion, case .isNull(let field) = self else { return false }
        return field.depth == 0 && field.path.map(\.name.value) == [deletion]
    }

    /// The operands of the outermost disjunction.
    fileprivate var alternatives: [CheckedCondition] {
        if case .any(let parts) = self { return parts.flatMap(\.alternatives) }
        return [self]
    }
}

extension CheckedCondition {
    /// The reference that a comparison follows first, its target, and the comparison as a condition
    /// on the target; nil for any other condition.
    fileprivate func behindReference(
        _ scope: SchemaScope
    ) -> (reference: String, target: EntityDeclaration, inner: CheckedCondition)? {
        func step(
            _ field: ConditionField
        ) -> (reference: String, target: EntityDeclaration, inner: ConditionField)? {
            guard field.depth > 0, field.properties.count > 1, let first = field.path.first,
                let target = scope.singleReference(first)
            else { return nil }
            var inner = field
            inner.path.removeFirst()
            inner.properties.removeFirst()
            inner.depth -= 1
            return (first.name.value, target, inner)
        }
        switch self {
        case .compare(let field, let comparison, let value):
            return step(field).map { ($0, $1, .compare($2, comparison, value)) }
        case .isIn(let field, let values):
            return step(field).map { ($0, $1, .isIn($2, values)) }
        case .isInParameter(let field, let parameter):
            return step(field).map { ($0, $1, .isInParameter($2, parameter)) }
        case .function(let function, let field, let value):
            return step(field).map { ($0, $1, .function(function, $2, value)) }
        case .isNull(let field): return step(field).map { ($0, $1, .isNull($2)) }
        case .all, .any, .not, .related, .count, .compareFields: return nil
        }
    }
}
