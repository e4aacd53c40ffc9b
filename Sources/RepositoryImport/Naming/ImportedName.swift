internal import RepositorySchema

/// Names of the schema language for the names of a database.
enum ImportedName {
    /// Returns the name of an entity: the singular of the table's name in upper camel case.
    ///
    /// ```
    /// playlist_tracks   PlaylistTrack
    /// ORDER DETAILS     OrderDetail
    /// 2nd               Table2nd
    /// ```
    static func entity(_ table: String) -> String {
        var words = words(of: table)
        if let last = words.popLast() { words.append(Singular.of(last)) }
        let name = words.map(capitalized).joined()
        return isUsable(name) ? name : "Table" + name
    }

    /// Returns the name of a type for the name of a file.
    static func set(_ file: String) -> String {
        let name = parts(of: file).flatMap(Naming.words).map(capitalized).joined()
        return isUsable(name) ? name : "Database" + name
    }

    /// Returns the name of a field: the column's name in lower camel case.
    ///
    /// ```
    /// CreatedAt, created_at, "created at"   createdAt
    /// author_id                             authorID
    /// ```
    static func field(_ column: String) -> String {
        let words = words(of: column)
        guard let first = words.first else { return "column" }
        let isSnake = column.contains { !$0.isLetter && !$0.isNumber }
        let rest = words.dropFirst().map { word in
            isSnake && word.lowercased() == "id" ? "ID" : capitalized(word)
        }
        let name = ([first.lowercased()] + rest).joined()
        guard isUsable(name), name.unicodeScalars.first?.properties.isUppercase == false else {
            return "column" + name
        }
        return name
    }

    /// Returns the name of a field for a property of a Swift class, which it keeps if it can.
    static func property(_ name: String) -> String {
        let isKept =
            Naming.isIdentifier(name)
            && name.unicodeScalars.first?.properties.isUppercase == false
        return isKept ? name : field(name)
    }

    /// Returns the name of a field that refers to an entity: without `Id` at its end.
    ///
    /// ```
    /// author_id, AuthorId   author
    /// ReportsTo             reportsTo
    /// ```
    static func reference(_ column: String) -> String {
        let words = words(of: column)
        guard words.count > 1,
            ["id", "fk", "uuid", "guid", "key"].contains(words[words.count - 1].lowercased())
        else { return field(column) }
        let name = words.dropLast().enumerated().map { index, word in
            index == 0 ? word.lowercased() : capitalized(word)
        }.joined()
        return isUsable(name) ? name : field(column)
    }

    /// Returns whether a column that is the whole key of a table can be called `id`.
    static func isID(_ column: String, of table: String) -> Bool {
        func folded(_ words: [String]) -> String { words.joined().lowercased() }
        let name = folded(words(of: column))
        var singular = words(of: table)
        if let last = singular.popLast() { singular.append(Singular.of(last)) }
        return ["id", "pk", "rowid"].contains(name)
            || [folded(words(of: table)), folded(singular)].contains { name == $0 + "id" }
    }

    /// Returns a name that is not taken: with a number behind it if necessary.
    static func unique(_ name: String, _ isTaken: (String) -> Bool) -> String {
        guard isTaken(name) else { return name }
        var number = 2
        while isTaken("\(name)\(number)") { number += 1 }
        return "\(name)\(number)"
    }

    /// The words of a name. Letters and digits make words; a name without lower-case letters is
    /// written in lower case.
    private static func words(of name: String) -> [String] {
        let isShouted = !name.unicodeScalars.contains { $0.properties.isLowercase }
        return parts(of: name).flatMap { isShouted ? [$0.lowercased()] : Naming.words($0) }
    }

    /// The runs of letters and digits of a name.
    private static func parts(of name: String) -> [String] {
        var parts: [String] = []
        var part = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            let isPart =
                scalar.isASCII
                ? scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                : scalar.properties.isXIDContinue
            if isPart {
                part.append(scalar)
            } else if !part.isEmpty {
                parts.append(String(part))
                part = String.UnicodeScalarView()
            }
        }
        if !part.isEmpty { parts.append(String(part)) }
        return parts
    }

    /// Returns a word with its first letter in upper case.
    private static func capitalized(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    private static func isUsable(_ name: String) -> Bool { Naming.isIdentifier(name) }
}
