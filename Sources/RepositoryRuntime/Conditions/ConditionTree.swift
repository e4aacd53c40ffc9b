/// A condition as a tree, which query planners analyze. ``matches(_:)`` defines its semantics.
public indirect enum ConditionTree: Sendable, Hashable {
    /// A comparison operator.
    public enum Comparison: String, Sendable, Hashable {
        /// Equality. Null equals null.
        case equal = "=="
        /// Less than; false for null.
        case less = "<"
        /// Less than or equal; false for null.
        case lessOrEqual = "<="
        /// Greater than; false for null.
        case greater = ">"
        /// Greater than or equal; false for null.
        case greaterOrEqual = ">="
    }

    /// Always true or always false.
    case constant(Bool)
    /// Compares a field with a value of its kind. Null equals null; any other comparison with null
    /// is false.
    case compare(FieldPath, Comparison, StoredValue)
    /// Compares two fields of one type. Null equals null; any other comparison with null is false.
    /// If one of the fields ignores case, both strings are folded.
    case compareFields(FieldPath, Comparison, FieldPath)
    /// Whether a field equals one of the values, which may include null.
    case isIn(FieldPath, Set<StoredValue>)
    /// Whether a string equals, contains or starts with another one.
    case text(FieldPath, TextSearch)
    /// Whether a list contains an element equal to the value, which may be null.
    case hasElement(FieldPath, StoredValue)
    /// Whether records of another entity, to which the record refers or which refer to it, satisfy
    /// a condition. Before a condition is evaluated on a record, the runtime replaces this case by
    /// the ids that have such records.
    case related(RelatedCondition)
    /// Whether all conditions hold; true for an empty list.
    case all([ConditionTree])
    /// Whether at least one condition holds; false for an empty list.
    case any([ConditionTree])
    /// Whether the condition does not hold.
    case not(ConditionTree)
    /// A condition that could not be created, with the reason as a sentence. A query with it throws
    /// `invalidQuery`.
    case invalid(String)
}

extension ConditionTree {
    /// The conditions that must all hold, with nested conjunctions flattened.
    public var conjuncts: [ConditionTree] {
        switch self {
        case .constant(true): []
        case .all(let conditions): conditions.flatMap(\.conjuncts)
        default: [self]
        }
    }

    /// The conditions of which one must hold, with nested disjunctions flattened.
    var alternatives: [ConditionTree] {
        switch self {
        case .constant(false): []
        case .any(let conditions): conditions.flatMap(\.alternatives)
        default: [self]
        }
    }

    /// Whether the condition can be seen to match no record. False does not mean that a record
    /// matches.
    var isNever: Bool {
        switch self {
        case .constant(let value): !value
        case .isIn(_, let values): values.isEmpty
        case .all(let conditions): conditions.contains(where: \.isNever)
        case .any(let conditions): conditions.allSatisfy(\.isNever)
        default: false
        }
    }

    /// The reason why the condition is invalid; nil if it is valid.
    var invalidReason: String? {
        switch self {
        case .invalid(let reason): reason
        case .all(let conditions), .any(let conditions):
            conditions.lazy.compactMap(\.invalidReason).first
        case .not(let condition): condition.invalidReason
        case .related(let related): related.condition.invalidReason
        case .constant, .compare, .compareFields, .isIn, .text, .hasElement: nil
        }
    }

    /// Returns the condition in the syntax of schemas, with `?` for each value, so that no value of
    /// a sensitive field is shown.
    ///
    /// - Parameter layout: the layout of the entity.
    public func text(in layout: FieldLayout) -> String { text { $0.text(in: layout) } }

    /// Returns the condition with the given spelling of field paths.
    private func text(_ name: (FieldPath) -> String) -> String {
        switch self {
        case .constant(let value): "\(value)"
        case .compare(let path, .equal, .null): "\(name(path)) isNull"
        case .compare(let path, let comparison, _): "\(name(path)) \(comparison.rawValue) ?"
        case .compareFields(let path, let comparison, let other):
            "\(name(path)) \(comparison.rawValue) \(name(other))"
        case .isIn(let path, _): "\(name(path)) in [?]"
        case .text(let path, let search): "\(search.kind.rawValue)(\(name(path)), ?)"
        case .hasElement(let path, _): "contains(\(name(path)), ?)"
        case .related(let related): related.text
        case .all(let conditions) where conditions.isEmpty: "true"
        case .all: "(\(conjuncts.map { $0.text(name) }.joined(separator: " && ")))"
        case .any(let conditions) where conditions.isEmpty: "false"
        case .any: "(\(alternatives.map { $0.text(name) }.joined(separator: " || ")))"
        case .not(let condition): "!\(condition.text(name))"
        case .invalid: "invalid"
        }
    }
}

extension ConditionTree {
    /// Whether the condition asks for records of another entity.
    var namesRelatives: Bool {
        switch self {
        case .related: true
        case .all(let conditions), .any(let conditions):
            conditions.contains(where: \.namesRelatives)
        case .not(let condition): condition.namesRelatives
        case .constant, .compare, .compareFields, .isIn, .text, .hasElement, .invalid: false
        }
    }

    /// The outermost conditions on related records.
    var relatives: [RelatedCondition] {
        switch self {
        case .related(let related): [related]
        case .all(let conditions), .any(let conditions): conditions.flatMap(\.relatives)
        case .not(let condition): condition.relatives
        case .constant, .compare, .compareFields, .isIn, .text, .hasElement, .invalid: []
        }
    }

    /// The names of the tables of related records.
    var relatedTables: Set<String> {
        relatives.reduce(into: []) { tables, related in
            tables.insert(related.link.target.linkedTable)
            tables.formUnion(related.condition.relatedTables)
        }
    }

    /// How many links the condition follows one after another.
    var relatedDepth: Int {
        relatives.map { $0.condition.relatedDepth + 1 }.max() ?? 0
    }
}

extension ConditionTree: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The condition with `?` for each value, and with field indexes, because the field names are
    /// not known here.
    public var description: String { text { "\($0)" } }
    /// The condition without its values.
    public var debugDescription: String { description }
    /// A mirror without the values.
    public var customMirror: Mirror { Mirror(hiding: self) }
}
