/// Text as a string literal of Swift source: the only writer of such literals.
///
/// The compiler ends a literal at bytes, so that everything here looks at Unicode scalars or bytes:
/// `"#` and a combining mark behind it are two other `Character`s, and the same delimiter.
enum SwiftLiteral {
    /// A string literal of a text: plain where that reads well, raw where the text has quotes or backslashes.
    static func string(_ text: String) -> String {
        guard hasOwnDelimiters(text) else { return attributeString(text) }
        if text.unicodeScalars.allSatisfy(isPlain) { return "\"\(text)\"" }
        let isRaw = text.unicodeScalars.allSatisfy { isPlain($0) || $0 == "\"" || $0 == "\\" }
        return isRaw && !endsRawLiteral(text) ? "#\"\(text)\"#" : attributeString(text)
    }

    /// Whether the quotes around a text stay characters of their own: a combining mark after the
    /// first one, or a letter that joins with what follows before the last one, would hide them
    /// from readers and editors.
    private static func hasOwnDelimiters(_ text: String) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last, first >= 0x80 || last >= 0x80
        else { return true }
        let quoted = "\"\(text)\""
        return quoted.first == "\"" && quoted.last == "\""
    }

    /// Whether a raw literal with one number sign would end, or escape something, inside a text; or
    /// begin with three quotes.
    private static func endsRawLiteral(_ text: String) -> Bool {
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "#"),
                previous == UInt8(ascii: "\"") || previous == UInt8(ascii: "\\")
            {
                return true
            }
            previous = byte
        }
        return text.utf8.starts(with: "\"\"".utf8)
    }

    /// A list of string literals.
    static func strings(_ texts: [String]) -> String {
        "[" + texts.map(string).joined(separator: ", ") + "]"
    }

    /// A string literal in the one form that attributes take.
    static func attributeString(_ text: String) -> String {
        guard hasOwnDelimiters(text) else {
            return "\""
                + text.unicodeScalars.map { $0.isASCII ? escaped($0) : escape(of: $0) }
                .joined() + "\""
        }
        return "\"" + inside(text) + "\""
    }

    /// A text as it stands between the quotes of an ordinary literal.
    static func inside(_ text: String) -> String {
        text.unicodeScalars.map(escaped).joined()
    }

    /// A scalar by its number.
    static func escape(of scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }

    /// The elements of a list on a line each: with a comma after the last, unless it is the only one, as `swift format`
    /// has it.
    static func elements(_ expressions: [String]) -> [String] {
        expressions.count < 2 ? expressions : expressions.map { $0 + "," }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x22, 0x5C: false
        case 0x20..<0x7F: true
        case ..<0xA0: false
        default: isVisible(scalar)
        }
    }

    /// Characters that a reader cannot see, or that turn the direction of what follows, are written as escapes.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse,
            .surrogate:
            false
        case .spaceSeparator: scalar == " "
        default: true
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\0": "\\0"
        default:
            isPlain(scalar) ? String(scalar) : escape(of: scalar)
        }
    }
}
