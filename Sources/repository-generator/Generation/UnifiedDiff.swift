/// The difference between two texts in the unified format of `diff -u` and Git.
///
/// The edits come from the standard library's `difference(from:)`.
struct UnifiedDiff {
    /// One of the two texts, with its name in the header.
    struct Side {
        var name: String
        var text: String
    }

    /// The whole diff. Every line ends with a line break.
    let text: String

    /// The number of unchanged lines around a change.
    private static let context = 3
    /// The maximum total number of lines for a minimal diff, which takes quadratic time. For longer
    /// texts, everything after the common beginning is replaced.
    private static let mostLines = 4_000

    /// Compares two texts. `nil` represents a file that does not exist.
    init(from old: Side?, to new: Side?) {
        let left = Self.lines(old?.text ?? "")
        let right = Self.lines(new?.text ?? "")
        var text = "--- \(old?.name ?? "/dev/null")\n+++ \(new?.name ?? "/dev/null")\n"
        for hunk in Self.hunks(of: Self.edits(left, right)) { text += Self.text(of: hunk) }
        self.text = text
    }

    /// A line with its sign, and the number of lines before it in each text.
    private struct Edit {
        var sign: Character
        var line: Substring
        var old: Int
        var new: Int
    }

    /// Splits a text into lines. A final line break does not begin another line, so that the diff
    /// does not show whether it exists.
    private static func lines(_ text: String) -> [Substring] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Returns the lines of both texts in the order of a diff.
    private static func edits(_ left: [Substring], _ right: [Substring]) -> [Edit] {
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        if left.count + right.count > mostLines {
            var start = 0
            while start < min(left.count, right.count), left[start] == right[start] { start += 1 }
            removed = Set(start..<left.count)
            inserted = Set(start..<right.count)
        } else {
            for change in right.difference(from: left) {
                switch change {
                case .remove(let offset, _, _): removed.insert(offset)
                case .insert(let offset, _, _): inserted.insert(offset)
                }
            }
        }
        var edits: [Edit] = []
        var (old, new) = (0, 0)
        while old < left.count || new < right.count {
            if removed.contains(old) {
                edits.append(Edit(sign: "-", line: left[old], old: old, new: new))
                old += 1
            } else if inserted.contains(new) {
                edits.append(Edit(sign: "+", line: right[new], old: old, new: new))
                new += 1
            } else {
                edits.append(Edit(sign: " ", line: left[old], old: old, new: new))
                old += 1
                new += 1
            }
        }
        return edits
    }

    /// Returns the ranges of changes with their context. Ranges that touch are merged.
    private static func hunks(of edits: [Edit]) -> [ArraySlice<Edit>] {
        var ranges: [Range<Int>] = []
        for index in edits.indices where edits[index].sign != " " {
            let range = max(0, index - context)..<min(edits.count, index + context + 1)
            if let last = ranges.last, last.upperBound >= range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
        return ranges.map { edits[$0] }
    }

    /// Returns the text of a hunk with its header.
    private static func text(of hunk: ArraySlice<Edit>) -> String {
        guard let first = hunk.first else { return "" }
        let oldCount = hunk.count { $0.sign != "+" }
        let newCount = hunk.count { $0.sign != "-" }
        let old = place(first.old, oldCount)
        let new = place(first.new, newCount)
        return hunk.reduce(into: "@@ -\(old) +\(new) @@\n") { $0 += "\($1.sign)\($1.line)\n" }
    }

    /// Returns a range in a hunk's header. Lines are numbered from 1; an empty range has the number
    /// of the line before it.
    private static func place(_ start: Int, _ count: Int) -> String {
        let first = count == 0 ? start : start + 1
        return count == 1 ? "\(first)" : "\(first),\(count)"
    }
}
