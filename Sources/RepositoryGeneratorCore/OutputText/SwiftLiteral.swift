/// Writes text as Swift string literals. All string literals in the output come from here.
///
/// The compiler matches delimiters by bytes, so this code works on Unicode scalars and bytes. `"#`
/// followed by a combining mark consists of other `Character`s, but is the same delimiter to the
/// compiler.
///
/// ```
/// name            "name"
/// say "hi"        #"say "hi""#
/// a, line feed    "a\n"
/// ```
enum SwiftLiteral {
    /// Returns a string literal: a plain one if possible, or a raw one if the text contains quotes
    /// or backslashes.
    static func string(_ text: String) -> String {
        guard hasOwnDelimiters(text) else { return attributeString(text) }
        if text.unicodeScalars.allSatisfy(isPlain) { return "\"\(text)\"" }
        let isRaw = text.unicodeScalars.allSatisfy { isPlain($0) || $0 == "\"" || $0 == "\\" }
        return isRaw && !endsRawLiteral(text) ? "#\"\(text)\"#" : attributeString(text)
    }

    /// Returns whether the quotes around the text remain separate characters. A combining mark at
    /// the start of the text, or a scalar that joins with the closing quote at its end, would hide
    /// a quote from readers and editors.
    private static func hasOwnDelimiters(_ text: String) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last, first >= 0x80 || last >= 0x80
        else { return true }
        let quoted = "\"\(text)\""
        return quoted.first == "\"" && quoted.last == "\""
    }

    /// Returns whether the text would end or escape something inside a raw literal with one number
    /// sign, or would make it start with three quotes.
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
        return text.utf8.starts(with: "\"\"".utf8) || text.utf8.elementsEqual("\"".utf8)
    }

    /// Returns an array literal of string literals.
    static func strings(_ texts: [String]) -> String {
        "[" + texts.map(string).joined(separator: ", ") + "]"
    }

    /// Returns a string literal without raw delimiters, the only form that attributes accept.
    static func attributeString(_ text: String) -> String {
        guard hasOwnDelimiters(text) else {
            return "\""
                + text.unicodeScalars.map { $0.isASCII ? escaped($0) : escape(of: $0) }
                .joined() + "\""
        }
        return "\"" + inside(text) + "\""
    }

    /// Returns the text as it is written between the quotes of an ordinary literal.
    static func inside(_ text: String) -> String {
        text.unicodeScalars.map(escaped).joined()
    }

    /// Returns the Swift escape of a scalar: `\u{…}`.
    static func escape(of scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }

    /// Returns the elements of an array literal, one per line. As in `swift format`, the last
    /// element has a trailing comma unless it is the only one.
    static func elements(_ expressions: [String]) -> [String] {
        expressions.count < 2 ? expressions : expressions.map { $0 + "," }
    }

    /// Returns whether a scalar can be written unchanged in an ordinary literal.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x22, 0x5C: false
        case 0x20..<0x7F: true
        case ..<0xA0: false
        default: isVisible(scalar)
        }
    }

    /// Returns whether a reader can see the scalar. Invisible scalars and bidirectional formatting
    /// characters are escaped.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse,
            .surrogate:
            false
        case .spaceSeparator: scalar == " "
        default: true
        }
    }

    /// Returns a scalar as written in an ordinary literal.
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
