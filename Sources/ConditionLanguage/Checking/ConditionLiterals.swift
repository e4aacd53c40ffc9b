internal import StoredSchema

/// Converts an operand of a condition to a value of a type.
///
/// The conversion follows the rules of ``BaseLiteral``, and additionally checks whether the literal
/// must be quoted.
struct ConditionLiterals<Scope: ConditionScope> {
    /// What names are resolved in.
    let context: ConditionContext<Scope>
    /// The field on the other side, as written in the condition.
    let field: String

    /// Returns the value, or nil if the type is unknown. Throws if the operand is not a literal of
    /// the type.
    ///
    /// Enum cases, numbers, dates and Booleans are written without quotes; strings, UUIDs and URLs
    /// with quotes.
    func value(
        _ operand: ConditionOperand, as type: Scope.FieldType
    ) throws(ConditionProblem) -> ConditionValue<Scope>? {
        switch context.scope.conditionKind(of: type) {
        case .base(let base): return try baseValue(operand, base, type.unwrapped)
        case .enumeration(let enumeration): return try enumCase(operand, enumeration, type)
        case .scalar(let name):
            throw ConditionProblem(
                "only the program knows the values of the scalar '\(name)'", operand.range,
                context.suggestion("compare with a parameter: '$value'"))
        case .record(let record): return try identifier(operand, record)
        case .list(let inner), .map(let inner): return try value(operand, as: inner)
        case .value, .union, .unknown: return nil
        }
    }

    /// Converts a literal to the id of a record. Only ids of one field have literals.
    ///
    /// For all other ids, the error suggests a parameter.
    private func identifier(
        _ operand: ConditionOperand, _ record: Scope.Record
    ) throws(ConditionProblem) -> ConditionValue<Scope>? {
        let name = context.scope.name(of: record)
        guard let id = context.scope.idField(of: record),
            case .literal(let text, let type)? = try value(operand, as: context.scope.type(of: id))
        else {
            throw ConditionProblem(
                "the id of '\(name)' cannot be written in a condition", operand.range,
                context.suggestion("compare with a parameter: '$id'"))
        }
        return .identifier(entity: name, text, type)
    }

    /// Converts a name to an enum case. Enum cases are written without quotes.
    private func enumCase(
        _ operand: ConditionOperand, _ enumeration: ConditionEnumeration, _ type: Scope.FieldType
    ) throws(ConditionProblem) -> ConditionValue<Scope>? {
        let text: String
        switch operand.kind {
        case .path(let path): text = path.map(\.name).joined(separator: ".")
        case .text(let quoted):
            throw ConditionProblem(
                "a case of \(enumeration.title) is written without quotes", operand.range,
                enumeration.contains(quoted) ? "write \(quoted)" : "write the case's name")
        case .number(let number): text = number
        case .flag(let flag): text = "\(flag)"
        case .parameter: return nil
        }
        if let problem = enumeration.problem(text) {
            throw ConditionProblem(problem.message, operand.range, problem.help)
        }
        return enumeration.contains(text) ? .literal(text, type) : nil
    }

    /// Converts a literal of a base type. Strings, UUIDs and URLs must be quoted; other literals
    /// must not be.
    private func baseValue(
        _ operand: ConditionOperand, _ base: StoredBaseType, _ type: Scope.FieldType
    ) throws(ConditionProblem) -> ConditionValue<Scope>? {
        switch operand.kind {
        case .parameter: return nil
        case .path(let path): throw noValue(path, operand.range, base, type)
        case .number(let text), .text(let text):
            let isQuoted = if case .text = operand.kind { true } else { false }
            let wantsQuotes = base.isQuotedInConditions
            let name = context.scope.name(of: type)
            let problem = BaseLiteral.problem(text, as: base, named: name)
            if isQuoted != wantsQuotes, base != .data {
                let bare = problem == nil ? "write it without quotes" : nil
                throw ConditionProblem(
                    "'\(field)' is \(context.scope.described(type)), and this is "
                        + (isQuoted ? "a text" : "a number"),
                    operand.range, wantsQuotes ? "quote it: \"\(text)\"" : bare)
            }
            if let problem {
                throw ConditionProblem(
                    problem.message, operand.range,
                    base == .data
                        ? context.suggestion("compare with a parameter: '$value'") : problem.help)
            }
            return .literal(text, type)
        case .flag(let flag):
            guard base == .bool else {
                throw ConditionProblem(
                    "'\(field)' is \(context.scope.described(type)), and this is a Bool",
                    operand.range)
            }
            return .literal("\(flag)", type)
        }
    }

    /// The problem of a name in the position of a value.
    ///
    /// The suggestion depends on the name: `null` needs `isNull`, `now` needs a parameter, and a
    /// field cannot be compared with another field.
    private func noValue(
        _ path: [(name: String, range: Range<Int>)], _ range: Range<Int>, _ base: StoredBaseType,
        _ type: Scope.FieldType
    ) -> ConditionProblem {
        let name = path.map(\.name).joined(separator: ".")
        if ["null", "nil", "NULL", "none"].contains(name) {
            return ConditionProblem(
                "'\(name)' is no value", range, "write '\(field) isNull' or '!(\(field) isNull)'")
        }
        if name == "now" {
            return ConditionProblem(
                "'now' is no value in a condition", range,
                context.suggestion(
                    "give the moment as a parameter: '$now'",
                    orInput: "write the moment: '2024-02-29T12:30:00Z'"))
        }
        if context.isField(path[0].name) {
            return ConditionProblem(
                "two fields cannot be compared", range,
                context.suggestion(
                    "compare '\(field)' with a parameter or a value",
                    orInput: "compare '\(field)' with a value"))
        }
        let quoted = base == .text ? "quote a text: \"\(name)\"" : nil
        let parameter = "a parameter begins with '$': $\(path[0].name)"
        return ConditionProblem(
            "'\(name)' is no value of \(context.scope.described(type))", range,
            context.suggestion(
                parameter + (quoted.map { ", or \($0)" } ?? ""), orInput: quoted))
    }
}
