extension Naming {
    /// A camel-case name in snake case: `updatedAt` → `updated_at`, `authorID` → `author_id`,
    /// `HTTPServer2` → `http_server2`, `authorIDs` → `author_ids`.
    ///
    /// Existing underscores are preserved, so a name in snake case does not change.
    public static func snakeCase(_ name: String) -> String {
        var text = name
        if let result = text.withUTF8({ asciiSnakeCase($0) }) { return result }
        var result = ""
        var last = Kind.underscore
        for word in words(name) {
            let isUnderscore = word.utf8.first == underscore
            if last != .underscore, !isUnderscore { result += "_" }
            result += word.lowercased()
            last = isUnderscore ? .underscore : .other
        }
        return result
    }

    /// The name of a type as the name of a property: `PlaylistTrack` → `playlistTrack`,
    /// `HTTPServer` → `httpServer`.
    public static func lowerCamelCase(_ name: String) -> String {
        let words = words(name)
        guard let index = words.firstIndex(where: { $0.utf8.first != underscore }) else {
            return name
        }
        return words[..<index].joined() + words[index].lowercased()
            + words[(index + 1)...].joined()
    }

    /// A snake-case or lower camel-case name as the name of a type: `playlist_track` →
    /// `PlaylistTrack`.
    public static func upperCamelCase(_ name: String) -> String {
        words(name).filter { $0.utf8.first != underscore }
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The words of a name in order. Joined, they give the name; runs of underscores count as
    /// words.
    ///
    /// A word begins at an upper-case letter that follows a lower-case letter or a digit. It also
    /// begins at the last letter of a run of upper-case letters if a lower-case letter follows
    /// (`HTTPServer`). The plural `s` of an acronym belongs to the acronym (`authorIDs`).
    package static func words(_ name: String) -> [String] {
        let scalars = Array(name.unicodeScalars)
        let kinds = scalars.map(kind)
        var words: [String] = []
        var word = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            if index > 0, beginsWord(kinds, at: index) {
                words.append(String(word))
                word = String.UnicodeScalarView()
            }
            word.append(scalar)
        }
        if !word.isEmpty { words.append(String(word)) }
        return words
    }

    /// The classes of characters that the rules distinguish.
    private enum Kind {
        case underscore, upper, lower, lowerS, other

        var isLower: Bool { self == .lower || self == .lowerS }
    }

    private static let underscore = UInt8(ascii: "_")

    /// A fast path for ASCII names, which nearly all names are; nil if the name is not ASCII. It
    /// avoids Unicode tables and closures, which are slow in debug builds.
    private static func asciiSnakeCase(_ name: UnsafeBufferPointer<UInt8>) -> String? {
        guard let bytes = name.baseAddress else { return "" }
        var kinds: [Kind] = []
        kinds.reserveCapacity(name.count)
        var hasUpper = false
        var index = 0
        while index < name.count {
            let byte = bytes[index]
            guard byte < 0x80 else { return nil }
            let kind = asciiKind(byte)
            if byte >= 0x41, byte <= 0x5A { hasUpper = true }
            kinds.append(kind)
            index += 1
        }
        guard hasUpper else { return String(decoding: name, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(name.count * 2)
        index = 0
        while index < name.count {
            let byte = bytes[index]
            let isUpper = byte >= 0x41 && byte <= 0x5A
            // A word that does not begin with an upper-case letter has an underscore before it
            // already.
            if isUpper, index > 0, bytes[index - 1] != 0x5F, beginsWord(kinds, at: index) {
                result.append(0x5F)
            }
            result.append(isUpper ? byte | 0x20 : byte)
            index += 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func asciiKind(_ byte: UInt8) -> Kind {
        if byte == 0x73 { return .lowerS }
        if byte >= 0x61, byte <= 0x7A { return .lower }
        if byte >= 0x41, byte <= 0x5A { return .upper }
        return byte == 0x5F ? .underscore : .other
    }

    private static func kind(_ scalar: Unicode.Scalar) -> Kind {
        if scalar.value < 0x80 { return asciiKind(UInt8(truncatingIfNeeded: scalar.value)) }
        if scalar.properties.isUppercase { return .upper }
        return scalar.properties.isLowercase ? .lower : .other
    }

    /// Whether a word begins at an index greater than 0, by the rules of ``words(_:)``.
    private static func beginsWord(_ kinds: [Kind], at index: Int) -> Bool {
        let (previous, kind) = (kinds[index - 1], kinds[index])
        if (kind == .underscore) != (previous == .underscore) { return true }
        guard kind == .upper else { return false }
        guard previous == .upper else { return true }
        guard index + 1 < kinds.count, kinds[index + 1].isLower else { return false }
        let endsPlural =
            kinds[index + 1] == .lowerS && (index + 2 == kinds.count || !kinds[index + 2].isLower)
        return !endsPlural
    }
}
