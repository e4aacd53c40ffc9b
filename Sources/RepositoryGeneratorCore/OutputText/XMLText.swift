/// Escapes schema text for XML and HTML.
enum XMLText {
    /// Escapes a text for an element or a quoted attribute.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let reference = reference(to: scalar) {
                result.append(contentsOf: reference.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The character reference of a scalar, or nil if the scalar is written unchanged.
    ///
    /// Control characters that XML does not allow are replaced by U+FFFD.
    private static func reference(to scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        // XML 1.0 allows no control characters other than these three.
        case "\t", "\n", "\r": nil
        case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
        default: nil
        }
    }
}
