/// The singular of English nouns, by the regular rules and a list of the usual exceptions.
enum Singular {
    /// Returns the singular of a word. A word that is no plural is returned as it is.
    ///
    /// ```
    /// albums     album        categories   category      people    person
    /// boxes      box          addresses    address       status    status
    /// ```
    static func of(_ word: String) -> String {
        let lower = word.lowercased()
        if unchanged.contains(lower) { return word }
        if let singular = irregular[lower] {
            // The beginning of the word keeps its letters.
            let isCapital = word.first?.isUppercase ?? false
            return isCapital ? singular.prefix(1).uppercased() + singular.dropFirst() : singular
        }
        guard lower.hasSuffix("s"), lower.count > 2,
            !["ss", "us", "is", "as", "os"].contains(where: lower.hasSuffix)
        else { return word }
        if lower.hasSuffix("ies"), lower.count > 4 { return word.dropLast(3) + "y" }
        if ["sses", "shes", "ches", "xes", "zzes"].contains(where: lower.hasSuffix) {
            return String(word.dropLast(2))
        }
        return String(word.dropLast())
    }

    private static let unchanged: Set<String> = [
        "series", "species", "news", "means", "data", "media", "metadata", "sms", "gps", "dns",
        "lens", "settings", "statistics", "mathematics", "physics", "economics", "analytics",
    ]

    private static let irregular = [
        "people": "person", "children": "child", "men": "man", "women": "woman", "mice": "mouse",
        "geese": "goose", "feet": "foot", "teeth": "tooth", "oxen": "ox", "criteria": "criterion",
        "indices": "index", "matrices": "matrix", "vertices": "vertex", "statuses": "status",
        "buses": "bus", "viruses": "virus", "bonuses": "bonus", "campuses": "campus",
        "aliases": "alias", "analyses": "analysis", "bases": "base", "crises": "crisis",
        "diagnoses": "diagnosis", "theses": "thesis", "axes": "axis", "movies": "movie",
        "cookies": "cookie", "photos": "photo", "videos": "video", "logos": "logo",
        "zeroes": "zero", "heroes": "hero", "potatoes": "potato", "echoes": "echo",
        "lives": "life", "knives": "knife", "wolves": "wolf", "shelves": "shelf",
        "halves": "half", "caches": "cache", "quizzes": "quiz", "cities": "city",
        "territories": "territory", "gases": "gas", "atlases": "atlas", "todos": "todo",
        "memos": "memo", "demos": "demo", "repos": "repo", "ties": "tie", "pies": "pie",
    ]
}
