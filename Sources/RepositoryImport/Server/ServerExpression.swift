/// An expression as PostgreSQL's catalog writes it, in the words that SQLite's expressions have too:
/// without casts, with `IN` instead of `= ANY (ARRAY[…])`, and without needless brackets.
struct ServerExpression {
    /// The tokens.
    let tokens: [SQLToken]

    /// Reads an expression.
    init(_ text: String) {
        var scanner = Scanner(rest: Array(text.unicodeScalars)[...])
        let plain = scanner.plain()
        tokens = Self.withoutBrackets(Self.withLists(SQLToken.tokens(of: plain)))
    }

    /// The SQL of a default; the usual word for the current time.
    var defaultText: String {
        let text = SQLToken.text(tokens)
        let compact = text.lowercased().filter { $0 != " " }
        let isNow = [
            "now()", "current_timestamp", "transaction_timestamp()", "statement_timestamp()",
            "clock_timestamp()", "timezone('utc',now())", "(now()attimezone'utc')",
            "timezone('utc',current_timestamp)", "(current_timestampattimezone'utc')",
            "localtimestamp",
        ].contains(compact)
        return isNow ? "CURRENT_TIMESTAMP" : text
    }

    /// Writes `IN` for `= ANY`.
    private static func withLists(_ tokens: [SQLToken]) -> [SQLToken] {
        var result: [SQLToken] = []
        for token in tokens {
            if token.isWord("ANY"), result.last == .symbol("=") {
                result[result.count - 1] = .word("IN")
            } else {
                result.append(token)
            }
        }
        return result
    }

    /// Removes the brackets around single values, and of two pairs around the same the outer one.
    private static func withoutBrackets(_ tokens: [SQLToken]) -> [SQLToken] {
        var tokens = tokens
        var place = 0
        while place + 2 < tokens.count {
            guard tokens[place] == .symbol("("), let end = end(of: place, in: tokens) else {
                place += 1
                continue
            }
            let isCall = place > 0 && isFunction(tokens[place - 1])
            let isDoubled =
                tokens[place + 1] == .symbol("(")
                && self.end(of: place + 1, in: tokens) == end - 1
            let isSingle = end == place + 2 && !isCall && !isList(tokens, place)
            guard isSingle || isDoubled else {
                place += 1
                continue
            }
            tokens.remove(at: end)
            tokens.remove(at: place)
            place = max(0, place - 1)
        }
        return tokens
    }

    /// Returns whether the bracket at a place contains the list of `IN`.
    private static func isList(_ tokens: [SQLToken], _ place: Int) -> Bool {
        place > 0 && tokens[place - 1].isWord("IN")
    }

    private static func isFunction(_ token: SQLToken) -> Bool {
        guard case .word = token else { return false }
        return !["AND", "OR", "NOT", "IN", "IS", "BETWEEN"].contains { token.isWord($0) }
    }

    /// Returns the place of the bracket that closes the one at a place.
    private static func end(of place: Int, in tokens: [SQLToken]) -> Int? {
        var depth = 0
        for index in place..<tokens.count {
            if tokens[index] == .symbol("(") { depth += 1 }
            if tokens[index] == .symbol(")") {
                depth -= 1
                if depth == 0 { return index }
            }
        }
        return nil
    }

    /// Removes casts and arrays from the text.
    private struct Scanner {
        var rest: ArraySlice<Unicode.Scalar>
        private var result = String.UnicodeScalarView()

        init(rest: ArraySlice<Unicode.Scalar>) { self.rest = rest }

        mutating func plain() -> String {
            while let first = rest.first {
                switch first {
                case "'": literal()
                case "\"": result.append(contentsOf: quoted("\""))
                case ":" where rest.dropFirst().first == ":":
                    rest = rest.dropFirst(2)
                    _ = type()
                case "[": take(as: "(")
                case "]": take(as: ")")
                default: word()
                }
            }
            return String(result)
        }

        private mutating func take(as scalar: Unicode.Scalar) {
            rest = rest.dropFirst()
            result.append(scalar)
        }

        /// Reads what is between two quotes, with them.
        private mutating func quoted(_ quote: Unicode.Scalar) -> String.UnicodeScalarView {
            var text = String.UnicodeScalarView()
            repeat {
                text.append(quote)
                rest = rest.dropFirst()
                while let next = rest.first, next != quote {
                    text.append(next)
                    rest = rest.dropFirst()
                }
                text.append(quote)
                rest = rest.dropFirst()
            } while rest.first == quote
            return text
        }

        /// Reads a string; one that is cast to a number is a number: `'-1'::integer`.
        private mutating func literal() {
            let text = quoted("'")
            guard rest.starts(with: "::".unicodeScalars) else {
                return result.append(contentsOf: text)
            }
            rest = rest.dropFirst(2)
            let numbers = ["integer", "bigint", "smallint", "numeric", "double", "real"]
            guard numbers.contains(type()) else { return result.append(contentsOf: text) }
            result.append(contentsOf: text.dropFirst().dropLast())
        }

        /// Reads a word, or one scalar of something else. `ARRAY` is dropped before its list.
        private mutating func word() {
            var word = String.UnicodeScalarView()
            while let next = rest.first, Self.isWordPart(next) {
                word.append(next)
                rest = rest.dropFirst()
            }
            guard !word.isEmpty else {
                if let other = rest.popFirst() { result.append(other) }
                return
            }
            let text = String(word)
            if text == "ARRAY", rest.first == "[" { return }
            let isLength = ["char_length", "character_length", "octet_length"].contains(text)
            result.append(contentsOf: (isLength ? "length" : text).unicodeScalars)
        }

        /// Skips the name of a type and returns its first word.
        private mutating func type() -> String {
            var first = ""
            while let next = rest.first {
                if next == "\"" {
                    _ = quoted("\"")
                } else if Self.isWordPart(next) || next == "." {
                    if first.isEmpty { first = String(String.UnicodeScalarView(prefix())) }
                    rest = rest.drop { Self.isWordPart($0) || $0 == "." }
                } else if next == "[", rest.dropFirst().first == "]" {
                    rest = rest.dropFirst(2)
                } else if next == "(", let end = rest.firstIndex(of: ")") {
                    rest = rest[rest.index(after: end)...]
                } else if next == " ", continues() {
                    rest = rest.dropFirst()
                } else {
                    break
                }
            }
            return first
        }

        private func prefix() -> ArraySlice<Unicode.Scalar> { rest.prefix(while: Self.isWordPart) }

        /// Returns whether the name of a type goes on after a space: `character varying`.
        private func continues() -> Bool {
            let word = String(
                String.UnicodeScalarView(rest.dropFirst().prefix(while: Self.isWordPart)))
            return ["varying", "precision", "with", "without", "time", "zone"].contains(word)
        }

        private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_": true
            default: scalar.value >= 0x80
            }
        }
    }
}
