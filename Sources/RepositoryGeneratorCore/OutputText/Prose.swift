internal import RepositorySchema

/// English phrases for generated doc comments and messages.
///
/// The phrases are English, and derived from names by rules. They can be replaced by `doc` in the
/// schema.
///
/// For the entity `PlaylistTrack`: `playlist track`, `a playlist track`, `playlist tracks`.
enum Prose {
    /// Returns a number with a unit: `1 character`, `2 characters`.
    static func count(_ number: Int, _ unit: String) -> String {
        "\(number) \(unit)\(number == 1 ? "" : "s")"
    }

    /// Returns a type name as a noun: `PlaylistTrack` → `playlist track`.
    static func noun(_ name: String) -> String {
        var bytes = Array(Naming.snakeCase(name).utf8)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "_") { bytes[index] = UInt8(ascii: " ") }
            index += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the noun with its indefinite article: `an author`, `a user`.
    static func withArticle(_ name: String) -> String { article(name) + " " + noun(name) }

    /// Returns the indefinite article of a name. It is derived from the first letters, so it is
    /// wrong for a few words.
    static func article(_ name: String) -> String {
        let noun = noun(name)
        let soundsLikeYou = ["us", "uni", "eu", "one"].contains { noun.hasPrefix($0) }
        let isVowel = noun.first.map { "aeiou".contains($0) } ?? false
        return isVowel && !soundsLikeYou ? "an" : "a"
    }

    /// Returns the plural of the noun: `playlist tracks`.
    static func plural(_ name: String) -> String { Naming.plural(noun(name)) }

    /// Returns a text as the lines of a doc comment, without trailing empty lines.
    static func documentation(_ text: String) -> [String] {
        let lines = CommentText.lines(text)
        let last = lines.lastIndex { !$0.isEmpty } ?? lines.startIndex
        return lines[...last].map { $0.isEmpty ? "///" : "/// " + $0 }
    }

    /// Wraps a text at spaces to lines of at most `width` characters. A longer word is not split.
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

    /// Returns the `@available` attribute of a deprecated declaration, or an empty array.
    static func availability(_ deprecated: Located<String>?) -> [String] {
        guard let deprecated else { return [] }
        guard !deprecated.value.isEmpty else { return ["@available(*, deprecated)"] }
        return [
            "@available(*, deprecated, message: \(SwiftLiteral.attributeString(deprecated.value)))"
        ]
    }
}

extension FieldDeclaration {
    /// The unit of `minLength` and `maxLength`.
    var lengthUnit: String {
        switch type.value.unwrapped {
        case .list: "element"
        case .base(.data): "byte"
        default: "character"
        }
    }
}
