internal import RepositorySchema

/// A tag of a template at its place.
struct TemplateTag {
    /// What a tag does.
    enum Kind {
        case variable, section, inverted, close, partial, parent, block, comment, delimiters, pragma
    }

    var kind: Kind
    /// What it names, without the transforms around a variable.
    var name: String
    /// The whole tag.
    var range: SourceRange
}

/// Finds the tags of a template, and sections that are not closed.
struct TemplateScanner {
    private(set) var tags: [TemplateTag] = []
    private(set) var diagnostics: [Diagnostic] = []

    /// A section that is open, with the delimiters that hold again behind it.
    private struct Section {
        var tag: TemplateTag
        var delimiters: Delimiters
    }

    private struct Delimiters {
        var open = Array("{{".unicodeScalars)
        var close = Array("}}".unicodeScalars)
    }

    /// Sections deeper than this are a mistake.
    private static let deepest = 64

    private let text: [Unicode.Scalar]
    private let path: String
    private var place = 0
    private var position = SourcePosition.start
    private var delimiters = Delimiters()
    private var sections: [Section] = []

    /// Scans a whole template.
    init(_ text: String, path: String) {
        self.text = Array(text.unicodeScalars)
        self.path = path
        while findOpening(), diagnostics.isEmpty { readTag() }
        guard diagnostics.isEmpty, let section = sections.last else { return }
        add(
            "the section '\(section.tag.name)' is not closed", at: section.tag.range,
            help: "write '{{/\(section.tag.name)}}' behind it")
    }

    private mutating func add(
        _ message: String, at range: SourceRange, help: String? = nil,
        notes: [Diagnostic.Note] = []
    ) {
        diagnostics.append(
            Diagnostic(message, at: range, help: help, notes: notes, rule: .template))
    }

    private func stands(_ marks: [Unicode.Scalar]) -> Bool {
        text[place...].starts(with: marks)
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where place < text.count {
            if text[place] == "\n" {
                position = SourcePosition(line: position.line + 1, column: 1)
            } else {
                position.column += 1
            }
            place += 1
        }
    }

    /// Goes to the next tag.
    private mutating func findOpening() -> Bool {
        while place < text.count, !stands(delimiters.open) { advance() }
        return place < text.count
    }

    private mutating func readTag() {
        let start = position
        advance(delimiters.open.count)
        let mark = place < text.count ? text[place] : " "
        let kind = Self.kinds[mark]
        if kind != nil || mark == "{" || mark == "&" { advance() }
        let end: [Unicode.Scalar] =
            switch mark {
            case "{": delimiters.close + ["}"]
            case "=": ["="] + delimiters.close
            default: delimiters.close
            }
        var content = ""
        while place < text.count, !stands(end) {
            content.unicodeScalars.append(text[place])
            advance()
        }
        guard place < text.count else {
            add(
                "the tag is not closed",
                at: SourceRange(
                    path: path, start: start,
                    end: SourcePosition(line: start.line, column: start.column + 2)),
                help: "write '\(String(String.UnicodeScalarView(end)))' behind it")
            return
        }
        advance(end.count)
        let range = SourceRange(path: path, start: start, end: position)
        let words = content.split(whereSeparator: \.isWhitespace)
        let tag = TemplateTag(
            kind: kind ?? .variable,
            name: kind == .comment ? "" : words.joined(separator: " "), range: range)
        tags.append(tag)
        follow(tag)
    }

    private static let kinds: [Unicode.Scalar: TemplateTag.Kind] = [
        "#": .section, "^": .inverted, "/": .close, ">": .partial, "<": .parent, "$": .block,
        "!": .comment, "=": .delimiters, "%": .pragma,
    ]

    private mutating func follow(_ tag: TemplateTag) {
        switch tag.kind {
        case .section, .inverted, .block, .parent:
            guard sections.count < Self.deepest else {
                add("sections stand more than \(Self.deepest) deep in each other", at: tag.range)
                return
            }
            sections.append(Section(tag: tag, delimiters: delimiters))
        case .close: close(tag)
        case .delimiters:
            let words = tag.name.split(separator: " ").map { Array($0.unicodeScalars) }
            guard words.count == 2 else {
                add("a tag that sets delimiters names two: '{{=<% %>=}}'", at: tag.range)
                return
            }
            delimiters = Delimiters(open: words[0], close: words[1])
        case .variable, .partial, .comment, .pragma: return
        }
    }

    private mutating func close(_ tag: TemplateTag) {
        guard let section = sections.popLast() else {
            add("'{{/\(tag.name)}}' closes no section", at: tag.range, help: "remove it")
            return
        }
        guard section.tag.name == tag.name else {
            add(
                "'{{/\(tag.name)}}' stands where the section '\(section.tag.name)' ends",
                at: tag.range, help: "close '\(section.tag.name)' first",
                notes: [Diagnostic.Note("it begins here", at: section.tag.range)])
            return
        }
        delimiters = section.delimiters
    }
}
