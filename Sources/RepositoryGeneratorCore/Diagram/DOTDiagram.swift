internal import RepositorySchema

extension EntityDiagram {
    /// The diagram in the DOT language of Graphviz. Boxes are nodes of the shape `record`.
    ///
    /// ```
    /// "Author" [label="Author|<f0> id: UUID PK\l|<f1> name: String\l"]
    /// "Book":f7 -> "Author" [arrowtail=crowodot, arrowhead=teetee, label="author"]
    /// ```
    public var dot: String {
        var lines = [
            "digraph \(Self.quoted(name)) {",
            "    graph [rankdir=RL, nodesep=0.4, ranksep=1.2]",
            "    node [shape=record, fontname=Courier, fontsize=10]",
            "    edge [dir=both, fontname=Courier, fontsize=9]",
        ]
        for box in boxes {
            let title = (box.kind == .entity ? "" : box.kind.rawValue + " ") + box.name
            // With `rankdir=RL`, the fields of a record label are arranged vertically.
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

    /// The label of a row: name, type and marks.
    private static func label(_ row: Row) -> String {
        let marks = row.marks.map { " " + $0.rawValue }.joined()
        return escaped("\(row.name): \(row.type.description)\(marks)")
    }

    /// The Graphviz arrow shape of a cardinality.
    private static func arrow(_ cardinality: Cardinality) -> String {
        switch cardinality {
        case .one: "teetee"
        case .zeroOrOne: "teeodot"
        case .zeroOrMore: "crowodot"
        }
    }

    /// Returns a quoted DOT string. Graphviz reads bytes, so the text is escaped by Unicode
    /// scalars: a combining mark after a quote does not hide it.
    private static func quoted(_ text: String) -> String {
        "\"" + text.escaping { $0 == "\\" || $0 == "\"" } + "\""
    }

    /// Escapes a text for a record label.
    private static func escaped(_ text: String) -> String {
        text.escaping { "\\\"{}|<>".unicodeScalars.contains($0) }
    }
}

extension String {
    /// Returns the text on one line, with a backslash before the special scalars.
    fileprivate func escaping(_ isSpecial: (Unicode.Scalar) -> Bool) -> String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if isSpecial(scalar) { result.append("\\") }
            result.append(CommentText.isLineBreak(scalar) ? " " : scalar)
        }
        return String(result)
    }
}
