/// How a kind of file writes a comment of one line.
struct CommentForm: Sendable, Hashable {
    /// What begins it, with its space.
    let open: String
    /// What ends it; empty where the line does.
    let close: String

    private init(_ open: String, _ close: String = "") {
        self.open = open
        self.close = close
    }

    /// `// …`, Swift's own.
    static let slashes = CommentForm("// ")

    /// A text without what would end the comment: `--` in `<!-- … -->`, `*/` in `/* … */`.
    func inside(_ text: String) -> String {
        // The last byte of what ends the comment, or of its forbidden part, is written as an
        // escape.
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

    /// The form of files with an ending; nil for those of no known form, such as JSON, which has none.
    init?(ending: String) {
        guard let form = Self.table.first(where: { $0.endings.contains(ending) })?.form else {
            return nil
        }
        self = form
    }

    /// All forms.
    static var all: [CommentForm] { table.map(\.form) }

    /// All endings, in order.
    static var endings: [String] { table.flatMap(\.endings).sorted() }

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
