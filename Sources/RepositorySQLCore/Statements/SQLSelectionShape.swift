internal import Foundation
internal import RepositoryRuntime

/// The shape of a selection, and its values: selections of one shape have the same statement and
/// the same plan.
///
/// The shape is the selection with placeholders instead of its values. No two placeholders are
/// equal, so that a statement written for the shape shows which parameter belongs to which value.
struct SQLSelectionShape {
    /// The maximum number of values.
    private static var mostValues: Int { 16 }
    /// A number that no query contains by itself.
    private static var firstNumber: Int { 7_000_001 }

    /// The selection with placeholders.
    private(set) var selection: StoreSelection
    /// The values, in the order of their placeholders.
    private(set) var values: [StoredValue] = []
    /// Whether one of the values is a truth value. Their placeholders cannot differ.
    private var hasBool = false

    /// Determines the shape of a selection.
    ///
    /// - Returns: nil if the statement of the selection, or its plan, may depend on its values in
    ///   other ways: by lists of values, a position, a hash, or the condition of a partial index.
    init?(_ selection: StoreSelection, of table: SQLTable) {
        guard selection.after == nil, selection.narrowing.isEmpty, selection.mostOfEach == nil,
            !table.hasPartialIndexes,
            selection.sortKeys.allSatisfy({ !$0.isLookedUp })
        else { return nil }
        self.selection = selection
        for place in selection.conditions.indices {
            guard let condition = shape(of: selection.conditions[place], table) else { return nil }
            self.selection.conditions[place] = condition
        }
        if let maximum = selection.maximum {
            self.selection.maximum = Self.firstNumber + values.count
            values.append(.integer(Int64(max(0, maximum))))
        }
        if selection.skipped > 0 {
            self.selection.skipped = Self.firstNumber + values.count
            values.append(.integer(Int64(selection.skipped)))
        }
        if values.count > Self.mostValues { return nil }
    }

    /// Returns a condition with placeholders.
    private mutating func shape(of condition: ConditionTree, _ table: SQLTable) -> ConditionTree? {
        switch condition {
        case .constant, .compareFields, .compare(_, _, .null):
            return condition
        case .compare(let path, let comparison, let value):
            guard let placeholder = placeholder(for: value) else { return nil }
            values.append(value)
            return .compare(path, comparison, placeholder)
        case .all(let conditions):
            var shapes: [ConditionTree] = []
            for condition in conditions {
                guard let shape = shape(of: condition, table) else { return nil }
                shapes.append(shape)
            }
            return .all(shapes)
        case .not(let condition):
            return shape(of: condition, table).map { .not($0) }
        case .related(let related):
            guard related.minimum == 1, let target = table.related(related.link.target.linkedTable),
                !target.hasPartialIndexes, let shape = shape(of: related.condition, target)
            else { return nil }
            return .related(related.with(shape))
        // Equalities of one field are joined into a list, which may be shorter.
        case .any, .isIn, .text, .hasElement, .invalid:
            return nil
        }
    }

    /// Returns the placeholder for the next value; nil for a value of a kind without placeholders.
    private mutating func placeholder(for value: StoredValue) -> StoredValue? {
        guard values.count < Self.mostValues else { return nil }
        switch value {
        case .integer: return Self.integers[values.count]
        case .double: return Self.doubles[values.count]
        case .text: return Self.texts[values.count]
        case .date: return Self.dates[values.count]
        case .uuid: return Self.uuids[values.count]
        case .bool:
            if hasBool { return nil }
            hasBool = true
            return .bool(true)
        case .null, .decimal, .data, .list, .object: return nil
        }
    }

    /// Returns the index of the value to which a parameter of a statement for the shape belongs.
    func index(of parameter: StoredValue) -> Int? {
        switch parameter {
        case .integer: Self.integers.firstIndex(of: parameter)
        case .double: Self.doubles.firstIndex(of: parameter)
        case .text: Self.texts.firstIndex(of: parameter)
        case .date: Self.dates.firstIndex(of: parameter)
        case .uuid: Self.uuids.firstIndex(of: parameter)
        case .bool: values.firstIndex { if case .bool = $0 { true } else { false } }
        case .null, .decimal, .data, .list, .object: nil
        }
    }

    private static let numbers = (0..<mostValues).map { firstNumber + $0 }
    private static let integers = numbers.map { StoredValue.integer(Int64($0)) }
    private static let doubles = numbers.map { StoredValue.double(Double($0) + 0.5) }
    private static let texts = numbers.map { StoredValue.text("\($0)") }
    private static let dates = numbers.map {
        StoredValue.date(Date(timeIntervalSinceReferenceDate: Double($0)))
    }
    private static let uuids = (0..<mostValues).map {
        StoredValue.uuid(
            UUID(uuid: (7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8($0))))
    }
}

extension SQLTable {
    /// Whether an index has a condition, so that the values of a query decide whether it serves it.
    fileprivate var hasPartialIndexes: Bool {
        entity.indexes.contains { $0.condition != nil }
    }
}
