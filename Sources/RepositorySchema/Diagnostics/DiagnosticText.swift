/// Renders diagnostics as text for a terminal. Equal diagnostics give equal text.
///
///
/// ```
/// Schemas/Book.yaml:4:10: error: there is no type 'Strng'
///   title: Strng
///          ^~~~~
/// help: did you mean 'String'?
/// ```
///
/// Notes follow in the same format; the help comes last. A tab is shown as one space, and a control
/// character as U+FFFD. Of a long line only the part around the location is shown.
public struct DiagnosticText: Sendable {
    private let sources: [String: SourceText]

    /// Creates a renderer.
    ///
    /// - Parameter sources: The files by path. A diagnostic in any other file is rendered without
    ///   the source line.
    public init(sources: [String: SourceText]) {
        self.sources = sources
    }

    /// Renders diagnostics in the order of ``sorted(_:)``, separated by empty lines and with a line
    /// break at the end.
    public func render(_ diagnostics: [Diagnostic]) -> String {
        var lines = LineCache(sources)
        return Self.sorted(diagnostics).map { render($0, &lines) }.joined(separator: "\n")
    }

    /// Renders one diagnostic. Every line ends with a line break.
    public func render(_ diagnostic: Diagnostic) -> String {
        var lines = LineCache(sources)
        return render(diagnostic, &lines)
    }

    /// The text of one diagnostic, with the lines that were decoded for others.
    func render(_ diagnostic: Diagnostic, _ lines: inout LineCache) -> String {
        var text = place(
            diagnostic.severity.rawValue, diagnostic.message, at: diagnostic.range, &lines)
        for note in diagnostic.notes {
            text += place("note", note.message, at: note.range, &lines)
        }
        if let help = diagnostic.help { text += "help: \(Self.oneLine(help))\n" }
        return text
    }

    /// Sorts diagnostics by path (in byte order), line and column. The order of diagnostics at the
    /// same location is preserved.
    public static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        diagnostics.enumerated().sorted { left, right in
            let (leftRange, rightRange) = (left.element.range, right.element.range)
            if leftRange.path != rightRange.path {
                return leftRange.path.utf8.lexicographicallyPrecedes(rightRange.path.utf8)
            }
            if leftRange.start != rightRange.start { return leftRange.start < rightRange.start }
            return left.offset < right.offset
        }.map(\.element)
    }

    /// The message on one line, with control characters replaced and its length limited, since it
    /// may quote arbitrary input.
    private static func oneLine(_ message: String) -> String {
        let scalars = message.unicodeScalars
        let first = scalars.prefix(500)
        return shown(first) + (first.endIndex < scalars.endIndex ? "…" : "")
    }

    private static func shown(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var result = String.UnicodeScalarView()
        for scalar in scalars { result.append(SourceExcerpt.shown(scalar)) }
        return String(result)
    }

    /// The line `path:line:column: label: message`, followed by an excerpt of the source if the
    /// file is available.
    private func place(
        _ label: String, _ message: String, at range: SourceRange, _ lines: inout LineCache
    ) -> String {
        let start = range.start
        let path = Self.shown(range.path.unicodeScalars)
        let head = "\(path):\(start.line):\(start.column): \(label): \(Self.oneLine(message))\n"
        guard let line = lines.line(start.line, of: range.path) else { return head }
        let end = range.end.line == start.line ? range.end.column : line.scalars.count + 1
        return head + SourceExcerpt(line: line, start: start.column - 1, end: end - 1).text
    }
}

/// The lines that diagnostics show, each decoded once: one line may hold thousands of mistakes.
struct LineCache {
    private struct Key: Hashable {
        var path: String
        var line: Int
    }

    private let sources: [String: SourceText]
    private var lines: [Key: SourceLine?] = [:]
    /// How many scalars were decoded.
    private(set) var decodedCount = 0

    init(_ sources: [String: SourceText]) { self.sources = sources }

    /// A line of a file; nil where there is none.
    mutating func line(_ number: Int, of path: String) -> SourceLine? {
        let key = Key(path: path, line: number)
        if let line = lines[key] { return line }
        let line = sources[path]?.line(number).map { SourceLine($0) }
        decodedCount += line?.scalars.count ?? 0
        lines.updateValue(line, forKey: key)
        return line
    }
}
