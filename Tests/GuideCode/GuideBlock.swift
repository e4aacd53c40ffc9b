/// A block of Swift code on a page of the documentation, and what the comment before it says about it.
struct GuideBlock: Equatable {
    /// What is done with the code of a block.
    enum Treatment: Equatable {
        /// It is compiled as the body of an asynchronous function that throws: a block without a comment.
        case statements
        /// It is compiled as declarations: `<!-- compiled: declarations -->`, `<!-- run -->` if a test runs it, too,
        /// and `<!-- …: make record. -->` if a test wrote it.
        case declarations
        /// Each line is compiled by itself: `<!-- compiled: alternatives -->`.
        case alternatives
        /// It is compiled as the arguments of `Package(…)`: `<!-- compiled: manifest -->`.
        case manifest
        /// It is compiled as the dependencies of a package: `<!-- compiled: dependencies -->`.
        case dependencies
        /// It is a part of a source that is compiled elsewhere: `<!-- from: Tests/… -->`.
        case part(of: String)
        /// Another test writes it, `<!-- file: … -->` and `<!-- edit: … -->`, or compares it with what the page's commands
        /// write, `<!-- contains … -->`.
        case compared
        /// It is not compiled, for a reason: `<!-- not compiled: … -->`.
        case notCompiled(reason: String)
        /// The comment before it has a mistake.
        case unknown(comment: String)
    }

    /// The path of the page in the package.
    let page: String
    /// The number of the first line of the code.
    let line: Int
    /// What is done with it.
    let treatment: Treatment
    /// The code, without the indentation of the block.
    let code: String

    /// Whether the compiler sees the block.
    var isCompiled: Bool {
        switch treatment {
        case .statements, .declarations, .alternatives, .manifest, .dependencies: true
        case .part, .compared, .notCompiled, .unknown: false
        }
    }

    /// Finds the blocks of a page.
    static func all(in text: String, page: String) -> [GuideBlock] {
        var blocks: [GuideBlock] = []
        var comment: String?
        var fence: (indentation: Int, isSwift: Bool, line: Int)?
        var code: [Substring] = []
        var row = 0
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let content = line.drop { $0 == " " }
            if let open = fence {
                guard content.hasPrefix("```") else {
                    code.append(line.dropFirst(min(open.indentation, line.count - content.count)))
                    continue
                }
                if open.isSwift {
                    blocks.append(
                        GuideBlock(
                            page: page, line: open.line, treatment: treatment(by: comment),
                            code: code.joined(separator: "\n")))
                }
                (fence, comment, code) = (nil, nil, [])
            } else if content.hasPrefix("```") {
                // The first line of the code, counted from one, is the one after the fence.
                fence = (line.count - content.count, content == "```swift", index + 2)
            } else if comment == lastColumn, content.hasPrefix("|") {
                // The header and the line below it are not code.
                row += 1
                let code = row > 2 ? lastCell(of: content) : ""
                guard !code.isEmpty else { continue }
                blocks.append(
                    GuideBlock(page: page, line: index + 1, treatment: .statements, code: code))
            } else if content.hasPrefix("<!-- "), content.hasSuffix(" -->") {
                row = 0
                comment = String(content.dropFirst(5).dropLast(4))
            } else if !content.isEmpty || row > 0 {
                (comment, row) = (nil, 0)
            }
        }
        return blocks
    }

    /// The comment before a table whose last column is compiled, a row at a time.
    private static let lastColumn = "compiled: last column"

    /// The code in the last cell of a table's row.
    private static func lastCell(of row: Substring) -> String {
        let cells = row.replacing("\\|", with: "\u{0}").split(separator: "|")
        let parts = (cells.last ?? "").split(separator: "`", omittingEmptySubsequences: false)
        let code = parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        return code.joined(separator: "\n").replacing("\u{0}", with: "|")
    }

    private static func treatment(by comment: String?) -> Treatment {
        guard let comment else { return .statements }
        let parts = comment.split(separator: ": ", maxSplits: 1).map(String.init)
        switch (parts[0], parts.count > 1 ? parts[1] : "") {
        case ("run", _), ("compiled", "declarations"): return .declarations
        case ("compiled", "alternatives"): return .alternatives
        case ("compiled", "manifest"): return .manifest
        case ("compiled", "dependencies"): return .dependencies
        case ("from", let path) where !path.isEmpty: return .part(of: path)
        case ("not compiled", let reason) where reason.contains(" "):
            return .notCompiled(reason: reason)
        case (_, "make record."): return .declarations
        case ("file", _), ("edit", _): return .compared
        case (let other, _) where other.hasPrefix("contains "): return .compared
        default: return .unknown(comment: comment)
        }
    }
}
