/// Decides whether a conjunction of conditions implies another condition: whether a partial index
/// can serve a query.
///
/// The test is conservative. It succeeds only if the condition is one of the conjuncts, follows
/// from the known values of fields, or only requires a field to be not null, which every comparison
/// with a value other than null implies.
///
/// For example, an index over the records where `pages != nil` serves a query with the condition
/// `pages > 300`, because a comparison is false for null.
struct IndexCoverage {
    /// The conditions that are known to hold.
    private let conjuncts: [ConditionTree]
    /// The fields with a known value.
    private let known: [FieldPath: StoredValue]
    /// The fields known to be not null.
    private let present: Set<FieldPath>

    init(_ conjuncts: [ConditionTree]) {
        self.conjuncts = conjuncts
        var known: [FieldPath: StoredValue] = [:]
        var present: Set<FieldPath> = []
        for condition in conjuncts {
            switch condition {
            case .compare(let path, .equal, let value):
                if path.names.isEmpty { known[path] = value }
                if value != .null { present.insert(path) }
            case .compare(let path, _, _), .text(let path, _), .hasElement(let path, _):
                present.insert(path)
            case .isIn(let path, let values) where !values.contains(.null): present.insert(path)
            default: break
            }
        }
        self.known = known
        self.present = present
    }

    /// Whether the condition holds for every record that satisfies the conjuncts.
    ///
    /// The answer may be false although the condition is implied.
    func implies(_ condition: ConditionTree) -> Bool {
        if conjuncts.contains(condition) { return true }
        switch condition {
        case .all(let conditions): return conditions.allSatisfy(implies)
        case .any(let conditions) where conditions.contains(where: implies): return true
        case .not(.compare(let path, .equal, .null)) where present.contains(path): return true
        default: return holdsOfKnownValues(condition)
        }
    }

    /// Whether the condition holds for the known values, independently of all other fields.
    private func holdsOfKnownValues(_ condition: ConditionTree) -> Bool {
        if case .isIn(let path, let wanted) = condition {
            for case .isIn(path, let values) in conjuncts where values.isSubset(of: wanted) {
                return true
            }
        }
        let fields = condition.fields
        guard condition.invalidReason == nil, fields.allSatisfy({ known[FieldPath($0)] != nil })
        else {
            return false
        }
        var row = Array(repeating: StoredValue.null, count: (fields.max() ?? -1) + 1)
        for field in fields { row[field] = known[FieldPath(field)] ?? .null }
        return condition.matches(row)
    }
}

extension TableIndex {
    /// Whether the index covers every record that satisfies the conditions.
    package func covers(whereAll conjuncts: [ConditionTree]) -> Bool {
        guard let condition else { return true }
        return IndexCoverage(conjuncts).implies(condition)
    }

    /// Whether the index covers a record.
    ///
    /// - Parameter row: the field values, by field index.
    package func covers(_ row: [StoredValue]) -> Bool { condition?.matches(row) ?? true }
}
