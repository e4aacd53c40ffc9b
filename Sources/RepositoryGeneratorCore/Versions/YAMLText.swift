/// Writes YAML scalars and flow collections in one canonical way.
///
/// A text that YAML could read as anything else is written in double quotes. Characters that cannot
/// be printed are escaped, so that a scalar never spans lines.
///
/// ```
/// onLoan        onLoan
/// null          "null"
/// a: b          "a: b"
/// ```
package enum YAMLText {
    /// Returns a name: without quotes if it is an ASCII identifier that YAML reads as text.
    package static func name(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

    /// Returns a text in double quotes.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where isPrintable(scalar): result.unicodeScalars.append(scalar)
            default: result += escape(scalar)
            }
        }
        return result + "\""
    }

    /// Returns a flow sequence of values that are YAML already.
    package static func list(_ values: [String]) -> String {
        "[" + values.joined(separator: ", ") + "]"
    }

    /// Returns a flow mapping of keys and values that are YAML already.
    package static func mapping(_ entries: [(key: String, value: String)]) -> String {
        guard !entries.isEmpty else { return "{}" }
        let parts = entries.map { entry in
            // libyaml finds the ':' behind a key only within 1024 characters.
            entry.key.utf8.count > 1_000
                ? "? \(entry.key) : \(entry.value)" : "\(entry.key): \(entry.value)"
        }
        return "{ " + parts.joined(separator: ", ") + " }"
    }

    /// The words that some YAML parser reads as null or as a Boolean, in lower case.
    private static let words: Set<String> = [
        "null", "true", "false", "yes", "no", "on", "off", "y", "n",
    ]

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
            && !words.contains(text.lowercased())
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
    }

    /// Returns whether a scalar is written as it is. The ranges are fixed, because the properties
    /// of characters differ between versions of Unicode.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x1FFF: !invisible.contains(scalar.value)
        case 0x2010...0x2027, 0x2030...0x205F, 0x2070...0xD7FF, 0xF900...0xFDCF: true
        case 0xFDF0...0xFEFE, 0xFF01...0xFFEF, 0x10000...0x1FFFD, 0x20000...0x3FFFD: true
        default: false
        }
    }

    /// Characters without a shape among the printable blocks: marks of direction and joiners.
    private static let invisible: Set<UInt32> = [0x061C, 0x115F, 0x1160, 0x1680, 0x180E]

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let width = scalar.value <= 0xFFFF ? 4 : 8
        let zeros = String(repeating: "0", count: width - digits.count)
        return (width == 4 ? "\\u" : "\\U") + zeros + digits
    }
}
