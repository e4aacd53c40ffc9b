internal import RepositorySchema

/// Adds lines to schema files. The existing text is neither changed nor removed.
///
/// The lines of a block follow its last value: comments below the value stay below the new lines.
/// The result is parsed, and has the values of the old text and the new ones, and no others.
package enum SchemaEditor {
    /// Returns the text of a file with additions.
    ///
    /// - Parameters:
    ///   - additions: the additions, at most one for each block.
    ///   - source: the file.
    /// - Throws: ``SchemaEditProblem`` if a block is written in braces or shared by an alias, or if
    ///   the result would not be the old values and the new ones.
    package static func adding(
        _ additions: [SchemaAddition], to source: SchemaSource
    ) throws(SchemaEditProblem) -> EditedSchema {
        let old = YAMLDocuments(bytes: source.bytes, path: source.displayPath)
        if let error = old.diagnostics.first {
            throw SchemaEditProblem(error.message, at: error.range)
        }
        let lines = SourceLines(source.bytes)
        var expected = old.roots.map(YAMLValue.init)
        var insertions: [Insertion] = []
        for (index, addition) in additions.enumerated() {
            guard let document = old.roots.firstIndex(where: { $0.contains(addition.place) }) else {
                throw SchemaEditProblem(
                    "there is no document here", at: source.range(at: addition.place))
            }
            let root = old.roots[document]
            let spot = try BlockSpot(of: addition, in: root, lines)
            insertions.append(Insertion(addition, index: index, at: spot, lines))
            expected[document].add(addition)
        }
        // Lines inside a block come before a new key at the same place.
        insertions.sort {
            ($0.offset, $0.isKey ? 1 : 0, $0.index) < ($1.offset, $1.isKey ? 1 : 0, $1.index)
        }
        let edited = Insertion.inserted(insertions, into: source.bytes)
        let new = YAMLDocuments(bytes: edited.bytes, path: source.displayPath)
        guard new.diagnostics.isEmpty, new.roots.map(YAMLValue.init) == expected else {
            // A text after `|` that ends with the file gets a line break.
            let isCutShort = ![0x0A, 0x0D].contains(source.bytes.last)
            throw SchemaEditProblem(
                "lines cannot be added to the document without changing one of its values",
                at: source.range(at: additions.first?.place ?? .start),
                help: isCutShort ? "end the file with a line break" : nil)
        }
        return edited
    }
}

/// Lines to be inserted at an offset.
private struct Insertion {
    /// The offset in the old bytes: the beginning of a line, or the end of a text that ends within
    /// one.
    let offset: Int
    /// Whether the lines begin with a new key.
    let isKey: Bool
    /// The number of the addition.
    let index: Int
    /// The lines, with their indentation.
    private let lines: [String]
    private let indentation: Int
    private let lineBreak: String
    private let isWithinLine: Bool

    init(_ addition: SchemaAddition, index: Int, at spot: BlockSpot, _ source: SourceLines) {
        self.index = index
        isKey = spot.keyIndentation != nil
        indentation = spot.indentation
        let margin = String(repeating: " ", count: spot.indentation)
        let keyMargin = String(repeating: " ", count: spot.keyIndentation ?? 0)
        lines =
            (isKey ? [keyMargin + addition.key + ":"] : []) + addition.lines.map { margin + $0 }
        offset = spot.offset
        lineBreak = source.lineBreak(before: spot.offset)
        isWithinLine = !source.isLineStart(spot.offset)
    }

    /// Returns the bytes with insertions, which are sorted.
    static func inserted(_ insertions: [Insertion], into bytes: [UInt8]) -> EditedSchema {
        var result: [UInt8] = []
        var starts: [(index: Int, offset: Int, isKey: Bool, indentation: Int)] = []
        var copied = 0
        for insertion in insertions {
            result += bytes[copied..<insertion.offset]
            copied = insertion.offset
            if insertion.isWithinLine { result += insertion.lineBreak.utf8 }
            starts.append((insertion.index, result.count, insertion.isKey, insertion.indentation))
            let text = insertion.lines.joined(separator: insertion.lineBreak)
            result += (insertion.isWithinLine ? text : text + insertion.lineBreak).utf8
        }
        result += bytes[copied...]
        let lines = SourceLines(result)
        let places = starts.sorted { $0.index < $1.index }.map { start in
            EditedSchema.Place(
                line: lines.line(at: start.offset) + (start.isKey ? 1 : 0),
                indentation: start.indentation)
        }
        return EditedSchema(bytes: result, places: places)
    }
}

extension SchemaSource {
    /// An empty range at a position of the file.
    fileprivate func range(at place: SourcePosition) -> SourceRange {
        SourceRange(path: displayPath, start: place, end: place)
    }
}

extension YAMLNode {
    /// Returns whether a position is inside the node.
    fileprivate func contains(_ place: SourcePosition) -> Bool {
        range.start <= place && place <= range.end
    }
}
