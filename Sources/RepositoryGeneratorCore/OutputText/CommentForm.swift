/// The syntax of a one-line comment in an output format.
///
/// It is used for the header of generated files only.
///
/// ```
/// // …          Swift and other languages
/// <!-- … -->    HTML, Markdown, XML
/// # …           YAML, Python and others
/// ```
struct CommentForm: Sendable, Hashable {
    /// The opening delimiter, with a trailing space.
    let open: String
    /// The closing delimiter. Empty if the comment ends with the line.
    let close: String

    private init(_ open: String, _ close: String = "") {
        self.open = open
        self.close = close
    }

    /// The Swift form, `// …`.
    static let slashes = CommentForm("// ")

    /// Returns the text with any sequence escaped that would end the comment: `--` in `<!-- … -->`,
    /// `*/` in `/* … */`.
    func inside(_ text: String) -> String {
        // The last byte of the closing delimiter, or of the sequence that is not allowed inside the
        // comment, is written as an escape.
        let ends: [UInt8]
        switch close {
        case " -->": ends = Array("--".utf8)
        case " */": ends = Array("*/".utf8)
        default: return text
        }
        var result: [UInt8] = []
        for byte in text.utf8 {
            if result.last == ends[0], byte == ends[1] {
                result += SwiftLiteral.escape(of: Unicode.Scalar(byte)).utf8
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the syntax for a file extension, or nil if the format is unknown or has no comments,
    /// such as JSON.
    init?(ending: String) {
        guard let form = Self.table.first(where: { $0.endings.contains(ending) })?.form else {
            return nil
        }
        self = form
    }

    /// All comment forms.
    static var all: [CommentForm] { table.map(\.form) }

    /// All supported extensions, sorted.
    static var endings: [String] { table.flatMap(\.endings).sorted() }

    /// The extensions of each form. Templates can only generate files with one of these extensions.
    private static let table: [(form: CommentForm, endings: [String])] = [
        (
            slashes,
            [
                "c", "cpp", "cs", "dart", "dot", "go", "h", "java", "js", "kt", "m", "proto", "rs",
                "scala", "swift", "ts",
            ]
        ),
        (CommentForm("<!-- ", " -->"), ["htm", "html", "markdown", "md", "plist", "svg", "xml"]),
        (
            CommentForm("# "),
            ["graphql", "mk", "py", "r", "rb", "sh", "tf", "toml", "yaml", "yml"]
        ),
        (CommentForm("-- "), ["hs", "lua", "sql"]),
        (CommentForm("/* ", " */"), ["css"]),
        (CommentForm("%% "), ["mmd"]),
        (CommentForm("' "), ["puml"]),
        (CommentForm("% "), ["tex"]),
        (CommentForm(".. "), ["rst"]),
    ]
}
