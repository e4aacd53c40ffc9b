internal import RepositoryGeneratorCore

/// Names and texts of a database, as they are compared and shown.
enum SQLText {
    /// Returns a name with its ASCII letters in lower case, as SQLite compares names.
    static func folded(_ name: String) -> String {
        String(
            decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }

    /// Returns whether SQLite takes two names for one.
    static func isSameName(_ left: String, _ right: String) -> Bool {
        folded(left).utf8.elementsEqual(folded(right).utf8)
    }

    /// Returns a name for reports and comments: in quotes, with everything escaped that a terminal
    /// or YAML would not show as it is.
    static func shown(_ name: String) -> String {
        let text = YAMLText.quoted(name)
        guard text.count > longest else { return text }
        return "\(text.prefix(longest))…\""
    }

    /// Returns SQL for reports and comments, on one line.
    static func shown(sql tokens: [SQLToken]) -> String {
        let text = YAMLText.quoted(SQLToken.text(tokens)).dropFirst().dropLast()
            .replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
        return text.count > longest ? "\(text.prefix(longest))…" : String(text)
    }

    /// The most characters of a name or of an expression that are shown.
    private static let longest = 160
}

extension String {
    /// Whether the text is one line, so that it can be documentation.
    var isOneLine: Bool {
        !isEmpty && !unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }
}
