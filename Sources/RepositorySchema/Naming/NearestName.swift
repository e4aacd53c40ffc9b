/// Finds the name that somebody meant who wrote another one.
public enum NearestName {
    /// The candidate that is nearest to a name, when it is near enough to be meant.
    ///
    /// Near enough is an edit distance of a third of the name's length, rounded up, and at most 3;
    /// names that differ only in case or underscores always are. Of several at one distance the first
    /// wins.
    ///
    /// - Parameters:
    ///   - name: What was written.
    ///   - candidates: The names that exist.
    public static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
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

    /// What to offer to somebody who wrote a name that does not exist: the nearest one, or all of
    /// them where they are few.
    ///
    /// - Parameters:
    ///   - name: What was written.
    ///   - candidates: The names that exist, in the order to list them.
    ///   - kind: What they are, in the plural: `keys`.
    public static func help(for name: String, among candidates: [String], kind: String) -> String? {
        if let nearest = of(name, among: candidates) { return "did you mean '\(nearest)'?" }
        guard !candidates.isEmpty, candidates.count <= 32 else { return nil }
        return "the \(kind) are: " + candidates.joined(separator: ", ")
    }

    /// Longer names are compared by their beginnings, so that a comparison has a bounded cost.
    private static let longest = 64

    private static func fold(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" }
    }

    /// The optimal string alignment distance: insertions, deletions, replacements, and swaps of
    /// neighbours (E. Ukkonen, 'Algorithms for approximate string matching', 1985).
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
