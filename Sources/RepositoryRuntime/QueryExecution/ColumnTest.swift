/// A compiled condition that is tested on all records of a leaf at once. A bit of the result is set
/// if the condition holds for the record at its position.
typealias ColumnTest = @Sendable (RecordColumns) -> UInt64

extension ConditionTree {
    /// Compiles the condition into a test on columns, with the same results as ``matches(_:)``.
    ///
    /// - Parameter fieldCount: the number of fields of a record.
    /// - Returns: nil if the condition names more than whole fields, or ignores case.
    func columnTest(fieldCount: Int) -> ColumnTest? {
        switch self {
        case .constant(let value):
            return { value ? $0.all : 0 }
        case .compare(let path, let comparison, let value) where path.isPlain(below: fieldCount):
            return comparison.columnTest(path.field, value)
        case .compareFields(let path, let comparison, let other)
        where path.isPlain(below: fieldCount) && other.isPlain(below: fieldCount):
            return { [one = path.field, two = other.field] columns in
                let others = columns[two]
                return columns[one].bits { place, value in comparison.holds(value, others[place]) }
            }
        case .isIn(let path, let values) where path.isPlain(below: fieldCount):
            return { [field = path.field] in $0[field].bits { values.contains($1) } }
        case .text(let path, let search) where path.isPlain(below: fieldCount):
            return { [field = path.field] in $0[field].textBits(search.matches) }
        case .compare, .compareFields, .isIn, .text, .hasElement, .related, .invalid:
            return nil
        case .all(let conditions):
            guard let tests = Self.columnTests(conditions, fieldCount) else { return nil }
            return { columns in
                var bits = columns.all
                for test in tests where bits != 0 { bits &= test(columns) }
                return bits
            }
        case .any:
            let joined = joiningEqualities
            guard case .any(let conditions) = joined else {
                return joined.columnTest(fieldCount: fieldCount)
            }
            guard let tests = Self.columnTests(conditions, fieldCount) else { return nil }
            return { columns in tests.reduce(0) { $0 | $1(columns) } }
        case .not(let condition):
            guard let test = condition.columnTest(fieldCount: fieldCount) else { return nil }
            return { $0.all & ~test($0) }
        }
    }

    /// Compiles all conditions; returns nil if one of them cannot be tested on columns.
    private static func columnTests(
        _ conditions: [ConditionTree], _ fieldCount: Int
    ) -> [ColumnTest]? {
        let tests = conditions.compactMap { $0.columnTest(fieldCount: fieldCount) }
        return tests.count == conditions.count ? tests : nil
    }
}

extension ConditionTree.Comparison {
    /// Compiles the comparison of a field with a constant.
    fileprivate func columnTest(_ field: Int, _ value: StoredValue) -> ColumnTest {
        switch value {
        case .integer(let number):
            return { columns in
                guard case .integers(let values) = columns[field] else {
                    return columns[field].bits { holds($1, value) }
                }
                return bits(values, number)
            }
        case .double(let number):
            return { columns in
                guard case .doubles(let values) = columns[field] else {
                    return columns[field].bits { holds($1, value) }
                }
                return bits(values, number)
            }
        case .text(let text) where self == .equal:
            return { $0[field].textBits { String.isSameIdentifier($0, text) } }
        case .bool(let flag) where self == .equal:
            return { columns in
                columns[field].bits { _, value in
                    guard case .bool(let other) = value else { return false }
                    return other == flag
                }
            }
        default:
            return { $0[field].bits { holds($1, value) } }
        }
    }

    /// Compares numbers with a constant, in a loop for each operator.
    private func bits<Number: Comparable>(_ values: [Number], _ number: Number) -> UInt64 {
        switch self {
        case .equal: Self.bits(values) { $0 == number }
        case .less: Self.bits(values) { $0 < number }
        case .lessOrEqual: Self.bits(values) { $0 <= number }
        case .greater: Self.bits(values) { $0 > number }
        case .greaterOrEqual: Self.bits(values) { $0 >= number }
        }
    }

    /// Returns a bit for each value that satisfies a condition.
    @inline(__always)
    private static func bits<Value>(_ values: [Value], _ holds: (Value) -> Bool) -> UInt64 {
        var bits: UInt64 = 0
        for place in values.indices where holds(values[place]) { bits |= 1 << UInt64(place) }
        return bits
    }
}

extension RecordColumn {
    /// Returns a bit for each value that satisfies a condition.
    @inline(__always)
    fileprivate func bits(_ holds: (Int, StoredValue) -> Bool) -> UInt64 {
        var bits: UInt64 = 0
        switch self {
        case .values(let values):
            for place in values.indices where holds(place, values[place]) {
                bits |= 1 << UInt64(place)
            }
        case .integers(let values):
            for place in values.indices where holds(place, .integer(values[place])) {
                bits |= 1 << UInt64(place)
            }
        case .doubles(let values):
            for place in values.indices where holds(place, .double(values[place])) {
                bits |= 1 << UInt64(place)
            }
        case .texts(let values):
            for place in values.indices where holds(place, .text(values[place])) {
                bits |= 1 << UInt64(place)
            }
        }
        return bits
    }

    /// Returns a bit for each string that satisfies a condition.
    @inline(__always)
    fileprivate func textBits(_ holds: (String) -> Bool) -> UInt64 {
        guard case .texts(let values) = self else {
            return bits { _, value in
                guard case .text(let text) = value else { return false }
                return holds(text)
            }
        }
        var bits: UInt64 = 0
        for place in values.indices where holds(values[place]) { bits |= 1 << UInt64(place) }
        return bits
    }
}
