internal import RepositorySchema

/// Where lines are added to a block of a document, and how they are indented.
struct BlockSpot {
    /// The offset at which the lines are inserted.
    let offset: Int
    /// The number of spaces before each line.
    let indentation: Int
    /// The number of spaces before the key; `nil` if the document has the key already.
    let keyIndentation: Int?

    /// Finds the place of an addition.
    ///
    /// - Parameters:
    ///   - addition: the addition.
    ///   - root: the root of its document.
    ///   - lines: the lines of the file.
    /// - Throws: ``SchemaEditProblem`` if lines cannot be added to the block.
    init(
        of addition: SchemaAddition, in root: YAMLNode, _ lines: SourceLines
    ) throws(SchemaEditProblem) {
        guard let entries = root.entries, let margin = Self.margin(of: root, isList: false, lines)
        else {
            throw SchemaEditProblem(
                "lines cannot be added to a document that does not begin with a key on a line of "
                    + "its own", at: root.range)
        }
        let step = Self.step(of: entries, below: margin, lines)
        guard let entry = entries.first(where: { $0.key.value == addition.key }) else {
            offset = try Self.end(of: root, lines)
            indentation = margin + step
            keyIndentation = margin
            return
        }
        let value = entry.value
        keyIndentation = nil
        guard let inner = Self.margin(of: value, isList: addition.isList, lines) else {
            throw SchemaEditProblem(
                "lines cannot be added to '\(addition.key)', because "
                    + Self.reason(value, lines, isList: addition.isList), at: value.range)
        }
        offset = try Self.end(of: value, lines)
        indentation = inner
    }

    /// Returns the indentation of a list or mapping with an entry on each line; `nil` for anything
    /// else.
    private static func margin(of node: YAMLNode, isList: Bool, _ lines: SourceLines) -> Int? {
        guard isList ? node.elements != nil : node.entries != nil else { return nil }
        guard let first = lines.byte(at: node.range.start), lines.isIndented(node.range.start)
        else { return nil }
        let isBlock =
            isList
            ? first == UInt8(ascii: "-")
            : !["{", "[", "&", "*", "?", "!"].contains(Unicode.Scalar(first))
        return isBlock ? node.range.start.column - 1 : nil
    }

    /// Returns why lines cannot be added to a value.
    private static func reason(_ value: YAMLNode, _ lines: SourceLines, isList: Bool) -> String {
        switch lines.byte(at: value.range.start).map(Unicode.Scalar.init) {
        case "*": "it is an alias"
        case "&": "aliases share it"
        case "{", "[": "it is written in \(isList ? "brackets" : "braces")"
        default: "it has no entry on a line of its own"
        }
    }

    /// Returns the number of spaces by which the blocks of a document are indented.
    private static func step(
        of entries: [YAMLEntry], below margin: Int, _ lines: SourceLines
    ) -> Int {
        let steps = entries.compactMap { entry in
            Self.margin(of: entry.value, isList: entry.value.elements != nil, lines)
        }
        return steps.first { $0 > margin }.map { $0 - margin } ?? 2
    }

    /// Returns the offset of the line after the last value of a node.
    private static func end(
        of node: YAMLNode, _ lines: SourceLines
    ) throws(SchemaEditProblem) -> Int {
        let end = node.range.end
        // A text after `|` or `>` ends at the beginning of a line.
        if end.column == 1 { return lines.offset(of: end) }
        guard let offset = lines.end(ofLineAt: end) else {
            throw SchemaEditProblem(
                "lines cannot be added after this value, because something follows on its line",
                at: node.range)
        }
        return offset
    }
}
