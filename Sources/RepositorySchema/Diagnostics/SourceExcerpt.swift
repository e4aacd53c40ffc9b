/// A line of a file, decoded.
struct SourceLine: Sendable {
    let scalars: [Unicode.Scalar]
    /// How many scalars there are up to the last one that is no space.
    let shownCount: Int

    init(_ scalars: [Unicode.Scalar]) {
        self.scalars = scalars
        shownCount = (scalars.lastIndex { !$0.properties.isWhitespace } ?? -1) + 1
    }
}

/// A line of a file and, under it, a caret with tildes that mark a part of it.
struct SourceExcerpt {
    /// Two lines of text, each with its line break.
    let text: String

    /// How many scalars of a line are shown at most, and how many of those stand before the place.
    private static let (widest, lead) = (160, 60)

    /// Makes an excerpt.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - start: The first marked scalar, from 0; past the end of the line, the place after it.
    ///   - end: The scalar after the last marked one.
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

    /// The scalar that stands for one in a terminal.
    static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.properties.generalCategory {
        case .control: return scalar == "\t" || scalar == "\n" ? " " : "\u{FFFD}"
        case .lineSeparator, .paragraphSeparator: return "\u{FFFD}"
        // Invisible marks that turn the direction of text would move what stands behind them.
        case .format where scalar != "\u{200D}": return "\u{FFFD}"
        default: return scalar
        }
    }
}

extension Unicode.Scalar {
    /// How many columns of a terminal the scalar takes, as excerpts show it: none for marks that
    /// combine with what stands before them, two for wide East Asian text and emoji.
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
