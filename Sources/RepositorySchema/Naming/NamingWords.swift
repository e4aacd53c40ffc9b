extension Naming {
    /// A camel-case name in snake case: `updatedAt` → `updated_at`, `authorID` → `author_id`,
    /// `HTTPServer2` → `http_server2`, `authorIDs` → `author_ids`.
    ///
    /// Underscores that the name has already are kept, so a name in snake case stays as it is.
    public static func snakeCase(_ name: String) -> String {
        var result = ""
        for word in words(name) {
            if !result.isEmpty, result.last != "_", word.first != "_" { result += "_" }
            result += word.lowercased()
        }
        return result
    }

    /// A type's name as the name of a property: `PlaylistTrack` → `playlistTrack`, `HTTPServer` →
    /// `httpServer`.
    public static func lowerCamelCase(_ name: String) -> String {
        let words = words(name)
        guard let index = words.firstIndex(where: { $0.first != "_" }) else { return name }
        return words[..<index].joined() + words[index].lowercased()
            + words[(index + 1)...].joined()
    }

    /// A name in snake or lower camel case as the name of a type: `playlist_track` → `PlaylistTrack`.
    public static func upperCamelCase(_ name: String) -> String {
        words(name).filter { $0.first != "_" }
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The words of a name, in order; joined they are the name. Runs of underscores are words.
    ///
    /// A word begins at an upper-case letter after a lower-case letter or a digit, and at the last
    /// letter of a run of upper-case ones when a lower-case letter follows (`HTTPServer`). The `s`
    /// that ends an acronym's plural belongs to the acronym (`authorIDs`).
    static func words(_ name: String) -> [String] {
        let scalars = Array(name.unicodeScalars)
        var words: [String] = []
        var word = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            if index > 0, beginsWord(scalars, at: index) {
                words.append(String(word))
                word = String.UnicodeScalarView()
            }
            word.append(scalar)
        }
        if !word.isEmpty { words.append(String(word)) }
        return words
    }

    private static func beginsWord(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
        let scalar = scalars[index]
        let previous = scalars[index - 1]
        if (scalar == "_") != (previous == "_") { return true }
        guard scalar.properties.isUppercase else { return false }
        guard previous.properties.isUppercase else { return true }
        guard index + 1 < scalars.count, scalars[index + 1].properties.isLowercase else {
            return false
        }
        let endsPlural =
            scalars[index + 1] == "s"
            && (index + 2 == scalars.count || !scalars[index + 2].properties.isLowercase)
        return !endsPlural
    }
}
