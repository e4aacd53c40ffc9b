/// Finds the existing name that a misspelt name was probably meant to be.
package enum NearestName {
    /// The candidate nearest to a name, if it is similar enough.
    ///
    /// The edit distance may be at most a third of the name's length, rounded up, and at most 3.
    /// Names that differ only in case, underscores or hyphens are always similar. Among equally
    /// near candidates the first one is returned.
    ///
    /// - Parameters:
    ///   - name: The misspelt name.
    ///   - candidates: The existing names.
    package static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
        let written = Array(name.lowercased().unicodeScalars.prefix(longest))
        let limit = min(3, (written.count + 2) / 3)
        let folded = fold(name)
        var best: (name: String, distance: Int)?
        for candidate in candidates where candidate != name {
            if fold(candidate) == folded { return candidate }
            let other = Array(candidate.lowercased().unicodeScalars.prefix(longest))
            guard abs(other.count - written.count) <= limit else { continue }
            let distance = distance(written, other)
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// The help text for an unknown name: the nearest candidate, or a list of the candidates if
    /// there are few.
    ///
    /// - Parameters:
    ///   - name: The unknown name.
    ///   - candidates: The existing names, in the order to list them.
    ///   - kind: The plural noun for the candidates: `keys`.
    package static func help(for name: String, among candidates: [String], kind: String) -> String?
    {
        if let nearest = of(name, among: candidates) { return "did you mean '\(nearest)'?" }
        guard !candidates.isEmpty, candidates.count <= 32 else { return nil }
        return "the \(kind) are: " + candidates.joined(separator: ", ")
    }

    /// The maximum number of scalars compared per name, which bounds the cost.
    private static let longest = 64

    /// The name without case, underscores and hyphens.
    private static func fold(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" }
    }

    /// The optimal string alignment distance: insertions, deletions, replacements and
    /// transpositions of adjacent characters (E. Ukkonen, 'Algorithms for approximate string
    /// matching', 1985).
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var best = min(
                    previous[column] + (isSame ? 0 : 1), previous[column + 1] + 1,
                    current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
