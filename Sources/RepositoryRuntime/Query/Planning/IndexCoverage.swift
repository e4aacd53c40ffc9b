/// Whether conditions that all hold of a record say that another one does: what decides whether an index that covers some
/// of the records only can serve a query.
///
/// It says yes only where that is certain: where the condition is one of them, follows from values that fields are known
/// to have, or asks for no more than that a field is not null, which every comparison but that with null does.
struct IndexCoverage {
    private let conjuncts: [ConditionTree]
    /// The fields whose values are known.
    private let known: [FieldPath: StoredValue]
    /// The fields of which it is known that they are not null.
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

    /// Whether the condition holds of every record of which the others do.
    func implies(_ condition: ConditionTree) -> Bool {
        if conjuncts.contains(condition) { return true }
        switch condition {
        case .all(let conditions): return conditions.allSatisfy(implies)
        case .any(let conditions) where conditions.contains(where: implies): return true
        case .not(.compare(let path, .equal, .null)) where present.contains(path): return true
        default: return holdsOfKnownValues(condition)
        }
    }

    /// Whether the condition holds, whatever the fields are whose values are not known.
    private func holdsOfKnownValues(_ condition: ConditionTree) -> Bool {
        if case .isIn(let path, let wanted) = condition {
            for case .isIn(path, let values) in conjuncts where values.isSubset(of: wanted) {
                return true
            }
        }
        let fields = condition.fields
        guard condition.defect == nil, fields.allSatisfy({ known[FieldPath($0)] != nil }) else {
            return false
        }
        var row = Array(repeating: StoredValue.null, count: (fields.max() ?? -1) + 1)
        for field in fields { row[field] = known[FieldPath(field)] ?? .null }
        return condition.matches(row)
    }
}

extension TableIndex {
    /// Whether every record of which some conditions hold is covered by the index.
    package func covers(whereAll conjuncts: [ConditionTree]) -> Bool {
        guard let condition else { return true }
        return IndexCoverage(conjuncts).implies(condition)
    }

    /// Whether a record is covered by the index.
    ///
    /// - Parameter row: its fields, by index.
    package func covers(_ row: [StoredValue]) -> Bool { condition?.matches(row) ?? true }
}
