/// A condition as data: what a store's planner looks into, and what ``matches(_:)`` gives its meaning.
public indirect enum ConditionTree: Sendable, Hashable {
    /// How a field is compared with a value.
    public enum Comparison: String, Sendable, Hashable {
        case equal = "=="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    /// Always or never.
    case constant(Bool)
    /// A field compared with a value of its own kind. Null equals null; any other comparison with null is false.
    case compare(FieldPath, Comparison, StoredValue)
    /// Whether a field equals one of the values, null included.
    case isIn(FieldPath, Set<StoredValue>)
    /// Whether a text is, holds or starts with another.
    case text(FieldPath, TextSearch)
    /// Whether a list has an element equal to the value, null included.
    case hasElement(FieldPath, StoredValue)
    /// Whether all hold; true for none.
    case all([ConditionTree])
    /// Whether one holds; false for none.
    case any([ConditionTree])
    /// Whether the other does not hold.
    case not(ConditionTree)
    /// A condition that could not be made, and the reason as a sentence; a query with it is refused.
    case invalid(String)
}

extension ConditionTree {
    /// The conditions that all must hold.
    public var conjuncts: [ConditionTree] {
        switch self {
        case .constant(true): []
        case .all(let conditions): conditions.flatMap(\.conjuncts)
        default: [self]
        }
    }

    /// The conditions one of which must hold.
    var alternatives: [ConditionTree] {
        switch self {
        case .constant(false): []
        case .any(let conditions): conditions.flatMap(\.alternatives)
        default: [self]
        }
    }

    /// Whether no record is like this, as far as the condition itself says.
    var isNever: Bool {
        switch self {
        case .constant(let value): !value
        case .isIn(_, let values): values.isEmpty
        case .all(let conditions): conditions.contains(where: \.isNever)
        case .any(let conditions): conditions.allSatisfy(\.isNever)
        default: false
        }
    }

    /// Why the condition cannot be used; nil where it can.
    var defect: String? {
        switch self {
        case .invalid(let reason): reason
        case .all(let conditions), .any(let conditions): conditions.lazy.compactMap(\.defect).first
        case .not(let condition): condition.defect
        case .constant, .compare, .isIn, .text, .hasElement: nil
        }
    }

    /// The condition as a schema would write it, each value as `?`, so that none of a sensitive field is shown.
    ///
    /// - Parameter layout: the layout of the entity.
    public func text(in layout: FieldLayout) -> String { text { $0.text(in: layout) } }

    private func text(_ name: (FieldPath) -> String) -> String {
        switch self {
        case .constant(let value): "\(value)"
        case .compare(let path, .equal, .null): "\(name(path)) isNull"
        case .compare(let path, let comparison, _): "\(name(path)) \(comparison.rawValue) ?"
        case .isIn(let path, _): "\(name(path)) in [?]"
        case .text(let path, let search): "\(search.kind.rawValue)(\(name(path)), ?)"
        case .hasElement(let path, _): "contains(\(name(path)), ?)"
        case .all(let conditions) where conditions.isEmpty: "true"
        case .all: "(\(conjuncts.map { $0.text(name) }.joined(separator: " && ")))"
        case .any(let conditions) where conditions.isEmpty: "false"
        case .any: "(\(alternatives.map { $0.text(name) }.joined(separator: " || ")))"
        case .not(let condition): "!\(condition.text(name))"
        case .invalid: "invalid"
        }
    }
}

extension ConditionTree: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The condition with each value as `?`; a field is shown by its index, as its name is not known here.
    public var description: String { text { "\($0)" } }
    /// The condition without its values.
    public var debugDescription: String { description }
    /// A mirror without the values.
    public var customMirror: Mirror { Mirror(hiding: self) }
}
