internal import Mustache

/// What `{{name}}` does to a text, by the file that it is written to; `{{{name}}}` writes it as it is everywhere.
///
/// Readers of these files look at Unicode scalars: `<` and a combining mark behind it are one
/// `Character`, and still begin a tag.
enum Escaping: String {
    case none = "TEXT"
    case html = "HTML"
    case markdown = "MARKDOWN"
    case swift = "SWIFT"

    init(ending: String) {
        switch ending {
        case "htm", "html", "plist", "svg", "xml": self = .html
        case "markdown", "md": self = .markdown
        case "swift": self = .swift
        default: self = .none
        }
    }

    /// The first line of a template that says so to the engine, which takes it out.
    var pragma: String {
        _ = Self.registered
        return "{{% CONTENT_TYPE: \(rawValue) }}\n"
    }

    private static let registered: Void = {
        MustacheContentTypes.register(XMLContentType(), named: Escaping.html.rawValue)
        MustacheContentTypes.register(MarkdownContentType(), named: Escaping.markdown.rawValue)
        MustacheContentTypes.register(SwiftContentType(), named: Escaping.swift.rawValue)
    }()
}

/// Text between the quotes of an ordinary string literal or in a comment of Swift. Names and types
/// stay as they are.
struct SwiftContentType: MustacheContentType {
    func escapeText(_ text: String) -> String { SwiftLiteral.inside(text) }
}

/// Text in an element or a quoted attribute of XML or HTML.
struct XMLContentType: MustacheContentType {
    func escapeText(_ text: String) -> String { XMLText.escaped(text) }
}

/// Text on one line of Markdown, also inside a table's cell.
struct MarkdownContentType: MustacheContentType {
    func escapeText(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            switch scalar {
            case "\\", "`", "*", "_", "[", "]", "<", ">", "|", "#":
                result.append("\\")
                result.append(scalar)
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            // `\r\n` is one line break.
            case "\n" where previous == "\r": break
            case _ where CommentText.isLineBreak(scalar): result.append(" ")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
