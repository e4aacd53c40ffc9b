/// Text of a schema inside a comment of the output.
///
/// It is the only writer of free text outside string literals. It works on Unicode scalars: `"\n"`
/// and a combining mark, or `\r\n`, may be one `Character`, and a compiler reads scalars. A comment
/// of one line ends where its language ends a line, so that every scalar that any of them takes for
/// a line break is kept out.
enum CommentText {
    /// A text on one line: line breaks, other control characters and characters that change the
    /// direction of what follows are written as escapes of Swift.
    static func line(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) else { return text }
        return escaped(text.unicodeScalars)
    }

    /// The lines of a text, split at every kind of line break, without the spaces at their ends.
    /// Tabs stay.
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
            // The second half of `\r\n`.
            if scalar == "\n", previous == "\r" { continue }
            lines.append(trimmed(line))
            line = String.UnicodeScalarView()
        }
        return lines + [trimmed(line)]
    }

    /// Whether some language, or some editor, ends a line at a scalar.
    static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func trimmed(_ line: String.UnicodeScalarView) -> String {
        var line = line[...]
        while let last = line.last, last.properties.isWhitespace { line.removeLast() }
        return escaped(line, keepingTabs: true)
    }

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

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: true
        case ..<0xA0, 0x2028, 0x2029: false
        // Embeddings, overrides and isolates: they show a reader other text than the compiler
        // reads.
        case 0x202A...0x202E, 0x2066...0x2069: false
        // The byte order mark and what is no character.
        case 0xFEFF, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}
