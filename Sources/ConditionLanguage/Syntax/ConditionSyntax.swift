/// The limits of a condition. They bound the recursion and the cost of parsing and checking.
///
/// A longer condition has to be written in Swift; repositories accept any query.
package enum ConditionLimits {
    /// The maximum length in Unicode scalars.
    package static let length = 4_096
    /// The maximum nesting depth of brackets.
    package static let depth = 32
}

/// A parsed condition, before name resolution.
///
/// ```
/// condition  = conjunction ("||" conjunction)*
/// conjunction = part ("&&" part)*
/// part       = "!" part (no comparison) | "(" condition ")" | predicate
/// predicate  = function "(" operand "," operand ")"
///            | quantifier "(" path "," condition ")"
///            | "count" "(" path ")" operator operand
///            | operand ("isNull" | operator operand | "in" (list | parameter))?
/// operator   = "==" | "!=" | "<" | "<=" | ">" | ">="
/// function   = "contains" | "hasPrefix"
/// quantifier = "any" | "none" | "all"
/// operand    = path | parameter | number | text | "true" | "false"
/// list       = "[" operand ("," operand)* "]"
/// ```
package indirect enum ConditionSyntax {
    /// `a && b`, with at least two parts.
    case all([ConditionSyntax])
    /// `a || b`, with at least two parts.
    case any([ConditionSyntax])
    /// `!a`
    case not(ConditionSyntax)
    /// `a == b`
    case comparison(ConditionOperand, ConditionComparison, ConditionOperand)
    /// `a in [b, c]`, `a in $list`
    case membership(ConditionOperand, ConditionList)
    /// `contains(a, b)`
    case function(ConditionFunction, Range<Int>, [ConditionOperand])
    /// `a isNull`
    case isNull(ConditionOperand)
    /// `any(a, b)`: a condition on the records of a relation.
    case related(ConditionQuantifier, ConditionOperand, ConditionSyntax)
    /// `count(a) >= b`: a comparison of the number of records of a relation.
    case count(ConditionOperand, ConditionComparison, ConditionOperand)
    /// A single operand, which must be a `Bool` field.
    case operand(ConditionOperand)

    /// The operator between two operands, or nil for other conditions.
    var operation: String? {
        switch self {
        case .comparison(_, let comparison, _), .count(_, let comparison, _): comparison.rawValue
        case .membership: "in"
        case .all, .any, .not, .function, .isNull, .related, .operand: nil
        }
    }
}

/// A comparison operator.
package enum ConditionComparison: String {
    /// `a == b`
    case equal = "=="
    /// `a != b`
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// Whether the operator compares the order of values, not only their equality.
    package var isOrder: Bool { self != .equal && self != .unequal }

    /// The equivalent operator for swapped operands.
    package var swapped: ConditionComparison {
        switch self {
        case .equal, .unequal: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

/// A function with two operands.
package enum ConditionFunction: String, CaseIterable {
    /// A list contains an element, or a string contains a substring.
    case contains
    /// A string starts with another.
    case hasPrefix
}

/// How many related records must satisfy a condition.
package enum ConditionQuantifier: String, CaseIterable {
    /// At least one.
    case any
    /// None.
    case none
    /// All of them, also if there are none.
    case all
}

/// An operand of a predicate.
package struct ConditionOperand {
    /// The kind of an operand.
    package enum Kind {
        /// The name of a field, followed by the names of fields inside embedded values. Each name
        /// has its range.
        case path([(name: String, range: Range<Int>)])
        /// `$name`
        case parameter(String)
        /// A number or a date.
        case number(String)
        /// A quoted string, unescaped.
        case text(String)
        /// `true` or `false`.
        case flag(Bool)
    }

    /// The kind and content.
    package var kind: Kind
    /// The range in the condition's text, in Unicode scalars.
    package var range: Range<Int>
}

/// The right-hand side of `in`.
package enum ConditionList {
    /// `[a, b]`
    case elements([ConditionOperand], Range<Int>)
    /// `$list`
    case parameter(String, Range<Int>)
}
