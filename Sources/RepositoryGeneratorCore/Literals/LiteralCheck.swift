internal import ConditionLanguage
internal import RepositorySchema
internal import StoredSchema

/// What a literal of a field is for.
enum LiteralPurpose {
    /// The default, a bound, or the literal of a condition.
    case defaultValue
    /// The value of `fill`.
    case fill
    /// The value of `otherwise`.
    case otherwise

    /// The noun in messages, with its article.
    var noun: String {
        switch self {
        case .defaultValue: "a default"
        case .fill: "a literal 'fill'"
        case .otherwise: "'otherwise'"
        }
    }

    /// The noun for one value in messages, with its article.
    var value: String {
        switch self {
        case .defaultValue: "the default"
        case .fill: "the value of 'fill'"
        case .otherwise: "the value of 'otherwise'"
        }
    }

    /// How to give the value by a function; nil if that is not possible.
    var code: String? {
        switch self {
        case .defaultValue: nil
        case .fill: "write 'fill: code'"
        case .otherwise: "write 'convert: code'"
        }
    }
}

/// Checks whether a literal is a value of a type. Used for defaults, bounds and the literals of
/// conditions.
///
/// ```yaml
/// pages: { type: Int8, default: 300 }           # the bounds of the type
/// price: { type: Decimal, scale: 2, default: 0.125 }   # more digits than the scale
/// status: { type: Status, default: lost }       # not a case of the enum
/// ```
struct LiteralCheck {
    /// A problem with a literal: a message, the source range and a suggestion.
    struct Problem {
        var message: String
        var range: SourceRange
        var help: String?
    }

    /// The declarations in which type names are resolved.
    let scope: SchemaScope
    /// The maximum number of digits after the decimal point of a Decimal, or nil if it is not
    /// limited.
    ///
    /// A literal with more digits is an error, not rounded.
    var scale: Int?
    /// What the literal is for, which decides about the wording of problems.
    var purpose = LiteralPurpose.defaultValue

    /// Returns the first problem of a literal as a value of the type, or nil if the literal is
    /// valid.
    ///
    /// Optionals are ignored, lists and maps are checked element by element.
    func problem(_ literal: Located<Literal>, as type: TypeExpression) -> Problem? {
        switch type {
        case .optional(let wrapped): return problem(literal, as: wrapped)
        case .list(let element):
            guard case .list(let values) = literal.value else {
                return wrong(literal, type, help: "write '[]' or '[a, b]'")
            }
            return values.firstResult { problem($0, as: element) }
        case .map(let value):
            guard case .map(let entries) = literal.value else {
                return wrong(literal, type, help: "write '{}' or '{ a: 1 }'")
            }
            return entries.firstResult { problem($0.value, as: value) }
        case .base, .named:
            if let problem = unwritable(literal.range, type) { return problem }
            guard case .scalar(let text, _) = literal.value else {
                guard case .union = scope.kind(of: type) else { return wrong(literal, type) }
                let code = purpose.code.map { ", or \($0)" } ?? ""
                return wrong(
                    literal, type, help: "write the name of a case without fields\(code)")
            }
            return problem(text, literal.range, as: type)
        }
    }

    /// Checks a scalar literal.
    private func problem(
        _ text: String, _ range: SourceRange, as type: TypeExpression
    ) -> Problem? {
        switch scope.kind(of: type) {
        case .base(let base): return baseProblem(text, range, base)
        case .enumeration(let enumeration):
            return ConditionEnumeration(enumeration).problem(text).map {
                Problem(message: $0.message, range: range, help: $0.help)
            }
        case .union(let union): return unionProblem(text, range, union)
        case .unknown, .value, .scalar, .entity: return nil
        }
    }

    /// Checks a literal of a union: the name of a case without fields.
    private func unionProblem(
        _ text: String, _ range: SourceRange, _ union: UnionDeclaration
    ) -> Problem? {
        let name = union.header.name.value
        guard let item = union.cases.first(where: { $0.name.value == text }) else {
            let names = union.cases.filter(\.fields.isEmpty).map { "'\($0.name.value)'" }
            return Problem(
                message: "the union '\(name)' has no case '\(text)'", range: range,
                help: names.isEmpty ? purpose.code : "write " + names.joined(separator: " or "))
        }
        if item.fields.isEmpty { return nil }
        return Problem(
            message: "the case '\(text)' of the union '\(name)' has fields: only a case without"
                + " fields can be \(purpose.noun)",
            range: range, help: purpose.code ?? "remove it, and set the field in the program")
    }

    /// Returns the problem of a type whose values cannot be written in a schema, whatever the
    /// literal is.
    private func unwritable(_ range: SourceRange, _ type: TypeExpression) -> Problem? {
        let message: String
        var help = "make the field optional, or set it in the program"
        switch scope.conditionKind(of: type) {
        case .value(let name?, _, _):
            message = "\(purpose.noun) of the value '\(name)' is not supported yet by this version"
        case .scalar(let name):
            message = "only the program knows the values of the scalar '\(name)'"
            help = "remove it, and set the field in the program"
        case .record:
            message = "a reference cannot have \(purpose.noun): no schema knows the record"
        case .base, .enumeration, .value, .union, .list, .map, .unknown: return nil
        }
        return Problem(message: message, range: range, help: purpose.code ?? help)
    }

    /// Checks a literal of a base type.
    private func baseProblem(_ text: String, _ range: SourceRange, _ base: BaseType) -> Problem? {
        guard let problem = BaseLiteral.problem(text, as: base.stored, named: base.rawValue) else {
            return base == .decimal ? scaleProblem(text, range) : nil
        }
        let help =
            switch (base, purpose.code) {
            case (.date, let code?), (.uuid, let code?): "\(problem.help ?? ""), or \(code)"
            case (.date, nil): "write 'now', '2024-02-29' or '2024-02-29T12:30:00Z'"
            case (.uuid, nil): "write 'generated', or 8-4-4-4-12 hexadecimal digits"
            case (.data, let code), (.externalData, let code):
                code ?? "remove it, and set the field in the program"
            default: problem.help
            }
        return Problem(message: problem.message, range: range, help: help)
    }

    /// Checks that a Decimal literal has no more digits than the scale.
    private func scaleProblem(_ text: String, _ range: SourceRange) -> Problem? {
        guard let scale, let number = NumberText(text) else { return nil }
        if number.fractionDigits > scale {
            return Problem(
                message: "'\(text)' has more digits behind the point than the scale \(scale)",
                range: range, help: "round it, or raise the scale")
        }
        if number.scaledInteger(scale) == nil {
            return Problem(
                message: "'\(text)' does not fit into 64 bits with the scale \(scale)",
                range: range, help: "lower the scale, or leave it out")
        }
        return nil
    }

    /// The problem of a literal with the wrong type.
    private func wrong(
        _ literal: Located<Literal>, _ type: TypeExpression, help: String? = nil
    ) -> Problem {
        let text =
            switch literal.value {
            case .scalar(let text, _): "'\(text.prefix(40))'"
            case .list: "a list"
            case .map: "a mapping"
            }
        let problem = LiteralProblem(text, isNo: type.description, help)
        return Problem(message: problem.message, range: literal.range, help: problem.help)
    }
}

extension Sequence {
    /// Returns the first result that is not nil. Later elements are not visited, and no element is
    /// visited twice. `lazy.compactMap(_:).first` evaluates the matching element twice, which would
    /// double the cost with each level of nested lists.
    func firstResult<Result>(_ transform: (Element) -> Result?) -> Result? {
        for element in self {
            if let result = transform(element) { return result }
        }
        return nil
    }
}
