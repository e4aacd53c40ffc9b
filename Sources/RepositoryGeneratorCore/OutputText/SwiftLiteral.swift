/// Text as it stands in Swift source.
enum SwiftLiteral {
    /// A string literal of a text: plain where that reads well, raw where the text has quotes or backslashes.
    static func string(_ text: String) -> String {
        if text.unicodeScalars.allSatisfy(isPlain) { return "\"\(text)\"" }
        let isRaw = text.unicodeScalars.allSatisfy { isPlain($0) || $0 == "\"" || $0 == "\\" }
        if isRaw, !text.contains("\"#"), !text.contains("\\#") { return "#\"\(text)\"#" }
        return attributeString(text)
    }

    /// A list of string literals.
    static func strings(_ texts: [String]) -> String {
        "[" + texts.map(string).joined(separator: ", ") + "]"
    }

    /// A string literal in the one form that attributes take.
    static func attributeString(_ text: String) -> String {
        "\"" + text.unicodeScalars.map(escaped).joined() + "\""
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
            isPlain(scalar)
                ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
    }
}
