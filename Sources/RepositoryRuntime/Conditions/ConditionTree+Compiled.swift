internal import Foundation

/// A compiled condition: a test that is applied to many records.
///
/// The argument is the field values of a record, by field index. Tests may be called concurrently.
typealias RecordTest = @Sendable ([StoredValue]) -> Bool

extension ConditionTree {
    /// Compiles the condition into a closure with the same results as ``matches(_:)``. The tree is
    /// traversed once, and not again for each record.
    ///
    /// - Parameter fieldCount: the number of fields of a record.
    func compiled(fieldCount: Int) -> RecordTest {
        switch self {
        case .constant(let value):
            return { _ in value }
        case .compare(let path, let comparison, let value) where path.isPlain(below: fieldCount):
            return comparison.compiled(path.field, value)
        case .compareFields(let path, let comparison, let other)
        where path.isPlain(below: fieldCount) && other.isPlain(below: fieldCount):
            return { [one = path.field, two = other.field] in comparison.holds($0[one], $0[two]) }
        case .isIn(let path, let values) where path.isPlain(below: fieldCount):
            return { [field = path.field] in values.contains($0[field]) }
        case .text(let path, let search) where path.isPlain(below: fieldCount):
            return { [field = path.field] record in
                guard case .text(let text) = record[field] else { return false }
                return search.matches(text)
            }
        case .compare, .compareFields, .isIn, .text, .hasElement, .related, .invalid:
            return { matches($0) }
        case .all(let conditions):
            let tests = conditions.map { $0.compiled(fieldCount: fieldCount) }
            if tests.count == 1 { return tests[0] }
            return { record in tests.allSatisfy { $0(record) } }
        case .any:
            let joined = joiningEqualities
            guard case .any(let conditions) = joined else {
                return joined.compiled(fieldCount: fieldCount)
            }
            let tests = conditions.map { $0.compiled(fieldCount: fieldCount) }
            return { record in tests.contains { $0(record) } }
        case .not(let condition):
            let test = condition.compiled(fieldCount: fieldCount)
            return { !test($0) }
        }
    }
}

extension FieldPath {
    /// Whether the path is a whole field of the record that is compared without case folding, so
    /// that it can be read by index.
    func isPlain(below fieldCount: Int) -> Bool {
        names.isEmpty && !ignoresCase && (0..<fieldCount).contains(field)
    }
}

extension ConditionTree.Comparison {
    /// Compiles the comparison of a field with a constant. Numbers, strings and Booleans are
    /// compared without the generic comparison of ``StoredValue``.
    fileprivate func compiled(_ field: Int, _ value: StoredValue) -> RecordTest {
        switch value {
        case .integer(let number):
            let holds: @Sendable (Int64, Int64) -> Bool = operation()
            return { record in
                guard case .integer(let other) = record[field] else {
                    return self.holds(record[field], value)
                }
                return holds(other, number)
            }
        case .double(let number):
            let holds: @Sendable (Double, Double) -> Bool = operation()
            return { record in
                guard case .double(let other) = record[field] else {
                    return self.holds(record[field], value)
                }
                return holds(other, number)
            }
        case .text(let text) where self == .equal:
            return { record in
                guard case .text(let other) = record[field] else { return false }
                return String.isSameIdentifier(other, text)
            }
        case .bool(let flag) where self == .equal:
            return { record in
                guard case .bool(let other) = record[field] else { return false }
                return other == flag
            }
        default:
            return { holds($0[field], value) }
        }
    }

    /// The comparison as an operator of a number type.
    private func operation<Number: Comparable & SendableMetatype>()
        -> @Sendable (Number, Number) -> Bool
    {
        switch self {
        case .equal: { $0 == $1 }
        case .less: { $0 < $1 }
        case .lessOrEqual: { $0 <= $1 }
        case .greater: { $0 > $1 }
        case .greaterOrEqual: { $0 >= $1 }
        }
    }
}
