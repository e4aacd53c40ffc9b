import Foundation

/// The source that the blocks of one page become. Its locations are those of the page.
struct GuideSource {
    /// The variables that statements can use without declaring them.
    static let variables = [
        "library": "Library", "shop": "Library", "author": "Author", "isbn": "Book.ID",
        "id": "Product.ID", "books": "[Book]", "client": "Client", "query": "Query<Book>",
        "folder": "URL", "newFolder": "URL", "file": "URL", "path": "String", "keys": "KeyRing",
        "text": "String",
        "cursor": "QueryCursor?", "body": "Data", "otherBody": "Data", "cover": "ExternalData",
        "scan": "URL", "bytes": "Data", "old": "Data", "new": "Data", "noon": "Date",
        "firstID": "UUID", "lastYear": "Date", "request": "Request", "bytesFromTheKeychain": "Data",
        "otherBytes": "Data",
        "store": "any EntityStore", "tenants": "[Library]", "original": "Book", "edited": "Book",
    ]

    private static let modules = [
        "Foundation", "RepositoryRuntime", "RepositorySQL", "RepositorySQLite",
        "RepositoryPostgreSQL", "RepositoryTesting", "RepositoryCompression", "RepositoryMoving",
        "RepositoryEncryption",
        "RepositoryObservability", "RepositoryObservation", "Synchronization",
    ]

    /// The name of its file.
    let name: String
    /// The text: Swift code for modules of an application.
    let text: String
    /// The text: manifests of packages.
    let manifest: String

    /// Makes the sources of a page's blocks.
    init(page: String, _ blocks: [GuideBlock]) {
        name = page.map { $0.isLetter || $0.isNumber ? "\($0)" : "_" }.joined()
        var imports = Set(Self.modules)
        var (types, outside, manifest) = ("", "", "import PackageDescription\n")
        for block in blocks where block.isCompiled {
            var lines = block.code.split(separator: "\n", omittingEmptySubsequences: false)
                .map(String.init)
            for (index, line) in lines.enumerated() where line.hasPrefix("import ") {
                imports.insert(String(line.dropFirst(7)))
                lines[index] = ""
            }
            let code = lines.joined(separator: "\n")
            switch block.treatment {
            case .statements:
                types += Self.function("statements\(block.line)", block, code, at: block.line)
            case .alternatives:
                for (index, line) in lines.enumerated() where !line.isEmpty {
                    let number = block.line + index
                    types += Self.function("alternative\(number)", block, line, at: number)
                }
            case .declarations:
                let located = Self.located(block, code, at: block.line)
                if lines.contains(where: { $0.hasPrefix("extension ") || $0 == "@main" }) {
                    outside += located
                } else {
                    types += located
                }
            case .manifest:
                let function = "func \(name)\(block.line)() -> Package {\nPackage(name: \"App\","
                manifest += Self.located(block, "\(function)\n\(code)\n)\n}", at: block.line - 2)
            case .dependencies:
                let function = "func \(name)\(block.line)() -> [Package.Dependency] {\n["
                manifest += Self.located(block, "\(function)\n\(code)\n]\n}", at: block.line - 2)
            case .part, .compared, .notCompiled, .unknown: break  // See `isCompiled`.
            }
        }
        text =
            imports.sorted().map { "import \($0)\n" }.joined()
            + "struct \(name) {\n\(types)}\n\(outside)"
        self.manifest = manifest
    }

    /// Code whose errors are reported on the page.
    private static func located(_ block: GuideBlock, _ code: String, at line: Int) -> String {
        "#sourceLocation(file: \"\(block.page)\", line: \(line))\n\(code)\n#sourceLocation()\n"
    }

    /// The function of a block of statements.
    private static func function(
        _ name: String, _ block: GuideBlock, _ code: String, at line: Int
    ) -> String {
        let parameters = variables.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return """
            func \(name)(\(parameters.joined(separator: ", ")), book stored: Book) async throws {
            var book = stored
            do {
            \(located(block, code, at: line))}
            }

            """
    }
}
