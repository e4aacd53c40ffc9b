internal import ConditionLanguage
internal import RepositorySchema
internal import StoredSchema

/// Rules for defaults and bounds.
extension Validator {
    /// Checks that a field's default is a value of its type and within its bounds.
    ///
    /// ```yaml
    /// pages: { type: Int, minimum: 1, default: 0 }         # reported: less than the minimum
    /// status: { type: Status, default: on_loan }           # reported: the name is 'onLoan'
    /// title: { type: Int, default: now }                   # reported: 'now' needs a Date
    /// ```
    mutating func checkDefault(of field: FieldDeclaration) {
        guard let value = field.defaultValue, case .literal(let literal) = value.value else {
            return
        }
        if field.version?.value == true {
            add("a version begins with 1 by itself", at: value.range, help: "remove 'default'")
            return
        }
        let type = field.type.value
        if case .scalar(let word, isPlain: true) = literal, let help = wordHelp(word, type) {
            add(
                "'\(word)' is no value of the type \(type.description)", at: value.range, help: help
            )
            return
        }
        checkLiteral(Located(literal, at: value.range), of: field, as: .defaultValue)
    }

    /// Checks that a literal is a value of a field's type and within the field's bounds.
    mutating func checkLiteral(
        _ literal: Located<Literal>, of field: FieldDeclaration, as purpose: LiteralPurpose
    ) {
        if let problem = literalCheck(field, purpose).problem(literal, as: field.type.value) {
            add(problem.message, at: problem.range, help: problem.help)
            return
        }
        checkWithinBounds(literal.value, literal.range, field, purpose.value)
    }

    /// Suggests a fix for `now` or `generated` as the default of the wrong type.
    private func wordHelp(_ word: String, _ type: TypeExpression) -> String? {
        if case .base(.string) = type.unwrapped { return nil }
        if case .enumeration = scope.kind(of: type) { return nil }
        switch word {
        case "now":
            if case .base(.localDate) = type.unwrapped {
                return "set it in the program: which day it is depends on the time zone"
            }
            return "'now' is the default of a Date"
        case "generated": return "'generated' is the default of a UUID"
        case "assigned": return "'assigned' is the default of the id of an entity, in its key 'id'"
        default: return nil
        }
    }

    /// Checks a literal against the minimum, the maximum and the length limits of its field.
    private mutating func checkWithinBounds(
        _ literal: Literal, _ range: SourceRange, _ field: FieldDeclaration, _ noun: String
    ) {
        let type = field.type.value.unwrapped
        if let minimum = field.minimum, Self.order(literal, minimum.value, type) == .less {
            add(
                "\(noun) is less than the minimum", at: range, help: "raise it",
                notes: [Diagnostic.Note("the minimum stands here", at: minimum.range)])
        }
        if let maximum = field.maximum, Self.order(literal, maximum.value, type) == .greater {
            add(
                "\(noun) is greater than the maximum", at: range, help: "lower it",
                notes: [Diagnostic.Note("the maximum stands here", at: maximum.range)])
        }
        guard let length = Self.length(literal, type) else { return }
        if let least = field.minLength, length < least.value {
            add(
                "\(noun) is shorter than the least length", at: range, help: "lengthen it",
                notes: [Diagnostic.Note("the least length stands here", at: least.range)])
        }
        if let most = field.maxLength, length > most.value {
            add(
                "\(noun) is longer than the greatest length", at: range, help: "shorten it",
                notes: [Diagnostic.Note("the greatest length stands here", at: most.range)])
        }
    }

    /// Checks `minimum` and `maximum`: the type must be ordered, the bounds must be values of it,
    /// and the minimum must not exceed the maximum.
    ///
    /// ```yaml
    /// pages: { type: Int, minimum: 10, maximum: 1 }      # reported
    /// title: { type: String, minimum: 1 }                # reported: suggests 'minLength'
    /// ```
    mutating func checkBounds(of field: FieldDeclaration) {
        let type = field.type.value.unwrapped
        var areValues = true
        for (key, bound) in [("minimum", field.minimum), ("maximum", field.maximum)] {
            guard let bound else { continue }
            guard Self.isOrdered(type) else {
                let help: String? =
                    switch type {
                    case .base(.string), .list, .base(.data):
                        "did you mean '\(key.prefix(3))Length'?"
                    default: "it is for numbers and dates"
                    }
                add(
                    "'\(key)' cannot be used with \(field.type.value.description)", at: bound.range,
                    help: help)
                areValues = false
                continue
            }
            if let problem = literalCheck(field).problem(bound, as: type) {
                add(problem.message, at: problem.range, help: problem.help)
                areValues = false
            }
        }
        guard areValues, let minimum = field.minimum, let maximum = field.maximum,
            Self.order(minimum.value, maximum.value, type) == .greater
        else { return }
        add(
            "the minimum is greater than the maximum", at: minimum.range, help: "swap them",
            notes: [Diagnostic.Note("the maximum stands here", at: maximum.range)])
    }

    /// The rules for literals of a field, including its scale.
    private func literalCheck(
        _ field: FieldDeclaration, _ purpose: LiteralPurpose = .defaultValue
    ) -> LiteralCheck {
        LiteralCheck(scope: scope, scale: field.scale?.value, purpose: purpose)
    }

    /// Returns whether a type supports `minimum` and `maximum`.
    private static func isOrdered(_ type: TypeExpression) -> Bool {
        guard case .base(let base) = type else { return false }
        return base.isBounded
    }

    private enum Order {
        case less, same, greater
    }

    /// Compares two literals of an ordered type. Returns nil if one is not a value of the type.
    private static func order(_ left: Literal, _ right: Literal, _ type: TypeExpression) -> Order? {
        guard case .scalar(let left, _) = left, case .scalar(let right, _) = right,
            case .base(let base) = type
        else { return nil }
        switch base {
        case .date, .localDate:
            return order(DateLiteral.microseconds(left), DateLiteral.microseconds(right))
        case .decimal:
            guard let left = decimal(left), let right = decimal(right) else { return nil }
            return left == right ? .same : DecimalNotation.precedes(left, right) ? .less : .greater
        case .float, .double:
            return order(Double(left), Double(right))
        default:
            return order(Int64(left), Int64(right))
        }
    }

    /// The canonical text of a number without an exponent, with any number of digits.
    private static func decimal(_ text: String) -> String? {
        guard NumberText(text)?.hasExponent == false else { return nil }
        return DecimalNotation.canonical(text, isStored: false)
    }

    /// Compares two values. Returns nil if one is missing.
    private static func order<Value: Comparable>(_ left: Value?, _ right: Value?) -> Order? {
        guard let left, let right else { return nil }
        return left < right ? .less : right < left ? .greater : .same
    }

    /// The length of a literal in Unicode scalars or elements. Nil for types without a length.
    private static func length(_ literal: Literal, _ type: TypeExpression) -> Int? {
        switch (literal, type) {
        case (.scalar(let text, _), .base(.string)): text.unicodeScalars.count
        case (.list(let values), .list): values.count
        default: nil
        }
    }
}
