extension ConditionTree {
    /// Whether a record satisfies the condition. This defines the semantics of conditions for every
    /// store.
    ///
    /// - Parameter record: the field values, by field index.
    public func matches(_ record: [StoredValue]) -> Bool {
        switch self {
        case .constant(let value):
            return value
        case .compare(let path, let comparison, let value):
            return comparison.holds(path.value(in: record), value)
        case .compareFields(let path, let comparison, let other):
            return comparison.holds(path.value(in: record), other.value(in: record))
        case .isIn(let path, let values):
            return values.contains(path.value(in: record))
        case .text(let path, let search):
            guard case .text(let text) = path.value(in: record) else { return false }
            return search.matches(text)
        case .hasElement(let path, let element):
            guard case .list(let elements) = path.value(in: record) else { return false }
            return elements.contains(element)
        case .all(let conditions):
            return conditions.allSatisfy { $0.matches(record) }
        case .any(let conditions):
            return conditions.contains { $0.matches(record) }
        case .not(let condition):
            return !condition.matches(record)
        case .related, .invalid:
            // The runtime has replaced conditions on related records. A query with an invalid
            // condition throws before any record is tested.
            return false
        }
    }
}

extension ConditionTree.Comparison {
    /// Whether the comparison holds between two values of the same kind.
    ///
    /// - Parameters:
    ///   - left: the value of the field.
    ///   - right: the constant of the condition, or the value of the other field.
    func holds(_ left: StoredValue, _ right: StoredValue) -> Bool {
        if self == .equal { return left == right }
        guard left != .null, right != .null else { return false }
        return switch self {
        case .equal: left == right
        case .less: left < right
        case .lessOrEqual: left < right || left == right
        case .greater: right < left
        case .greaterOrEqual: right < left || left == right
        }
    }
}
