/// Writes text from a schema into comments of the output.
///
/// This is the only code that writes free text outside string literals. It works on Unicode
/// scalars, because compilers do: `"\n"` followed by a combining mark, or `\r\n`, can be one
/// `Character`. A one-line comment ends where its language ends a line, so every scalar that any
/// supported language treats as a line break is escaped.
enum CommentText {
    /// Returns the text on one line. Line breaks, other control characters and bidirectional
    /// formatting characters are written as Swift escapes.
    static func line(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) else { return text }
        return escaped(text.unicodeScalars)
    }

    /// Splits a text at every kind of line break. Trailing white space is removed; tabs inside a
    /// line are kept.
    static func lines(_ text: String) -> [String] {
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            guard isLineBreak(scalar) else {
                line.append(scalar)
                continue
            }
            // The second scalar of `\r\n`.
            if scalar == "\n", previous == "\r" { continue }
            lines.append(trimmed(line))
            line = String.UnicodeScalarView()
        }
        return lines + [trimmed(line)]
    }

    /// Returns whether any supported language, or a common editor, ends a line at this scalar.
    static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// Removes trailing white space and escapes the rest.
    private static func trimmed(_ line: String.UnicodeScalarView) -> String {
        var line = line[...]
        while let last = line.last, last.properties.isWhitespace { line.removeLast() }
        return escaped(line, keepingTabs: true)
    }

    /// Writes every scalar that is not harmless as a Swift escape.
    private static func escaped(
        _ scalars: some Sequence<Unicode.Scalar>, keepingTabs: Bool = false
    ) -> String {
        var text = String.UnicodeScalarView()
        for scalar in scalars {
            if isHarmless(scalar) || (keepingTabs && scalar == "\t") {
                text.append(scalar)
            } else {
                text.append(contentsOf: SwiftLiteral.escape(of: scalar).unicodeScalars)
            }
        }
        return String(text)
    }

    /// Returns whether a scalar can be written unchanged: it is visible and does not affect the
    /// display of other text.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: true
        case ..<0xA0, 0x2028, 0x2029: false
        // Bidirectional embeddings, overrides and isolates. They can display text in another order
        // than the compiler reads it.
        case 0x202A...0x202E, 0x2066...0x2069: false
        // The byte order mark and noncharacters.
        case 0xFEFF, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}
