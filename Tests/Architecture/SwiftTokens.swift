/// The words and braces of a Swift source, without its comments and string literals.
///
/// An interpolation inside a string is code, so its words are included.
struct SwiftTokens {
    /// A word, or one of the few punctuation marks that the reader of declarations needs.
    struct Token: Equatable {
        enum Kind: Equatable {
            case word
            case openBrace, closeBrace, dot
            /// Any other character outside of comments and strings.
            case other
        }

        var kind: Kind
        /// The word without backticks; empty for everything else.
        var text: String
        /// The line, counted from 1.
        var line: Int
    }

    private(set) var tokens: [Token] = []
    private var line = 1
    private var index = 0
    private let bytes: [UInt8]

    /// Reads a source.
    init(_ source: String) {
        bytes = Array(source.utf8)
        readCode(isInterpolation: false)
    }

    /// Reads code to its end, or to the parenthesis that closes an interpolation.
    private mutating func readCode(isInterpolation: Bool) {
        var parentheses = 0
        while let byte = peek(0) {
            switch byte {
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLineComment()
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipBlockComment()
            case UInt8(ascii: "/") where startsRegex: skipRegex(hashes: 0)
            case UInt8(ascii: "\""): readString(hashes: 0)
            case UInt8(ascii: "#"): readHashes()
            case UInt8(ascii: "`"): index += 1
            case UInt8(ascii: "{"): add(.openBrace)
            case UInt8(ascii: "}"): add(.closeBrace)
            case UInt8(ascii: "."): add(.dot)
            case UInt8(ascii: "("):
                parentheses += 1
                add(.other)
            case UInt8(ascii: ")"):
                if isInterpolation, parentheses == 0 {
                    index += 1
                    return
                }
                parentheses -= 1
                add(.other)
            case _ where Self.isWord(byte): readWord()
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
            case UInt8(ascii: "\n"): skipByte()
            default: add(.other)
            }
        }
    }

    private func peek(_ offset: Int) -> UInt8? {
        index + offset < bytes.count ? bytes[index + offset] : nil
    }

    private mutating func add(_ kind: Token.Kind) {
        tokens.append(Token(kind: kind, text: "", line: line))
        index += 1
    }

    /// Skips a byte inside a comment or a string.
    private mutating func skipByte() {
        if bytes[index] == UInt8(ascii: "\n") { line += 1 }
        index += 1
    }

    private mutating func readWord() {
        let start = index
        while let byte = peek(0), Self.isWord(byte) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        tokens.append(Token(kind: .word, text: text, line: line))
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}

extension SwiftTokens {
    private mutating func skipLineComment() {
        while let byte = peek(0), byte != UInt8(ascii: "\n") { index += 1 }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        while let byte = peek(0) {
            if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                depth += 1
                index += 2
            } else if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                depth -= 1
                index += 2
                if depth == 0 { return }
            } else {
                skipByte()
            }
        }
    }

    /// What `#` begins: a raw string, a regular expression, or a directive.
    private mutating func readHashes() {
        var hashes = 0
        while peek(hashes) == UInt8(ascii: "#") { hashes += 1 }
        switch peek(hashes) {
        case UInt8(ascii: "\""):
            index += hashes
            readString(hashes: hashes)
        case UInt8(ascii: "/"):
            index += hashes
            skipRegex(hashes: hashes)
        default: index += hashes
        }
    }

    /// Reads a string literal; only the code in its interpolations has tokens.
    private mutating func readString(hashes: Int) {
        let isMultiline = peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"")
        let quotes = isMultiline ? 3 : 1
        index += quotes
        while let byte = peek(0) {
            if byte == UInt8(ascii: "\\"), hasHashes(hashes, at: 1) {
                index += 1 + hashes
                if peek(0) == UInt8(ascii: "(") {
                    index += 1
                    readCode(isInterpolation: true)
                } else if peek(0) != nil {
                    skipByte()
                }
            } else if byte == UInt8(ascii: "\""), closes(quotes: quotes, hashes: hashes) {
                index += quotes + hashes
                return
            } else {
                // A string of one line ends with it, whatever is wrong with it.
                if byte == UInt8(ascii: "\n"), !isMultiline { return }
                skipByte()
            }
        }
    }

    private func hasHashes(_ count: Int, at offset: Int) -> Bool {
        (0..<count).allSatisfy { peek(offset + $0) == UInt8(ascii: "#") }
    }

    private func closes(quotes: Int, hashes: Int) -> Bool {
        (0..<quotes).allSatisfy { peek($0) == UInt8(ascii: "\"") }
            && hasHashes(hashes, at: quotes)
    }

    /// Whether a `/` begins a regular expression: it stands where an operand is expected, and another ends it on the line.
    private var startsRegex: Bool {
        guard let next = peek(1), next != UInt8(ascii: " "), next != UInt8(ascii: "\n") else {
            return false
        }
        var place = index - 1
        while place >= 0, bytes[place] == UInt8(ascii: " ") { place -= 1 }
        let before = place >= 0 ? bytes[place] : UInt8(ascii: "\n")
        guard "(,=:[{!&|?;\n".utf8.contains(before) else { return false }
        let rest = bytes[(index + 1)...].prefix { $0 != UInt8(ascii: "\n") }
        return rest.contains(UInt8(ascii: "/"))
    }

    private mutating func skipRegex(hashes: Int) {
        index += 1
        while let byte = peek(0) {
            if byte == UInt8(ascii: "\\"), peek(1) != nil {
                index += 1
                skipByte()
            } else if byte == UInt8(ascii: "/"), hasHashes(hashes, at: 1) {
                index += 1 + hashes
                return
            } else {
                skipByte()
            }
        }
    }
}
