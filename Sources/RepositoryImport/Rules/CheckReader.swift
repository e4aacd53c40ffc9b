/// Reads simple CHECK conditions: comparisons of a column with constants, joined by AND.
enum CheckReader {
    /// A rule about one column.
    struct Rule: Equatable {
        /// What is compared.
        enum Subject: Equatable {
            case value, length
        }

        let column: String
        let subject: Subject
        let comparison: Comparison
    }

    /// A comparison with constants.
    enum Comparison: Equatable {
        case atLeast(SQLToken, isNegative: Bool)
        case atMost(SQLToken, isNegative: Bool)
        case above(SQLToken, isNegative: Bool)
        case below(SQLToken, isNegative: Bool)
        case oneOf([SQLToken])
        case notNull
    }

    /// Returns the rules of a condition; `nil` if a part of it is not understood.
    static func rules(of tokens: [SQLToken]) -> [Rule]? {
        var parser = Parser(tokens: tokens)
        guard let rules = parser.conjunction(), parser.isAtEnd else { return nil }
        return rules
    }

    private struct Parser {
        let tokens: [SQLToken]
        var place = 0

        var isAtEnd: Bool { place == tokens.count }
        private var current: SQLToken? { place < tokens.count ? tokens[place] : nil }

        private mutating func skip(word: String) -> Bool {
            guard current?.isWord(word) == true else { return false }
            place += 1
            return true
        }

        private mutating func skip(_ symbol: String) -> Bool {
            guard current == .symbol(symbol) else { return false }
            place += 1
            return true
        }

        /// Reads terms with AND between them.
        mutating func conjunction() -> [Rule]? {
            guard var rules = term() else { return nil }
            while skip(word: "AND") {
                guard let more = term() else { return nil }
                rules += more
            }
            return rules
        }

        private mutating func term() -> [Rule]? {
            if skip("(") {
                guard let rules = conjunction(), skip(")") else { return nil }
                return rules
            }
            if let rules = nullOr() { return rules }
            return comparison()
        }

        /// Reads `x IS NULL OR …`, which says no more than the rest: a CHECK holds for null.
        private mutating func nullOr() -> [Rule]? {
            let start = place
            guard let name = current?.identifier else { return nil }
            place += 1
            if skip(word: "IS"), skip(word: "NULL"), skip(word: "OR"), let rules = term(),
                rules.allSatisfy({ SQLText.isSameName($0.column, name) }),
                current == nil || current == .symbol(")")
            {
                return rules
            }
            place = start
            return nil
        }

        private mutating func comparison() -> [Rule]? {
            if let (value, isNegative) = constant() {
                // The constant stands on the left.
                guard let symbol = comparator(), let (column, subject) = operand() else {
                    return nil
                }
                let mirrored = ["=": "=", "==": "=", "<": ">", ">": "<", "<=": ">=", ">=": "<="]
                return mirrored[symbol].flatMap { rule(column, subject, $0, value, isNegative) }
            }
            guard let (column, subject) = operand() else { return nil }
            if skip(word: "BETWEEN") {
                guard let low = constant(), skip(word: "AND"), let high = constant() else {
                    return nil
                }
                return [
                    Rule(
                        column: column, subject: subject,
                        comparison: .atLeast(low.0, isNegative: low.1)),
                    Rule(
                        column: column, subject: subject,
                        comparison: .atMost(high.0, isNegative: high.1)),
                ]
            }
            if skip(word: "IN") { return choices(column, subject) }
            if skip(word: "IS") {
                guard skip(word: "NOT"), skip(word: "NULL"), subject == .value else { return nil }
                return [Rule(column: column, subject: .value, comparison: .notNull)]
            }
            guard let symbol = comparator(), let (value, isNegative) = constant() else {
                return nil
            }
            return rule(column, subject, symbol, value, isNegative)
        }

        private mutating func choices(_ column: String, _ subject: Rule.Subject) -> [Rule]? {
            guard subject == .value, skip("(") else { return nil }
            var values: [SQLToken] = []
            repeat {
                guard let (value, isNegative) = constant(), !isNegative else { return nil }
                values.append(value)
            } while skip(",")
            guard skip(")") else { return nil }
            return [Rule(column: column, subject: .value, comparison: .oneOf(values))]
        }

        private func rule(
            _ column: String, _ subject: Rule.Subject, _ symbol: String, _ value: SQLToken,
            _ isNegative: Bool
        ) -> [Rule]? {
            let comparison: Comparison
            switch symbol {
            case "=", "==":
                return [
                    Rule(
                        column: column, subject: subject,
                        comparison: .atLeast(value, isNegative: isNegative)),
                    Rule(
                        column: column, subject: subject,
                        comparison: .atMost(value, isNegative: isNegative)),
                ]
            case "<": comparison = .below(value, isNegative: isNegative)
            case "<=": comparison = .atMost(value, isNegative: isNegative)
            case ">": comparison = .above(value, isNegative: isNegative)
            case ">=": comparison = .atLeast(value, isNegative: isNegative)
            default: return nil
            }
            return [Rule(column: column, subject: subject, comparison: comparison)]
        }

        /// Reads a column, or its length.
        private mutating func operand() -> (String, Rule.Subject)? {
            if current?.isWord("LENGTH") == true, place + 1 < tokens.count,
                tokens[place + 1] == .symbol("(")
            {
                place += 2
                guard let name = current?.identifier else { return nil }
                place += 1
                return skip(")") ? (name, .length) : nil
            }
            guard let name = current?.identifier else { return nil }
            place += 1
            return (name, .value)
        }

        private mutating func comparator() -> String? {
            guard case .symbol(let symbol)? = current,
                ["<", "<=", ">", ">=", "=", "=="].contains(symbol)
            else { return nil }
            place += 1
            return symbol
        }

        /// Reads a number or a string, with its sign.
        private mutating func constant() -> (SQLToken, Bool)? {
            var isNegative = false
            let start = place
            if skip("-") { isNegative = true } else { _ = skip("+") }
            switch current {
            case .number?, .string?:
                defer { place += 1 }
                return current.map { ($0, isNegative) }
            default:
                place = start
                return nil
            }
        }
    }
}
