internal import RepositorySchema

/// The keys of fields that say what a CHECK constraint says.
extension CheckReader.Rule {
    /// Returns the key of a field and its value in YAML. The key is empty if the value is the
    /// condition of a check.
    ///
    /// - Returns: `nil` if no key says it.
    func option(for field: FieldDraft) -> (key: String, value: String)? {
        guard case .plain(let type) = field.type else { return nil }
        switch subject {
        case .length: return lengthOption(type)
        case .value: return valueOption(type, field)
        }
    }

    /// Returns whether the type of a field says the same already, or a remark about an enum.
    func needsNothing(for field: FieldDraft) -> Bool {
        if comparison == .notNull { return !field.isOptional }
        guard case .plain(let type) = field.type else { return false }
        if let choices {
            return type == .string || type == .bool && Set(choices).isSubset(of: ["0", "1"])
        }
        return false
    }

    /// The constants of a list; `nil` for other comparisons.
    var choices: [String]? {
        guard case .oneOf(let values) = comparison else { return nil }
        return values.compactMap { value in
            switch value {
            case .string(let text), .number(let text): text
            default: nil
            }
        }
    }

    private func lengthOption(_ type: GuessedType) -> (key: String, value: String)? {
        guard type == .string || type == .data else { return nil }
        switch comparison {
        case .atLeast(let value, false): return integer(value).map { ("minLength", "\($0)") }
        case .above(let value, false): return integer(value).map { ("minLength", "\($0 + 1)") }
        case .atMost(let value, false): return integer(value).map { ("maxLength", "\($0)") }
        case .below(let value, false):
            return integer(value).flatMap { $0 > 0 ? ("maxLength", "\($0 - 1)") : nil }
        default: return nil
        }
    }

    private func valueOption(
        _ type: GuessedType, _ field: FieldDraft
    ) -> (key: String, value: String)? {
        let isExact: Bool
        switch type {
        case .int: isExact = true
        case .double, .decimal: isExact = false
        default: return nil
        }
        func condition(_ symbol: String, _ number: String) -> (key: String, value: String) {
            let comparison = "\(field.name) \(symbol) \(number)"
            return (
                "", field.isOptional ? "\(field.name) isNull || \(comparison)" : comparison
            )
        }
        switch comparison {
        case .atLeast(let value, let isNegative):
            return number(value, isNegative, isExact).map { ("minimum", $0) }
        case .atMost(let value, let isNegative):
            return number(value, isNegative, isExact).map { ("maximum", $0) }
        case .above(let value, let isNegative):
            guard let number = number(value, isNegative, isExact) else { return nil }
            guard isExact else { return condition(">", number) }
            return Int(number).flatMap { $0 < .max ? ("minimum", "\($0 + 1)") : nil }
        case .below(let value, let isNegative):
            guard let number = number(value, isNegative, isExact) else { return nil }
            guard isExact else { return condition("<", number) }
            return Int(number).flatMap { $0 > .min ? ("maximum", "\($0 - 1)") : nil }
        case .oneOf, .notNull: return nil
        }
    }

    private func integer(_ token: SQLToken) -> Int? {
        guard case .number(let text) = token else { return nil }
        return Int(text).flatMap { $0 < 1_000_000_000 ? $0 : nil }
    }

    /// Returns a number in the notation of schemas: an integer, or one with a point.
    private func number(_ token: SQLToken, _ isNegative: Bool, _ isExact: Bool) -> String? {
        guard case .number(let text) = token,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E })
        else { return nil }
        let signed = isNegative ? "-" + text : text
        if isExact { return Int(signed).map { "\($0)" } }
        guard let first = text.first, first != ".", text.last != "." else { return nil }
        return signed
    }
}
