import Foundation

/// A Swift source of a module: the types that it declares and the names of types that it uses.
struct SourceFile {
    /// The path below the package: `Sources/RepositoryRuntime/Query/Query.swift`.
    let path: String
    /// The name of the module's folder.
    let module: String
    /// The folder below that of the module, with `/` between its parts; empty for files beside the folders.
    let folder: String
    /// The types that it declares for other files, outside of all braces.
    private(set) var declared: Set<String> = []
    /// The types that it declares inside an extension: by the extended type.
    private(set) var declaredInExtensions: [String: Set<String>] = [:]
    /// The uses of names that begin with a capital letter; for each name and qualifier the first.
    private(set) var uses: [Use] = []

    /// A name where a type may stand.
    struct Use: Equatable {
        var name: String
        /// The name before the dot; nil where there is none.
        var qualifier: String?
        /// The type whose declaration or extension it stands in; nil outside of both.
        var context: String?
        var line: Int
    }

    /// Reads a source.
    ///
    /// - Parameters:
    ///   - path: the path below the package, `Sources/<module>/…/<name>.swift`.
    ///   - text: the whole source.
    init(path: String, text: String) {
        self.path = path
        let parts = path.split(separator: "/").map(String.init)
        module = parts.count > 1 ? parts[1] : ""
        folder = parts.dropFirst(2).dropLast().joined(separator: "/")
        var reader = DeclarationReader(SwiftTokens(text).tokens)
        reader.read()
        declared = reader.declared
        declaredInExtensions = reader.declaredInExtensions
        uses = reader.uses
    }
}

/// Finds the declarations of types among the tokens of a source, and the words that may name types.
private struct DeclarationReader {
    private let tokens: [SwiftTokens.Token]
    private(set) var declared: Set<String> = []
    private(set) var declaredInExtensions: [String: Set<String>] = [:]
    private(set) var uses: [SourceFile.Use] = []
    /// Names that mean something else in this source: of nested types and of private ones.
    private var local: Set<String> = []

    private static let declaring: Set<String> = [
        "struct", "class", "enum", "actor", "protocol", "typealias",
    ]
    /// What begins other declarations, which an access level may precede.
    private static let otherDeclaring: Set<String> = ["func", "import", "let", "operator", "var"]

    init(_ tokens: [SwiftTokens.Token]) {
        self.tokens = tokens
    }

    mutating func read() {
        var depth = 0
        var isPrivate = false
        var (context, isExtension): (String?, Bool) = (nil, false)
        var seen: Set<String> = []
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .openBrace: depth += 1
            case .closeBrace:
                depth -= 1
                if depth == 0 { (context, isExtension, isPrivate) = (nil, false, false) }
            case .dot, .other: continue
            case .word:
                let name = name(after: index)
                if depth == 0, token.text == "private" || token.text == "fileprivate" {
                    isPrivate = true
                } else if depth == 0, Self.otherDeclaring.contains(token.text) {
                    isPrivate = false
                } else if depth == 0, token.text == "extension" {
                    (context, isExtension) = (extendedType(after: index), true)
                } else if Self.declaring.contains(token.text), let name {
                    if depth > 0 {
                        local.insert(name)
                        if depth == 1, isExtension, let context {
                            declaredInExtensions[context, default: []].insert(name)
                        }
                    } else {
                        if isPrivate { local.insert(name) } else { declared.insert(name) }
                        context = name
                        // Nothing closes an alias, so its access ends here.
                        isPrivate = token.text == "typealias" ? false : isPrivate
                    }
                } else if depth > 0, token.text == "associatedtype", let name {
                    local.insert(name)
                } else if token.text.first?.isUppercase == true {
                    let qualifier = qualifier(before: index)
                    let key = "\(qualifier ?? "").\(token.text).\(context ?? "")"
                    guard seen.insert(key).inserted else { continue }
                    uses.append(
                        SourceFile.Use(
                            name: token.text, qualifier: qualifier, context: context,
                            line: token.line))
                }
            }
        }
        uses.removeAll { $0.qualifier == nil && local.contains($0.name) }
    }

    /// The word after a token, if it is the name of a type and no other word of the language.
    private func name(after index: Int) -> String? {
        guard index + 1 < tokens.count, tokens[index + 1].kind == .word,
            tokens[index + 1].text.first?.isUppercase == true
        else { return nil }
        return tokens[index + 1].text
    }

    /// The last part of the name after a token: `B` of `extension A.B`.
    private func extendedType(after index: Int) -> String? {
        var (name, next) = (name(after: index), index + 2)
        while next + 1 < tokens.count, tokens[next].kind == .dot, tokens[next + 1].kind == .word {
            name = tokens[next + 1].text
            next += 2
        }
        return name
    }

    /// The word before the dot before a token; empty where something else stands before the dot.
    private func qualifier(before index: Int) -> String? {
        guard index > 0, tokens[index - 1].kind == .dot else { return nil }
        guard index > 1, tokens[index - 2].kind == .word else { return "" }
        return tokens[index - 2].text
    }
}

extension SourceFile {
    /// The Swift sources below a folder of the package, in the order of their paths.
    static func all(below folder: String, in package: URL) throws -> [SourceFile] {
        let root = package.appending(path: folder).standardizedFileURL
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
            .filter { $0.hasSuffix(".swift") }.sorted()
        return try paths.map { path in
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            return SourceFile(path: "\(folder)/\(path)", text: text)
        }
    }
}
