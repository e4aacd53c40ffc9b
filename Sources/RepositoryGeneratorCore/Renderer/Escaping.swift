internal import Mustache

/// How `{{name}}` escapes a value, depending on the format of the output file. `{{{name}}}` writes
/// the value unchanged in every format.
///
/// All escaping works on Unicode scalars, because the readers of these formats do. `<` followed by
/// a combining mark is one `Character`, but still opens a tag.
///
/// ```
/// format       extensions                      a < b
/// HTML         htm, html, plist, svg, xml      a &lt; b
/// Markdown     markdown, md                    a \< b
/// ```
enum Escaping: String {
    /// The value is written unchanged.
    case none = "TEXT"
    /// See ``XMLContentType``.
    case html = "HTML"
    /// See ``MarkdownContentType``.
    case markdown = "MARKDOWN"
    /// See ``SwiftContentType``.
    case swift = "SWIFT"

    /// Selects the escaping by the extension of the output file. Unknown extensions use none.
    init(ending: String) {
        switch ending {
        case "htm", "html", "plist", "svg", "xml": self = .html
        case "markdown", "md": self = .markdown
        case "swift": self = .swift
        default: self = .none
        }
    }

    /// The first line of a template, which selects the escaping. The engine removes it from the
    /// output.
    var pragma: String {
        _ = Self.registered
        return "{{% CONTENT_TYPE: \(rawValue) }}\n"
    }

    /// Registers the content types with the engine, once per process. The engine's registry is
    /// global.
    private static let registered: Void = {
        MustacheContentTypes.register(XMLContentType(), named: Escaping.html.rawValue)
        MustacheContentTypes.register(MarkdownContentType(), named: Escaping.markdown.rawValue)
        MustacheContentTypes.register(SwiftContentType(), named: Escaping.swift.rawValue)
    }()
}

/// Escapes a value for an ordinary Swift string literal or a comment. Identifiers and type names
/// are not changed by the escaping.
struct SwiftContentType: MustacheContentType {
    /// Returns the escaped text.
    func escapeText(_ text: String) -> String { SwiftLiteral.inside(text) }
}

/// Escapes a value for an element or a quoted attribute of XML or HTML.
struct XMLContentType: MustacheContentType {
    /// Returns the escaped text.
    func escapeText(_ text: String) -> String { XMLText.escaped(text) }
}

/// Escapes a value for one line of Markdown, including a table cell. Line breaks become spaces.
struct MarkdownContentType: MustacheContentType {
    /// Returns the escaped text.
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
