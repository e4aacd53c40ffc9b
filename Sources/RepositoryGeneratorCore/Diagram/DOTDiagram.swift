internal import RepositorySchema

extension EntityDiagram {
    /// The diagram in Graphviz's language, with labels of records.
    public var dot: String {
        var lines = [
            "digraph \(Self.quoted(name)) {",
            "    graph [rankdir=RL, nodesep=0.4, ranksep=1.2]",
            "    node [shape=record, fontname=Courier, fontsize=10]",
            "    edge [dir=both, fontname=Courier, fontsize=9]",
        ]
        for box in boxes {
            let title = (box.kind == .entity ? "" : box.kind.rawValue + " ") + box.name
            // With ranks from right to left the parts of a record stand below each other.
            let rows = box.rows.enumerated().map { "<f\($0)> \(Self.label($1))\\l" }
            let label = ([Self.escaped(title)] + rows).joined(separator: "|")
            lines.append("    \(Self.quoted(box.name)) [label=\"\(label)\"]")
        }
        for link in links {
            let source = "\(Self.quoted(boxes[link.source].name)):f\(link.row)"
            let style = link.isReference ? "" : ", style=dashed"
            lines.append(
                "    \(source) -> \(Self.quoted(boxes[link.target].name)) "
                    + "[arrowtail=\(Self.arrow(link.sourceCount)), "
                    + "arrowhead=\(Self.arrow(link.targetCount)), "
                    + "label=\(Self.quoted(link.name))\(style)]")
        }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    private static func label(_ row: Row) -> String {
        let marks = row.marks.map { " " + $0.rawValue }.joined()
        return escaped("\(row.name): \(row.type.description)\(marks)")
    }

    private static func arrow(_ cardinality: Cardinality) -> String {
        switch cardinality {
        case .one: "teetee"
        case .zeroOrOne: "teeodot"
        case .zeroOrMore: "crowodot"
        }
    }

    /// A string of DOT in quotes. Graphviz reads bytes: a combining mark does not hide a quote from
    /// it.
    private static func quoted(_ text: String) -> String {
        "\"" + text.escaping { $0 == "\\" || $0 == "\"" } + "\""
    }

    /// A text of a record's label.
    private static func escaped(_ text: String) -> String {
        text.escaping { "\\\"{}|<>".unicodeScalars.contains($0) }
    }
}

extension String {
    /// The text on one line with a backslash before some scalars.
    fileprivate func escaping(_ isSpecial: (Unicode.Scalar) -> Bool) -> String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if isSpecial(scalar) { result.append("\\") }
            result.append(CommentText.isLineBreak(scalar) ? " " : scalar)
        }
        return String(result)
    }
}
