/// A decoded line of a file.
struct SourceLine: Sendable {
    let scalars: [Unicode.Scalar]
    /// The number of scalars up to the last one that is not whitespace.
    let shownCount: Int

    init(_ scalars: [Unicode.Scalar]) {
        self.scalars = scalars
        shownCount = (scalars.lastIndex { !$0.properties.isWhitespace } ?? -1) + 1
    }
}

/// A line of a file, and below it a caret and tildes that underline a part of it.
struct SourceExcerpt {
    /// The two lines, each with a line break.
    let text: String

    /// The maximum number of scalars shown of a line, and the number of those before the marked
    /// part.
    private static let (widest, lead) = (160, 60)

    /// Creates an excerpt.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - start: The index of the first marked scalar. An index past the end of the line marks the
    ///     position after it.
    ///   - end: The index after the last marked scalar.
    init(line: SourceLine, start: Int, end: Int) {
        let length = line.shownCount
        let line = line.scalars
        let start = min(start, line.count)
        let isLong = length > Self.widest
        let first = isLong ? max(0, start - Self.lead) : 0
        let last = min(isLong ? first + Self.widest : length, length)

        var shown = ""
        for scalar in line[first..<max(first, last)] {
            shown.unicodeScalars.append(Self.shown(scalar))
        }
        var mark = ""
        for scalar in line[first..<start] {
            mark += String(repeating: " ", count: scalar.columns)
        }
        let marked = line[start..<max(start, min(end, max(last, start)))]
        let width = marked.reduce(0) { $0 + $1.columns }
        mark += "^" + String(repeating: "~", count: max(0, width - 1))

        let (before, after) = (first > 0 ? "…" : "", last < length ? "…" : "")
        text =
            "  " + before + shown + after + "\n"
            + "  " + (first > 0 ? " " : "") + mark + "\n"
    }

    /// The scalar to print for a scalar of the file.
    static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.properties.generalCategory {
        case .control: return scalar == "\t" || scalar == "\n" ? " " : "\u{FFFD}"
        case .lineSeparator, .paragraphSeparator: return "\u{FFFD}"
        // Invisible characters that change the text direction would move the text after them.
        case .format where scalar != "\u{200D}": return "\u{FFFD}"
        default: return scalar
        }
    }
}

extension Unicode.Scalar {
    /// The width of the scalar in terminal columns: 0 for combining marks, 2 for wide East Asian
    /// characters and emoji, 1 otherwise.
    fileprivate var columns: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        if self == "\u{200D}" { return 0 }
        return Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    /// The blocks whose characters are wide (Unicode Standard Annex #11).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
        0x20000...0x3FFFD,
    ]
}
