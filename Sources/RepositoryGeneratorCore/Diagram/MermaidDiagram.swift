internal import RepositorySchema

extension EntityDiagram {
    /// The diagram in the Mermaid language (`erDiagram`), which GitHub and GitLab render in
    /// Markdown.
    ///
    /// ```
    /// erDiagram
    ///     Author ||--o{ Book : "author"
    /// ```
    public var mermaid: String {
        var lines = ["erDiagram"]
        for box in boxes {
            let name = Mermaid.entityName(box.name)
            guard !box.rows.isEmpty else {
                lines.append("    \(name)")
                continue
            }
            lines.append("    \(name) {")
            lines += box.rows.map { "        " + Mermaid.attribute($0) }
            lines.append("    }")
        }
        for link in links {
            let ends = Mermaid.line(from: link.targetCount, to: link.sourceCount, link.isReference)
            lines.append(
                "    \(Mermaid.entityName(boxes[link.target].name)) \(ends) "
                    + "\(Mermaid.entityName(boxes[link.source].name)) : \"\(link.name)\"")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// The syntax of Mermaid's entity-relationship diagrams.
private enum Mermaid {
    /// The reserved words, in lower case. An entity with one of these names must be quoted.
    private static let words: Set<String> = [
        "acctitle", "accdescr", "class", "classdef", "direction", "end", "erdiagram", "many", "one",
        "only", "optionally", "style", "subgraph", "title", "to", "u", "zero",
    ]

    /// Returns the name of an entity, quoted if necessary.
    static func entityName(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { $0 < 0x80 } && !words.contains(name.lowercased())
        return isPlain ? name : "\"\(name)\""
    }

    /// Returns the line of a row: type, name, marks, and a comment for an optional.
    static func attribute(_ row: EntityDiagram.Row) -> String {
        var text = word(type(row.type.unwrapped)) + " " + word(row.name)
        if !row.marks.isEmpty { text += " " + row.marks.map(\.rawValue).joined(separator: ", ") }
        if row.type.isOptional { text += " \"optional\"" }
        return text
    }

    /// Returns the link between two entities. The target is on the left: `Author ||--o{ Book`.
    /// Links to embedded values are dotted.
    static func line(
        from left: EntityDiagram.Cardinality, to right: EntityDiagram.Cardinality,
        _ isReference: Bool
    ) -> String {
        let leftEnd =
            switch left {
            case .one: "||"
            case .zeroOrOne: "|o"
            case .zeroOrMore: "}o"
            }
        let rightEnd =
            switch right {
            case .one: "||"
            case .zeroOrOne: "o|"
            case .zeroOrMore: "o{"
            }
        return leftEnd + (isReference ? "--" : "..") + rightEnd
    }

    /// Returns a type in a notation without characters that are reserved in Mermaid.
    ///
    /// Lists are written as `Author[]`, maps as `Map(Author)`.
    private static func type(_ type: TypeExpression) -> String {
        switch type {
        case .base(let base): base.rawValue
        case .named(let name): name
        case .optional(let wrapped): "Optional(\(self.type(wrapped)))"
        case .list(let element): "\(self.type(element))[]"
        case .map(let value): "Map(\(self.type(value)))"
        }
    }

    /// Returns a word of an attribute with unsupported characters replaced by `_`: dots, and
    /// scalars from U+0080 to U+00BF. A word that starts like a key mark is prefixed with `_`.
    private static func word(_ text: String) -> String {
        var word = ""
        for scalar in text.unicodeScalars {
            let isTaken = (0x80..<0xC0).contains(scalar.value) || scalar == "."
            word.unicodeScalars.append(isTaken ? "_" : scalar)
        }
        return beginsLikeMark(word) ? "_" + word : word
    }

    /// Returns whether Mermaid would read the start of a word as the mark `PK`, `FK` or `UK`.
    private static func beginsLikeMark(_ word: String) -> Bool {
        let bytes = Array(word.lowercased().utf8)
        return ["pk", "fk", "uk"].contains { mark in
            bytes.starts(with: mark.utf8) && (bytes.count == 2 || !isWordByte(bytes[2]))
        }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
