internal import Mustache

/// What `{{name}}` does to a text, by the file that it is written to; `{{{name}}}` writes it as it is everywhere.
enum Escaping: String {
    case none = "TEXT"
    case html = "HTML"
    case markdown = "MARKDOWN"

    init(ending: String) {
        switch ending {
        case "htm", "html", "plist", "svg", "xml": self = .html
        case "markdown", "md": self = .markdown
        default: self = .none
        }
    }

    /// The first line of a template that says so to the engine, which takes it out.
    var pragma: String {
        _ = Self.registered
        return "{{% CONTENT_TYPE: \(rawValue) }}\n"
    }

    private static let registered: Void = MustacheContentTypes.register(
        MarkdownContentType(), named: Escaping.markdown.rawValue)
}

/// Text on one line of Markdown, also inside a table's cell.
struct MarkdownContentType: MustacheContentType {
    func escapeText(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\", "`", "*", "_", "[", "]", "<", ">", "|", "#": result += "\\\(character)"
            case "&": result += "&amp;"
            case _ where character.isNewline: result += " "
            default: result.append(character)
            }
        }
        return result
    }
}
