internal import StoredSchema

/// Resolves the names of a condition and checks its types.
///
/// One checker checks one condition. It reports all problems of the condition, not only the first,
/// except for syntax errors.
///
/// The condition `status == onLoan && pages > $pages` is checked as follows: `status` and `pages`
/// are fields, `onLoan` is a case of the enum of `status`, and the parameter `pages` gets the type
/// of the field, `Int`.
package struct ConditionChecker<Scope: ConditionScope> {
    /// The fields and the declarations that the condition can refer to.
    package let context: ConditionContext<Scope>
    /// The parameters, in the order of their first occurrence.
    package private(set) var parameters: [ConditionParameter<Scope>] = []
    /// The problems found so far.
    package private(set) var problems: [ConditionProblem] = []

    /// Creates a checker for a condition of one declaration.
    package init(_ context: ConditionContext<Scope>) {
        self.context = context
    }

    /// Parses and checks a condition. Returns nil if the condition has a problem, or if it refers
    /// to a declaration that could not be read.
    package mutating func check(_ text: String) -> CheckedCondition<Scope>? {
        do {
            return check(try ConditionParser.parse(text))
        } catch {
            problems.append(error)
            return nil
        }
    }

    /// Checks a condition and its parts. The problem of a predicate is recorded here, so that its
    /// neighbours are checked as well.
    private mutating func check(_ syntax: ConditionSyntax) -> CheckedCondition<Scope>? {
        switch syntax {
        case .all(let parts): return checkAll(parts).map { .all($0) }
        case .any(let parts): return checkAll(parts).map { .any($0) }
        case .not(let part): return check(part).map(negated)
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
    private mutating func checkAll(_ parts: [ConditionSyntax]) -> [CheckedCondition<Scope>]? {
        var checked: [CheckedCondition<Scope>] = []
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
    private func negated(_ condition: CheckedCondition<Scope>) -> CheckedCondition<Scope> {
        switch condition {
        case .compare(let field, .equal, .literal("true", let type))
        where !field.type.isOptional && field.depth == 0 && isBool(type):
            .compare(field, .equal, .literal("false", type))
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
    ) throws(ConditionProblem) -> CheckedCondition<Scope>? {
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
    ) throws(ConditionProblem) -> CheckedCondition<Scope>? {
        let isLeftField = try isField(left, beside: right)
        let (side, other) = isLeftField ? (left, right) : (right, left)
        guard case .path = side.kind else {
            throw ConditionProblem(
                "a field stands on neither side of '\(comparison.rawValue)'",
                left.range.lowerBound..<right.range.upperBound,
                context.suggestion(
                    "compare a field with a parameter or a value",
                    orInput: "compare a field with a value"))
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
        _ field: ConditionField<Scope>, _ operand: ConditionOperand,
        _ comparison: ConditionComparison,
        _ otherOperand: ConditionOperand
    ) throws(ConditionProblem) -> CheckedCondition<Scope>? {
        guard let other = try self.field(otherOperand, before: "an operator") else { return nil }
        if case .table(let owner) = context.use {
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
                "'\(Self.name(operand))' is \(context.scope.described(type)), and "
                    + "'\(Self.name(otherOperand))' is "
                    + context.scope.described(other.type.unwrapped),
                otherOperand.range, "compare two fields of one type")
        }
        if context.isComposite(type) {
            throw ConditionProblem(
                "two ids of several components cannot be compared", otherOperand.range,
                context.suggestion("compare with a parameter: '$id'"))
        }
        return .compareFields(field, comparison, other)
    }

    /// Checks `in` with a list of values or a list parameter.
    ///
    /// A problem of one element does not prevent the check of the others.
    private mutating func membership(
        _ operand: ConditionOperand, _ list: ConditionList
    ) throws(ConditionProblem) -> CheckedCondition<Scope>? {
        guard let field = try field(operand, before: "'in'") else { return nil }
        let type = try comparable(field, operand, nil)
        switch list {
        case .parameter(let name, let range):
            try use(name, range, as: .list(type))
            return .isInParameter(field, name)
        case .elements(let elements, _):
            var values: [ConditionValue<Scope>] = []
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
    ) throws(ConditionProblem) -> CheckedCondition<Scope>? {
        let (operand, other) = (arguments[0], arguments[1])
        guard let field = try field(operand, before: "','") else { return nil }
        let type: Scope.FieldType
        switch (context.scope.conditionKind(of: field.type), function) {
        case (.list(let element), .contains): type = element.unwrapped
        case (.base(.text), _): type = field.type.unwrapped
        default:
            let needed = function == .contains ? "a String or a list" : "a String"
            throw ConditionProblem(
                "'\(function.rawValue)' looks into \(needed); '\(Self.name(operand))' is "
                    + context.scope.described(field.type),
                operand.range)
        }
        guard let value = try value(other, as: type, beside: operand) else { return nil }
        return .function(function, field, value)
    }

    /// Checks a condition on related records, in which only their fields can be named. It shares
    /// its parameters with the whole condition.
    private mutating func related(
        _ quantifier: ConditionQuantifier, _ operand: ConditionOperand, _ condition: ConditionSyntax
    ) throws(ConditionProblem) -> CheckedCondition<Scope>? {
        guard case .path(let path) = operand.kind, let relation = try context.relation(path) else {
            return nil
        }
        var inner = ConditionContext(relation.target, scope: context.scope, use: context.use)
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
    ) throws(ConditionProblem) -> CheckedCondition<Scope>? {
        guard case .path(let path) = operand.kind, let relation = try context.relation(path) else {
            return nil
        }
        if case .path = other.kind {
            throw ConditionProblem(
                "the number of records is compared with a number", other.range,
                context.suggestion("write a number or a parameter", orInput: "write a number"))
        }
        let name = "count(\(Self.name(operand)))"
        guard let value = try value(other, as: .count, besideName: name) else { return nil }
        return .count(relation, comparison, value)
    }

    /// Checks an operand that is a condition by itself, which requires a `Bool` field. The result
    /// compares it with `true`.
    private mutating func flag(
        _ operand: ConditionOperand
    ) throws(ConditionProblem) -> CheckedCondition<Scope>? {
        switch operand.kind {
        case .path: break
        case .parameter(let name):
            if context.use == .input { try use(name, operand.range, as: .count) }
            throw ConditionProblem(
                "the type of '$\(name)' is not known: it is compared with no field", operand.range,
                "compare it: 'field == $\(name)'")
        case .number, .text, .flag:
            throw ConditionProblem(
                "a value by itself is no condition", operand.range, "compare a field with it")
        }
        guard let field = try field(operand, before: "an operator") else { return nil }
        guard isBool(field.type) else {
            let name = Self.name(operand)
            throw ConditionProblem(
                "'\(name)' is \(context.scope.described(field.type)), and only a Bool is a condition by itself",
                operand.range, "compare it: '\(name) == …'")
        }
        return .compare(field, .equal, .literal("true", field.type.unwrapped))
    }

    /// Returns whether a type is that of Boolean values.
    private func isBool(_ type: Scope.FieldType) -> Bool {
        if case .base(.bool) = context.scope.conditionKind(of: type) { true } else { false }
    }

    // MARK: Operands

    /// Resolves an operand as a field. `place` describes the position, for the message.
    private func field(
        _ operand: ConditionOperand, before place: String
    ) throws(ConditionProblem) -> ConditionField<Scope>? {
        guard case .path(let path) = operand.kind else {
            throw ConditionProblem(
                "a field is expected before \(place)", operand.range, "write the field first")
        }
        return try context.field(path)
    }

    /// Resolves an operand as a parameter or a literal of the given type.
    private mutating func value(
        _ operand: ConditionOperand, as type: Scope.FieldType, beside field: ConditionOperand
    ) throws(ConditionProblem) -> ConditionValue<Scope>? {
        try value(operand, as: type, besideName: Self.name(field))
    }

    /// Resolves an operand as a parameter or a literal of the given type, which is compared with
    /// something of the given name.
    private mutating func value(
        _ operand: ConditionOperand, as type: Scope.FieldType, besideName name: String
    ) throws(ConditionProblem) -> ConditionValue<Scope>? {
        guard case .parameter(let parameter) = operand.kind else {
            return try ConditionLiterals(context: context, field: name).value(operand, as: type)
        }
        try use(parameter, operand.range, as: type)
        return .parameter(parameter)
    }

    /// Records the use of a parameter. All uses of a parameter must have the same type.
    ///
    /// A parameter in a check or an index is an error, because these conditions are part of the
    /// table, and so is one in a condition that is written while the program runs.
    private mutating func use(
        _ name: String, _ range: Range<Int>, as type: Scope.FieldType
    ) throws(ConditionProblem) {
        let owner: String? =
            switch context.use {
            case .query: nil
            case .table(let owner): owner
            case .input: "a condition that is not part of a program"
            }
        if let owner {
            throw ConditionProblem(
                "\(owner) has no parameters", range, "compare with a value, not with '$\(name)'")
        }
        guard let first = parameters.first(where: { $0.name == name }) else {
            parameters.append(ConditionParameter(name: name, type: type, range: range))
            guard let problem = context.scope.problem(ofParameter: name) else { return }
            throw ConditionProblem(problem.message, range, problem.help)
        }
        guard first.type != type else { return }
        var problem = ConditionProblem(
            "'$\(name)' is \(context.scope.described(type)) here and \(context.scope.described(first.type)) "
                + "before",
            range, "give them two names")
        problem.notes = [("it occurs here first", first.range)]
        throw problem
    }

    /// The name of a field as written in the condition.
    static func name(_ operand: ConditionOperand) -> String {
        guard case .path(let path) = operand.kind else { return "" }
        return path.map(\.name).joined(separator: ".")
    }
}
