/// A token of a SQL statement.
enum SQLToken: Equatable {
    /// A keyword or a name without quotes.
    case word(String)
    /// A name in quotes.
    case name(String)
    case string(String)
    case number(String)
    /// A blob literal, as it is written.
    case blob(String)
    case symbol(String)

    /// Whether the token is a keyword, in any case.
    func isWord(_ word: String) -> Bool {
        guard case .word(let text) = self else { return false }
        return text.uppercased() == word
    }

    /// The identifier that the token can be; `nil` if it cannot be one.
    var identifier: String? {
        switch self {
        case .word(let text), .name(let text): text
        default: nil
        }
    }

    /// Splits a statement into tokens. Comments and white space are left out, and what is no token
    /// of SQL becomes a symbol of one character.
    static func tokens(of text: String) -> [SQLToken] {
        var scanner = Scanner(scalars: Array(text.unicodeScalars))
        var tokens: [SQLToken] = []
        while let token = scanner.next() { tokens.append(token) }
        return tokens
    }

    /// The text of tokens, normalised: with one space between them.
    static func text(_ tokens: [SQLToken]) -> String {
        var result = ""
        var last = SQLToken.symbol("(")
        for token in tokens {
            let touches =
                result.isEmpty || last == .symbol("(") || token == .symbol(")")
                || token == .symbol(",") || last == .symbol(".") || token == .symbol(".")
                || token == .symbol("(") && last.isFunctionName
            result += (touches ? "" : " ") + token.text
            last = token
        }
        return result
    }

    /// Whether a bracket directly behind the token belongs to it.
    private var isFunctionName: Bool {
        guard case .word(let text) = self else { return false }
        return !["IN", "AND", "OR", "NOT", "THEN", "ELSE", "WHEN"].contains(text.uppercased())
    }

    private var text: String {
        switch self {
        case .word(let text), .number(let text), .blob(let text), .symbol(let text): text
        case .name(let text): "\"\(text)\""
        case .string(let text): "'\(text)'"
        }
    }

    /// A cursor over a statement.
    private struct Scanner {
        let scalars: [Unicode.Scalar]
        var place = 0

        var current: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }
        var following: Unicode.Scalar? {
            place + 1 < scalars.count ? scalars[place + 1] : nil
        }

        mutating func next() -> SQLToken? {
            skipBlanks()
            guard let first = current else { return nil }
            switch first {
            case "'": return .string(quoted(until: "'"))
            case "\"": return .name(quoted(until: "\""))
            case "`": return .name(quoted(until: "`"))
            case "[": return .name(bracketed())
            case "x" where following == "'", "X" where following == "'":
                place += 1
                return .blob("x'\(quoted(until: "'"))'")
            case "0"..."9": return .number(run(Self.isNumberPart))
            case "." where following.map { ("0"..."9").contains($0) } ?? false:
                return .number(run(Self.isNumberPart))
            default: break
            }
            if Self.isWordPart(first) { return .word(run(Self.isWordPart)) }
            place += 1
            let pair = current.map { String(first) + String($0) } ?? ""
            if ["<=", ">=", "<>", "!=", "==", "||", "<<", ">>", "->"].contains(pair) {
                place += 1
                return .symbol(pair)
            }
            return .symbol(String(first))
        }

        private mutating func skipBlanks() {
            while let first = current {
                if first == "-", following == "-" {
                    while let next = current, next != "\n" { place += next == "\n" ? 0 : 1 }
                } else if first == "/", following == "*" {
                    place += 2
                    while place < scalars.count, !(current == "*" && following == "/") {
                        place += 1
                    }
                    place += 2
                } else if [" ", "\t", "\n", "\r", "\u{C}"].contains(first) {
                    place += 1
                } else {
                    return
                }
            }
        }

        /// Reads what is between two quotes; a doubled quote is one.
        private mutating func quoted(until quote: Unicode.Scalar) -> String {
            var result = String.UnicodeScalarView()
            place += 1
            while let next = current {
                place += 1
                if next == quote {
                    guard current == quote else { break }
                    place += 1
                }
                result.append(next)
            }
            return String(result)
        }

        private mutating func bracketed() -> String {
            var result = String.UnicodeScalarView()
            place += 1
            while let next = current {
                place += 1
                if next == "]" { break }
                result.append(next)
            }
            return String(result)
        }

        private mutating func run(_ isPart: (Unicode.Scalar) -> Bool) -> String {
            var result = String.UnicodeScalarView()
            while let next = current {
                let isSign =
                    (next == "+" || next == "-")
                    && result.last.map { $0 == "e" || $0 == "E" } ?? false
                    && result.first.map { ("0"..."9").contains($0) || $0 == "." } ?? false
                guard isPart(next) || isSign else { break }
                result.append(next)
                place += 1
            }
            return String(result)
        }

        private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
            default: scalar.value >= 0x80
            }
        }

        private static func isNumberPart(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar {
            case "0"..."9", ".", "a"..."f", "A"..."F", "x", "X": true
            default: false
            }
        }
    }
}
