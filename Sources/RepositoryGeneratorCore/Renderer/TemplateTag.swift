internal import RepositorySchema

/// A tag of a template with its source location.
struct TemplateTag {
    /// The function of a tag.
    enum Kind {
        /// The kinds, by the character after the opening delimiter. A variable has none.
        case variable, section, inverted, close, partial, parent, block, comment, delimiters, pragma
    }

    /// The function of the tag.
    var kind: Kind
    /// The name in the tag. For a comment, an empty string.
    var name: String
    /// The source range of the whole tag.
    var range: SourceRange
}

/// Finds the tags of a template and reports unbalanced sections.
///
/// It runs before the parser of the template engine and gives every tag a source range, for
/// diagnostics about names and inclusions. It stops at the first error.
///
/// For example, `{{#entities}}{{name}}{{/entities}}` has three tags: a section, a variable and a
/// close tag.
struct TemplateScanner {
    /// The tags found so far.
    private(set) var tags: [TemplateTag] = []
    /// The errors found so far, at most one.
    private(set) var diagnostics: [Diagnostic] = []

    /// An open section, and the delimiters to restore after it.
    private struct Section {
        /// The opening tag.
        var tag: TemplateTag
        var delimiters: Delimiters
    }

    /// The strings that open and close a tag.
    private struct Delimiters {
        var open = Array("{{".unicodeScalars)
        var close = Array("}}".unicodeScalars)
    }

    /// The maximum nesting depth of sections.
    private static let deepest = 64

    /// The template as Unicode scalars.
    private let text: [Unicode.Scalar]
    /// The path of the template, for diagnostics.
    private let path: String
    /// The index of the next scalar in `text`.
    private var place = 0
    /// The line and column of `place`.
    private var position = SourcePosition.start
    /// The delimiters at the current position.
    private var delimiters = Delimiters()
    /// The open sections, the innermost last.
    private var sections: [Section] = []

    /// Scans a template.
    init(_ text: String, path: String) {
        self.text = Array(text.unicodeScalars)
        self.path = path
        while findOpening(), diagnostics.isEmpty { readTag() }
        guard diagnostics.isEmpty, let section = sections.last else { return }
        add(
            "the section '\(section.tag.name)' is not closed", at: section.tag.range,
            help: "write '{{/\(section.tag.name)}}' behind it")
    }

    /// Adds an error.
    private mutating func add(
        _ message: String, at range: SourceRange, help: String? = nil,
        notes: [Diagnostic.Note] = []
    ) {
        diagnostics.append(
            Diagnostic(message, at: range, help: help, notes: notes, rule: .template))
    }

    /// Returns whether the given scalars follow at the current position.
    private func stands(_ marks: [Unicode.Scalar]) -> Bool {
        text[place...].starts(with: marks)
    }

    /// Moves forward and updates the line and column.
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

    /// Moves to the next tag. Returns false at the end of the text.
    private mutating func findOpening() -> Bool {
        while place < text.count, !stands(delimiters.open) { advance() }
        return place < text.count
    }

    /// Reads the tag at the current position and applies its effect on sections and delimiters.
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

    /// The kinds of tags by the character after the opening delimiter.
    private static let kinds: [Unicode.Scalar: TemplateTag.Kind] = [
        "#": .section, "^": .inverted, "/": .close, ">": .partial, "<": .parent, "$": .block,
        "!": .comment, "=": .delimiters, "%": .pragma,
    ]

    /// Opens or closes a section, or changes the delimiters.
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

    /// Closes the innermost section, or reports a mismatch.
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
