internal import RepositorySchema

/// Names in the sentences of doc comments.
enum Prose {
    /// A type's name as a noun: `PlaylistTrack` → `playlist track`.
    static func noun(_ name: String) -> String {
        String(Naming.snakeCase(name).map { $0 == "_" ? " " : $0 })
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

    /// The attribute of what is deprecated.
    static func availability(_ deprecated: Located<String>?) -> [String] {
        guard let deprecated else { return [] }
        guard !deprecated.value.isEmpty else { return ["@available(*, deprecated)"] }
        return [
            "@available(*, deprecated, message: \(SwiftLiteral.attributeString(deprecated.value)))"
        ]
    }
}
