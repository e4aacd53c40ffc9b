internal import RepositorySchema

/// Converts an operand of a condition to a value of a type.
///
/// The conversion follows the rules of ``LiteralCheck``, and additionally checks whether the
/// literal must be quoted.
struct ConditionLiterals {
    /// The declarations that names are resolved in.
    let context: ConditionContext
    /// The field on the other side, as written in the condition.
    let field: String

    /// Returns the value, or nil if the type is unknown. Throws if the operand is not a literal of
    /// the type.
    ///
    /// Enum cases, numbers, dates and Booleans are written without quotes; strings, UUIDs and URLs
    /// with quotes.
    func value(
        _ operand: ConditionOperand, as type: TypeExpression
    ) throws(ConditionProblem) -> ConditionValue? {
        switch context.scope.kind(of: type) {
        case .base(let base): return try baseValue(operand, base)
        case .enumeration(let enumeration): return try enumCase(operand, enumeration, type)
        case .scalar(let scalar):
            throw ConditionProblem(
                "only the program knows the values of the scalar '\(scalar.header.name.value)'",
                operand.range, "compare with a parameter: '$value'")
        case .entity(let entity): return try identifier(operand, entity)
        case .value, .union, .unknown: return nil
        }
    }

    /// Converts a literal to the id of an entity. Only ids of one field have literals.
    ///
    /// For all other ids, the error suggests a parameter.
    private func identifier(
        _ operand: ConditionOperand, _ entity: EntityDeclaration
    ) throws(ConditionProblem) -> ConditionValue? {
        guard case .single(let id) = entity.identity,
            case .literal(let text, let type)? = try value(operand, as: id.type.value)
        else {
            throw ConditionProblem(
                "the id of '\(entity.header.name.value)' cannot be written in a condition",
                operand.range, "compare with a parameter: '$id'")
        }
        return .identifier(entity: entity.header.name.value, text, type)
    }

    /// Converts a name to an enum case. Enum cases are written without quotes.
    private func enumCase(
        _ operand: ConditionOperand, _ enumeration: EnumDeclaration, _ type: TypeExpression
    ) throws(ConditionProblem) -> ConditionValue? {
        let text: String
        switch operand.kind {
        case .path(let path) where path.count == 1: text = path[0].name
        case .path(let path): text = path.map(\.name).joined(separator: ".")
        case .text(let quoted):
            let isName = enumeration.cases.contains { $0.name.value == quoted }
            throw ConditionProblem(
                "a case of the enum '\(enumeration.header.name.value)' is written without quotes",
                operand.range, isName ? "write \(quoted)" : "write the case's name")
        case .number(let number): text = number
        case .flag(let flag): text = "\(flag)"
        case .parameter: return nil
        }
        try check(text, operand.range, type)
        return enumeration.cases.contains { $0.name.value == text } ? .literal(text, type) : nil
    }

    /// Converts a literal of a base type. Strings, UUIDs and URLs must be quoted; other literals
    /// must not be.
    private func baseValue(
        _ operand: ConditionOperand, _ base: BaseType
    ) throws(ConditionProblem) -> ConditionValue? {
        let type = TypeExpression.base(base)
        switch operand.kind {
        case .parameter: return nil
        case .path(let path): throw noValue(path, operand.range, type)
        case .number(let text), .text(let text):
            let isQuoted = if case .text = operand.kind { true } else { false }
            let wantsQuotes = base.isQuotedInConditions
            if isQuoted != wantsQuotes, base != .data {
                let bare = isValue(text, type) ? "write it without quotes" : nil
                throw ConditionProblem(
                    "'\(field)' is \(context.described(type)), and this is "
                        + (isQuoted ? "a text" : "a number"),
                    operand.range, wantsQuotes ? "quote it: \"\(text)\"" : bare)
            }
            try check(text, operand.range, type)
            return .literal(text, type)
        case .flag(let flag):
            guard base == .bool else {
                throw ConditionProblem(
                    "'\(field)' is \(context.described(type)), and this is a Bool", operand.range)
            }
            return .literal("\(flag)", type)
        }
    }

    /// The problem of a name in the position of a value.
    ///
    /// The suggestion depends on the name: `null` needs `isNull`, `now` needs a parameter, and a
    /// field cannot be compared with another field.
    private func noValue(
        _ path: [(name: String, range: Range<Int>)], _ range: Range<Int>, _ type: TypeExpression
    ) -> ConditionProblem {
        let name = path.map(\.name).joined(separator: ".")
        if ["null", "nil", "NULL", "none"].contains(name) {
            return ConditionProblem(
                "'\(name)' is no value", range, "write '\(field) isNull' or '!(\(field) isNull)'")
        }
        if name == "now" {
            return ConditionProblem(
                "'now' is no value in a condition", range,
                "give the moment as a parameter: '$now'")
        }
        if context.isField(path[0].name) {
            return ConditionProblem(
                "two fields cannot be compared", range,
                "compare '\(field)' with a parameter or a value")
        }
        let quoted = type == .base(.string) ? ", or quote a text: \"\(name)\"" : ""
        return ConditionProblem(
            "'\(name)' is no value of \(context.described(type))", range,
            "a parameter begins with '$': $\(path[0].name)" + quoted)
    }

    /// Checks a literal with the same rules as defaults in schemas.
    private func problem(_ text: String, _ type: TypeExpression) -> LiteralCheck.Problem? {
        // The check uses the text of the literal only; the caller knows its source range.
        let nowhere = SourceRange(path: "", start: .start, end: .start)
        let literal = Located(Literal.scalar(text, isPlain: true), at: nowhere)
        return LiteralCheck(scope: context.scope, scale: nil).problem(literal, as: type)
    }

    /// Returns whether the text is a valid literal of the type.
    private func isValue(_ text: String, _ type: TypeExpression) -> Bool {
        problem(text, type) == nil
    }

    /// Throws if the text is not a valid literal of the type. The help is worded for conditions
    /// rather than for defaults.
    private func check(
        _ text: String, _ range: Range<Int>, _ type: TypeExpression
    ) throws(ConditionProblem) {
        guard let problem = problem(text, type) else { return }
        let help: String? =
            switch type {
            case .base(.date): "write '2024-02-29' or '2024-02-29T12:30:00Z'"
            case .base(.uuid): "write 8-4-4-4-12 hexadecimal digits"
            case .base(.data): "compare with a parameter: '$value'"
            default: problem.help
            }
        throw ConditionProblem(problem.message, range, help)
    }
}
