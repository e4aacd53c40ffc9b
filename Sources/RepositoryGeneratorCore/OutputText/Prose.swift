internal import RepositorySchema

/// Names in the sentences of doc comments.
enum Prose {
    /// A number of things: `1 character`, `2 characters`.
    static func count(_ number: Int, _ unit: String) -> String {
        "\(number) \(unit)\(number == 1 ? "" : "s")"
    }

    /// A type's name as a noun: `PlaylistTrack` → `playlist track`.
    static func noun(_ name: String) -> String {
        var bytes = Array(Naming.snakeCase(name).utf8)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "_") { bytes[index] = UInt8(ascii: " ") }
            index += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The noun with its article: `an author`, `a user`.
    static func withArticle(_ name: String) -> String { article(name) + " " + noun(name) }

    /// The article of a name: by its first letters, which is right nearly always.
    static func article(_ name: String) -> String {
        let noun = noun(name)
        let soundsLikeYou = ["us", "uni", "eu", "one"].contains { noun.hasPrefix($0) }
        let isVowel = noun.first.map { "aeiou".contains($0) } ?? false
        return isVowel && !soundsLikeYou ? "an" : "a"
    }

    /// The nouns of several: `playlist tracks`.
    static func plural(_ name: String) -> String { Naming.plural(noun(name)) }

    /// A text as the lines of a doc comment.
    static func documentation(_ text: String) -> [String] {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let trimmed = lines.map { line in
            var line = line
            while line.last?.isWhitespace == true { line.removeLast() }
            return line
        }
        let last = trimmed.lastIndex { !$0.isEmpty } ?? trimmed.startIndex
        return trimmed[...last].map { $0.isEmpty ? "///" : "/// " + $0 }
    }

    /// A text on lines of at most some characters, as far as its words allow.
    static func wrapped(_ text: String, _ width: Int) -> String {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return (lines + [line]).joined(separator: "\n")
    }

    /// The attribute of what is deprecated.
    static func availability(_ deprecated: Located<String>?) -> [String] {
        guard let deprecated else { return [] }
        guard !deprecated.value.isEmpty else { return ["@available(*, deprecated)"] }
        return [
            "@available(*, deprecated, message: \(SwiftLiteral.attributeString(deprecated.value)))"
        ]
    }
}
