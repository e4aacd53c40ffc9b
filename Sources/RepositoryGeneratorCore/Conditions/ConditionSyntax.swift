internal import RepositorySchema

/// The bounds of a condition.
enum ConditionLimits {
    /// The most characters.
    static let length = 4_096
    /// How deep brackets may stand in one another.
    static let depth = 32
}

/// A condition as it was parsed, before names have a meaning.
///
/// ```
/// condition  = conjunction ("||" conjunction)*
/// conjunction = part ("&&" part)*
/// part       = "!" part (no comparison) | "(" condition ")" | predicate
/// predicate  = function "(" operand "," operand ")"
///            | operand ("isNull" | operator operand | "in" (list | parameter))?
/// operator   = "==" | "!=" | "<" | "<=" | ">" | ">="
/// function   = "contains" | "hasPrefix"
/// operand    = path | parameter | number | text | "true" | "false"
/// list       = "[" operand ("," operand)* "]"
/// ```
indirect enum ConditionSyntax {
    /// All of them, at least two.
    case all([ConditionSyntax])
    /// One of them, at least two.
    case any([ConditionSyntax])
    /// Not the other.
    case not(ConditionSyntax)
    /// `a == b`
    case comparison(ConditionOperand, ConditionComparison, ConditionOperand)
    /// `a in [b, c]`, `a in $list`
    case membership(ConditionOperand, ConditionList)
    /// `contains(a, b)`
    case function(ConditionFunction, Range<Int>, [ConditionOperand])
    /// `a isNull`
    case isNull(ConditionOperand)
    /// An operand by itself: a Bool.
    case operand(ConditionOperand)

    /// The operator between two operands; nil of any other condition.
    var operation: String? {
        switch self {
        case .comparison(_, let comparison, _): comparison.rawValue
        case .membership: "in"
        case .all, .any, .not, .function, .isNull, .operand: nil
        }
    }
}

/// How two operands are compared.
enum ConditionComparison: String {
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// Whether it asks for more than being equal.
    var isOrder: Bool { self != .equal && self != .unequal }

    /// The comparison with the sides swapped.
    var swapped: ConditionComparison {
        switch self {
        case .equal, .unequal: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

/// What stands before brackets with two operands.
enum ConditionFunction: String, CaseIterable {
    case contains
    case hasPrefix
}

/// What is compared.
struct ConditionOperand {
    /// What an operand is.
    enum Kind {
        /// The names of a field and of what is inside it, each at its place.
        case path([(name: String, range: Range<Int>)])
        /// `$name`
        case parameter(String)
        /// A number or a date.
        case number(String)
        /// A quoted text.
        case text(String)
        /// `true` or `false`.
        case flag(Bool)
    }

    /// What it is.
    var kind: Kind
    /// Where it stands, in Unicode scalars.
    var range: Range<Int>
}

/// What `in` looks into.
enum ConditionList {
    /// `[a, b]`
    case elements([ConditionOperand], Range<Int>)
    /// `$list`
    case parameter(String, Range<Int>)
}
