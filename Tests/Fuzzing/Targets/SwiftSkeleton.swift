/// The tokens of generated Swift without what stands in its literals and comments.
///
/// The lexer is stricter than that of Swift: it knows the few forms that the generator writes, and
/// takes anything else for a flaw. It reads Unicode scalars, as the compiler does.
public struct SwiftSkeleton: Equatable, Sendable {
    /// The tokens in order, a string literal as `"`. Commas before a closing bracket are left out:
    /// lists that are broken into lines have one more.
    public private(set) var tokens: [String] = []

    /// Why a text is not what the generator writes.
    public struct Flaw: Error, CustomStringConvertible {
        /// The reason in words, with the line.
        public let description: String
    }

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var line = 1

    /// Reads a whole file.
    ///
    /// - Throws: ``Flaw``
    public init(_ text: String) throws {
        scalars = Array(text.unicodeScalars)
        var brackets: [String] = []
        while let scalar = peek() {
            guard let token = try token(from: scalar) else { continue }
            if let closed = Self.pairs[token] {
                if tokens.last == "," { tokens.removeLast() }
                guard brackets.popLast() == closed else { throw flaw("'\(token)' closes nothing") }
            }
            if Self.pairs.values.contains(token) { brackets.append(token) }
            tokens.append(token)
        }
        guard brackets.isEmpty else { throw flaw("'\(brackets.joined())' is not closed") }
    }

    /// Two skeletons are equal where their tokens are.
    public static func == (left: SwiftSkeleton, right: SwiftSkeleton) -> Bool {
        left.tokens == right.tokens
    }

    private static let pairs = [")": "(", "]": "[", "}": "{"]

    /// The names that are declared at the top of the file, in types and extensions apart.
    public var topLevelNames: [String] {
        var names: [String] = []
        var depth = 0
        for (index, token) in tokens.enumerated() {
            if Self.pairs.values.contains(token) { depth += 1 }
            if Self.pairs[token] != nil { depth -= 1 }
            let isMember = index > 0 && tokens[index - 1] == "."
            if depth == 0, !isMember, Self.declaring.contains(token), index + 1 < tokens.count {
                names.append(tokens[index + 1])
            }
        }
        return names
    }

    private static let declaring: Set<String> = [
        "actor", "class", "enum", "extension", "func", "let", "macro", "operator",
        "precedencegroup", "protocol", "struct", "typealias", "var",
    ]

    private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        index + offset < scalars.count ? scalars[index + offset] : nil
    }

    private func flaw(_ words: String) -> Flaw { Flaw(description: "line \(line): \(words)") }

    /// The next token; nil for space and comments.
    private mutating func token(from scalar: Unicode.Scalar) throws -> String? {
        switch scalar {
        case "\n":
            line += 1
            index += 1
            return nil
        case " ":
            index += 1
            return nil
        case "/": return try skipComment()
        case "\"": return try string(delimiter: 0)
        case "#": return try string(delimiter: numberSigns())
        case "`": return try quotedName()
        case "_": return word()
        case _ where scalar.isASCII:
            if scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) { return word() }
            guard "()[]{}<>,.:;=+-*/&|!?@$\\~%^".unicodeScalars.contains(scalar) else {
                throw flaw("U+\(String(scalar.value, radix: 16)) is no token")
            }
            index += 1
            return String(scalar)
        default:
            guard scalar.properties.isXIDStart else {
                throw flaw("U+\(String(scalar.value, radix: 16)) begins no name")
            }
            return word()
        }
    }

    private mutating func word() -> String {
        var word = String.UnicodeScalarView()
        while let scalar = peek(), scalar == "_" || scalar.properties.isXIDContinue {
            word.append(scalar)
            index += 1
        }
        return String(word)
    }

    private mutating func quotedName() throws -> String {
        index += 1
        let name = word()
        guard !name.isEmpty, peek() == "`" else { throw flaw("a name in backticks is not closed") }
        index += 1
        return name
    }

    private mutating func skipComment() throws -> String? {
        guard peek(1) == "/" else {
            guard peek(1) != "*" else { throw flaw("the generator writes no '/*'") }
            index += 1
            return "/"
        }
        while let scalar = peek(), scalar != "\n" {
            switch scalar.properties.generalCategory {
            case .control where scalar != "\t", .lineSeparator, .paragraphSeparator:
                throw flaw("U+\(String(scalar.value, radix: 16)) is in a comment")
            default: index += 1
            }
        }
        return nil
    }

    private func numberSigns() -> Int {
        var count = 0
        while peek(count) == "#" { count += 1 }
        return count
    }

    private mutating func string(delimiter: Int) throws -> String {
        index += delimiter
        guard peek() == "\"" else { throw flaw("'#' begins no string") }
        guard peek(1) != "\"" || peek(2) != "\"" else {
            throw flaw("the generator writes no '\"\"\"'")
        }
        index += 1
        while let scalar = peek() {
            switch scalar {
            case "\"" where isFollowed(by: delimiter):
                index += 1 + delimiter
                return "\""
            case "\\" where isFollowed(by: delimiter):
                guard delimiter == 0 else { throw flaw("an escape is in a raw string") }
                try skipEscape()
            default:
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator:
                    throw flaw("U+\(String(scalar.value, radix: 16)) is in a string")
                default: index += 1
                }
            }
        }
        throw flaw("a string is not closed")
    }

    private func isFollowed(by count: Int) -> Bool {
        (0..<count).allSatisfy { peek(1 + $0) == "#" }
    }

    private mutating func skipEscape() throws {
        index += 1
        switch peek() {
        case "0", "\\", "t", "n", "r", "\"": index += 1
        case "u":
            index += 1
            guard peek() == "{" else { throw flaw("an escape has no number") }
            repeat { index += 1 } while peek().map { $0.properties.isASCIIHexDigit } ?? false
            guard peek() == "}" else { throw flaw("the number of an escape is not closed") }
            index += 1
        default: throw flaw("the generator writes no such escape")
        }
    }
}
