internal import RepositorySchema

/// Gives the names of a condition their meaning, and finds where types do not agree.
struct ConditionChecker {
    let context: ConditionContext
    /// The parameters, in the order in which they stand in the text.
    private(set) var parameters: [ConditionParameter] = []
    /// What is wrong.
    private(set) var problems: [ConditionProblem] = []

    /// Makes a checker for the conditions of one declaration.
    init(_ context: ConditionContext) {
        self.context = context
    }

    /// The condition; nil where something is wrong with it, or not known.
    mutating func check(_ text: ConditionText) -> CheckedCondition? {
        do {
            return check(try ConditionParser.parse(text.text))
        } catch {
            problems.append(error)
            return nil
        }
    }

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

    /// All parts are checked, so that all mistakes are found.
    private mutating func checkAll(_ parts: [ConditionSyntax]) -> [CheckedCondition]? {
        var checked: [CheckedCondition] = []
        for part in parts {
            if let part = check(part) { checked.append(part) }
        }
        return checked.count == parts.count ? checked : nil
    }

    /// The negation, inside a comparison where it means the same there.
    private static func negated(_ condition: CheckedCondition) -> CheckedCondition {
        switch condition {
        case .compare(let field, .equal, .literal("true", .base(.bool)))
        where !field.type.isOptional:
            .compare(field, .equal, .literal("false", .base(.bool)))
        case .compare(let field, .equal, let value): .compare(field, .unequal, value)
        case .compare(let field, .unequal, let value): .compare(field, .equal, value)
        case .not(let inner): inner
        default: .not(condition)
        }
    }

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
        case .operand(let operand): return try flag(operand)
        case .all, .any, .not: return nil
        }
    }

    // MARK: Predicates

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
        guard let value = try value(other, as: type, beside: side) else { return nil }
        return .compare(field, isLeftField ? comparison : comparison.swapped, value)
    }

    /// Whether the left operand is the field of a comparison, not the right one: a name beside a field of an enum may
    /// be one of its cases.
    private func isField(
        _ left: ConditionOperand, beside right: ConditionOperand
    ) throws(ConditionProblem) -> Bool {
        guard case .path(let leftPath) = left.kind else { return false }
        guard case .path(let rightPath) = right.kind else { return true }
        if isCase(rightPath, of: leftPath) { return true }
        if isCase(leftPath, of: rightPath) { return false }
        // Of what is neither, the side that names a field is one.
        return context.isField(leftPath[0].name) || !context.isField(rightPath[0].name)
    }

    private func isCase(
        _ path: [(name: String, range: Range<Int>)], of other: [(name: String, range: Range<Int>)]
    ) -> Bool {
        guard path.count == 1, let field = try? context.field(other),
            case .enumeration(let enumeration) = context.scope.kind(of: field.type)
        else { return false }
        return enumeration.cases.contains { $0.name.value == path[0].name }
    }

    /// The type of what a field is compared with.
    private func comparable(
        _ field: ConditionField, _ operand: ConditionOperand, _ comparison: ConditionComparison?
    ) throws(ConditionProblem) -> TypeExpression {
        let type = field.type.unwrapped
        let name = Self.name(operand)
        let help: String
        switch (type, context.scope.kind(of: type)) {
        case (.list, _): help = "write 'contains(\(name), …)'"
        case (.map, _): help = "'isNull' is all that can be asked of it"
        case (_, .value(let value)):
            let member = value.fields.first?.name.value ?? "field"
            help = "compare its fields: '\(name).\(member)'"
        case (_, .union): help = "'isNull' is all that can be asked of it"
        case (_, .entity(let entity)):
            guard let comparison, comparison.isOrder, case .composite = entity.identity else {
                return type
            }
            throw ConditionProblem(
                "an id of several components has no order", operand.range,
                "write '==' or '!='")
        default: return type
        }
        throw ConditionProblem(
            "'\(name)' is \(context.described(type)), which cannot be compared", operand.range, help
        )
    }

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

    private func field(
        _ operand: ConditionOperand, before place: String
    ) throws(ConditionProblem) -> ConditionField? {
        guard case .path(let path) = operand.kind else {
            throw ConditionProblem(
                "a field is expected before \(place)", operand.range, "write the field first")
        }
        return try context.field(path)
    }

    private mutating func value(
        _ operand: ConditionOperand, as type: TypeExpression, beside field: ConditionOperand
    ) throws(ConditionProblem) -> ConditionValue? {
        guard case .parameter(let name) = operand.kind else {
            return try ConditionLiterals(context: context, field: Self.name(field))
                .value(operand, as: type)
        }
        try use(name, operand.range, as: type)
        return .parameter(name)
    }

    /// Notes the type of a parameter.
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

    private static func name(_ operand: ConditionOperand) -> String {
        guard case .path(let path) = operand.kind else { return "" }
        return path.map(\.name).joined(separator: ".")
    }
}
