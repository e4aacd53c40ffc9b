internal import RepositorySchema

/// Resolves the names of a condition and checks its types.
///
/// One checker checks one condition. It reports all problems of the condition, not only the first,
/// except for syntax errors.
///
/// The condition `status == onLoan && pages > $pages` is checked as follows: `status` and `pages`
/// are fields, `onLoan` is a case of the enum of `status`, and the parameter `pages` gets the type
/// of the field, `Int`.
struct ConditionChecker {
    /// The fields and the declarations that the condition can refer to.
    let context: ConditionContext
    /// The parameters, in the order of their first occurrence.
    private(set) var parameters: [ConditionParameter] = []
    /// The problems found so far.
    private(set) var problems: [ConditionProblem] = []

    /// Creates a checker for a condition of one declaration.
    init(_ context: ConditionContext) {
        self.context = context
    }

    /// Parses and checks a condition. Returns nil if the condition has a problem, or if it refers
    /// to a declaration that could not be read.
    mutating func check(_ text: ConditionText) -> CheckedCondition? {
        do {
            return check(try ConditionParser.parse(text.text))
        } catch {
            problems.append(error)
            return nil
        }
    }

    /// Checks a condition and its parts. The problem of a predicate is recorded here, so that its
    /// neighbours are checked as well.
    private mutating func check(_ syntax: ConditionSyntax) -> CheckedCondition? {
        switch syntax {
        case .all(let parts): return checkAll(parts).map { .all($0) }
        case .any(let parts): return checkAll(parts).map { .any($0) }
        case .not(let part): return check(part).map(Self.negated)
        default: break
        }
        do {
            return try predicate(syntax)
        } catch {
            problems.append(error)
            return nil
        }
    }

    /// Checks every part even if one fails, so that all problems are reported.
    private mutating func checkAll(_ parts: [ConditionSyntax]) -> [CheckedCondition]? {
        var checked: [CheckedCondition] = []
        for part in parts {
            if let part = check(part) { checked.append(part) }
        }
        return checked.count == parts.count ? checked : nil
    }

    /// Negates a condition. Moves the negation into a comparison if that is equivalent, so that the
    /// output has fewer nested negations.
    ///
    /// `!(a == b)` becomes `a != b`, and `!(!a)` becomes `a`. The negation of a Boolean field that
    /// is not optional compares it with `false`.
    private static func negated(_ condition: CheckedCondition) -> CheckedCondition {
        switch condition {
        case .compare(let field, .equal, .literal("true", .base(.bool)))
        where !field.type.isOptional && field.depth == 0:
            .compare(field, .equal, .literal("false", .base(.bool)))
        // Without a related record, every comparison of its fields is false.
        case .compare(let field, .equal, let value) where field.depth == 0:
            .compare(field, .unequal, value)
        case .compare(let field, .unequal, let value) where field.depth == 0:
            .compare(field, .equal, value)
        case .not(let inner): inner
        default: .not(condition)
        }
    }

    /// Checks a predicate: a condition without `&&`, `||` and `!`.
    private mutating func predicate(
        _ syntax: ConditionSyntax
    ) throws(ConditionProblem) -> CheckedCondition? {
        switch syntax {
        case .comparison(let left, let comparison, let right):
            return try compare(left, comparison, right)
        case .membership(let operand, let list): return try membership(operand, list)
        case .function(let function, let range, let arguments):
            return try self.function(function, range, arguments)
        case .isNull(let operand):
            guard let field = try field(operand, before: "'isNull'") else { return nil }
            guard field.type.isOptional else {
                throw ConditionProblem(
                    "'\(Self.name(operand))' is never null", operand.range,
                    "remove the condition, or declare the field as optional")
            }
            return .isNull(field)
        case .related(let quantifier, let relation, let condition):
            return try related(quantifier, relation, condition)
        case .count(let relation, let comparison, let operand):
            return try count(relation, comparison, operand)
        case .operand(let operand): return try flag(operand)
        case .all, .any, .not: return nil
        }
    }

    // MARK: Predicates

    /// Checks a comparison. The field may be on either side; the result always has it on the left,
    /// with the operator swapped if necessary.
    ///
    /// A comparison needs a field on one side, and has a value or another field on the other one.
    private mutating func compare(
        _ left: ConditionOperand, _ comparison: ConditionComparison, _ right: ConditionOperand
    ) throws(ConditionProblem) -> CheckedCondition? {
        let isLeftField = try isField(left, beside: right)
        let (side, other) = isLeftField ? (left, right) : (right, left)
        guard case .path = side.kind else {
            throw ConditionProblem(
                "a field stands on neither side of '\(comparison.rawValue)'",
                left.range.lowerBound..<right.range.upperBound,
                "compare a field with a parameter or a value")
        }
        guard let field = try field(side, before: "an operator") else { return nil }
        let type = try comparable(field, side, comparison)
        if namesField(other), !isCase(other, of: side) {
            return try compare(field, side, comparison, other)
        }
        guard let value = try value(other, as: type, beside: side) else { return nil }
        return .compare(field, isLeftField ? comparison : comparison.swapped, value)
    }

    /// Checks a comparison of two fields: both belong to the record itself and have one type.
    private mutating func compare(
        _ field: ConditionField, _ operand: ConditionOperand, _ comparison: ConditionComparison,
        _ otherOperand: ConditionOperand
    ) throws(ConditionProblem) -> CheckedCondition? {
        guard let other = try self.field(otherOperand, before: "an operator") else { return nil }
        if let owner = context.parameterless {
            throw ConditionProblem(
                "\(owner) cannot compare two fields", otherOperand.range,
                "compare the field with a value")
        }
        for (field, operand) in [(field, operand), (other, otherOperand)]
        where field.depth > context.depth {
            throw ConditionProblem(
                "'\(Self.name(operand))' is a field of another record, which is compared with a "
                    + "value only", operand.range, "compare two fields of one record")
        }
        let type = field.type.unwrapped
        guard type == other.type.unwrapped else {
            throw ConditionProblem(
                "'\(Self.name(operand))' is \(context.described(type)), and "
                    + "'\(Self.name(otherOperand))' is "
                    + context.described(other.type.unwrapped),
                otherOperand.range, "compare two fields of one type")
        }
        if case .entity(let entity) = context.scope.kind(of: type),
            case .composite = entity.identity
        {
            throw ConditionProblem(
                "two ids of several components cannot be compared", otherOperand.range,
                "compare with a parameter: '$id'")
        }
        return .compareFields(field, comparison, other)
    }

    /// Checks `in` with a list of values or a list parameter.
    ///
    /// A problem of one element does not prevent the check of the others.
    private mutating func membership(
        _ operand: ConditionOperand, _ list: ConditionList
    ) throws(ConditionProblem) -> CheckedCondition? {
        guard let field = try field(operand, before: "'in'") else { return nil }
        let type = try comparable(field, operand, nil)
        switch list {
        case .parameter(let name, let range):
            try use(name, range, as: .list(type))
            return .isInParameter(field, name)
        case .elements(let elements, _):
            var values: [ConditionValue] = []
            for element in elements {
                do {
                    if let value = try value(element, as: type, beside: operand) {
                        values.append(value)
                    }
                } catch {
                    problems.append(error)
                }
            }
            return values.count == elements.count ? .isIn(field, values) : nil
        }
    }

    /// Checks `contains` and `hasPrefix`. The first operand is the field.
    ///
    /// ```
    /// contains(tags, "new")         a list contains an element
    /// contains(title, "the")        a string contains a substring
    /// hasPrefix(title, "The")       a string starts with a prefix
    /// ```
    private mutating func function(
        _ function: ConditionFunction, _ range: Range<Int>, _ arguments: [ConditionOperand]
    ) throws(ConditionProblem) -> CheckedCondition? {
        let (operand, other) = (arguments[0], arguments[1])
        guard let field = try field(operand, before: "','") else { return nil }
        let type: TypeExpression
        switch (field.type.unwrapped, function) {
        case (.list(let element), .contains): type = element.unwrapped
        case (.base(.string), _): type = .base(.string)
        default:
            let needed = function == .contains ? "a String or a list" : "a String"
            throw ConditionProblem(
                "'\(function.rawValue)' looks into \(needed); '\(Self.name(operand))' is "
                    + context.described(field.type),
                operand.range)
        }
        guard let value = try value(other, as: type, beside: operand) else { return nil }
        return .function(function, field, value)
    }

    /// Checks a condition on related records, in which only their fields can be named. It shares
    /// its parameters with the whole condition.
    private mutating func related(
        _ quantifier: ConditionQuantifier, _ operand: ConditionOperand, _ condition: ConditionSyntax
    ) throws(ConditionProblem) -> CheckedCondition? {
        guard case .path(let path) = operand.kind, let relation = try context.relation(path) else {
            return nil
        }
        var inner = ConditionContext(relation.target, scope: context.scope)
        inner.depth = relation.depth
        var checker = ConditionChecker(inner)
        checker.parameters = parameters
        let checked = checker.check(condition)
        parameters = checker.parameters
        problems += checker.problems
        return checked.map { .related(quantifier, relation, $0) }
    }

    /// Checks a comparison of the number of related records with an integer or a parameter.
    private mutating func count(
        _ operand: ConditionOperand, _ comparison: ConditionComparison, _ other: ConditionOperand
    ) throws(ConditionProblem) -> CheckedCondition? {
        guard case .path(let path) = operand.kind, let relation = try context.relation(path) else {
            return nil
        }
        if case .path = other.kind {
            throw ConditionProblem(
                "the number of records is compared with a number", other.range,
                "write a number or a parameter")
        }
        let name = "count(\(Self.name(operand)))"
        guard let value = try value(other, as: .base(.int), besideName: name) else { return nil }
        return .count(relation, comparison, value)
    }

    /// Checks an operand that is a condition by itself, which requires a `Bool` field. The result
    /// compares it with `true`.
    private mutating func flag(
        _ operand: ConditionOperand
    ) throws(ConditionProblem) -> CheckedCondition? {
        switch operand.kind {
        case .path: break
        case .parameter(let name):
            throw ConditionProblem(
                "the type of '$\(name)' is not known: it is compared with no field", operand.range,
                "compare it: 'field == $\(name)'")
        case .number, .text, .flag:
            throw ConditionProblem(
                "a value by itself is no condition", operand.range, "compare a field with it")
        }
        guard let field = try field(operand, before: "an operator") else { return nil }
        guard field.type.unwrapped == .base(.bool) else {
            let name = Self.name(operand)
            throw ConditionProblem(
                "'\(name)' is \(context.described(field.type)), and only a Bool is a condition by itself",
                operand.range, "compare it: '\(name) == …'")
        }
        return .compare(field, .equal, .literal("true", .base(.bool)))
    }

    // MARK: Operands

    /// Resolves an operand as a field. `place` describes the position, for the message.
    private func field(
        _ operand: ConditionOperand, before place: String
    ) throws(ConditionProblem) -> ConditionField? {
        guard case .path(let path) = operand.kind else {
            throw ConditionProblem(
                "a field is expected before \(place)", operand.range, "write the field first")
        }
        return try context.field(path)
    }

    /// Resolves an operand as a parameter or a literal of the given type.
    private mutating func value(
        _ operand: ConditionOperand, as type: TypeExpression, beside field: ConditionOperand
    ) throws(ConditionProblem) -> ConditionValue? {
        try value(operand, as: type, besideName: Self.name(field))
    }

    /// Resolves an operand as a parameter or a literal of the given type, which is compared with
    /// something of the given name.
    private mutating func value(
        _ operand: ConditionOperand, as type: TypeExpression, besideName name: String
    ) throws(ConditionProblem) -> ConditionValue? {
        guard case .parameter(let parameter) = operand.kind else {
            return try ConditionLiterals(context: context, field: name).value(operand, as: type)
        }
        try use(parameter, operand.range, as: type)
        return .parameter(parameter)
    }

    /// Records the use of a parameter. All uses of a parameter must have the same type.
    ///
    /// A parameter in a check or an index is an error, because these conditions are part of the
    /// table.
    private mutating func use(
        _ name: String, _ range: Range<Int>, as type: TypeExpression
    ) throws(ConditionProblem) {
        if let owner = context.parameterless {
            throw ConditionProblem(
                "\(owner) has no parameters", range, "compare with a value, not with '$\(name)'")
        }
        guard let first = parameters.first(where: { $0.name == name }) else {
            parameters.append(ConditionParameter(name: name, type: type, range: range))
            return try checkName(name, range)
        }
        guard first.type != type else { return }
        var problem = ConditionProblem(
            "'$\(name)' is \(context.described(type)) here and \(context.described(first.type)) "
                + "before",
            range, "give them two names")
        problem.notes = [("it occurs here first", first.range)]
        throw problem
    }

    /// Checks that the name of a parameter can be the name of a Swift parameter.
    private func checkName(_ name: String, _ range: Range<Int>) throws(ConditionProblem) {
        if !Naming.isIdentifier(name) {
            throw ConditionProblem(
                "a parameter cannot be called '\(name)'", range, "give it another name")
        }
        if name.unicodeScalars.first?.properties.isUppercase == true {
            throw ConditionProblem(
                "the name of a parameter begins with a lower-case letter", range,
                "call it '$\(Naming.lowerCamelCase(name))'")
        }
    }

    /// The name of a field as written in the condition.
    static func name(_ operand: ConditionOperand) -> String {
        guard case .path(let path) = operand.kind else { return "" }
        return path.map(\.name).joined(separator: ".")
    }
}
