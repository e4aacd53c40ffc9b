/// A text that is written line by line, with the part of the schema that each place belongs to.
struct SchemaText {
    /// A range of columns of a line, which belongs to a part.
    struct Span {
        let columns: Range<Int>
        let part: SchemaPart
    }

    private(set) var text = ""
    /// The spans of each line.
    private var spans: [[Span]] = [[]]
    /// The number of scalars of the current line.
    private var column = 0

    /// Adds text to the current line.
    ///
    /// - Parameters:
    ///   - added: the text, without line breaks.
    ///   - part: the part to which it belongs.
    mutating func add(_ added: String, of part: SchemaPart? = nil) {
        let end = column + added.unicodeScalars.count
        if let part { spans[spans.count - 1].append(Span(columns: column..<end, part: part)) }
        text += added
        column = end
    }

    /// Ends the current line.
    mutating func endLine() {
        text += "\n"
        spans.append([])
        column = 0
    }

    /// Adds spaces at the beginning of a line.
    mutating func addMargin(_ count: Int) { add(String(repeating: " ", count: count)) }

    /// The lines, without line breaks.
    var lines: [String] { text.split(separator: "\n").map(String.init) }

    /// Adds a whole line.
    mutating func addLine(_ line: String, of part: SchemaPart? = nil) {
        add(line, of: part)
        endLine()
    }

    /// Adds a remark as a comment.
    mutating func addComment(_ note: Note, indentation: Int) {
        addLine(String(repeating: " ", count: indentation) + "# " + note.line)
    }

    /// Returns the part at a place; the nearest one of the line if there is none.
    ///
    /// - Parameters:
    ///   - line: the line, starting at 1.
    ///   - column: the column, starting at 1.
    func part(line: Int, column: Int) -> SchemaPart? {
        guard spans.indices.contains(line - 1) else { return nil }
        let place = column - 1
        let spans = spans[line - 1]
        let exact = spans.filter { $0.columns.contains(place) }
        return (exact.min { $0.columns.count < $1.columns.count } ?? spans.first)?.part
    }
}
