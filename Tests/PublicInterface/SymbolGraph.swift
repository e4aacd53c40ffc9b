import Foundation

/// The symbols of a module that the compiler's `swift-symbolgraph-extract` lists, as far as they are read here.
///
/// The format is that of SymbolKit: https://github.com/swiftlang/swift-docc-symbolkit.
struct SymbolGraph: Decodable {
    var symbols: [Symbol]
    var relationships: [Relationship]

    struct Symbol: Decodable {
        var kind: Kind
        var identifier: Identifier
        var pathComponents: [String]
        var declarationFragments: [Fragment]
        var swiftExtension: Extension?
    }

    struct Kind: Decodable {
        var identifier: String
    }

    struct Identifier: Decodable {
        var precise: String
    }

    struct Fragment: Decodable {
        var spelling: String
    }

    /// The extension that a symbol is declared in.
    struct Extension: Decodable {
        var constraints: [Constraint]?
    }

    struct Constraint: Decodable {
        var kind: String
        var lhs: String
        var rhs: String
    }

    struct Relationship: Decodable {
        var kind: String
        var source: String
        var target: String
        var targetFallback: String?
    }
}

extension SymbolGraph {
    /// What every type conforms to unless it says otherwise; which of them are listed depends on the compiler.
    private static let implicit: Set<String> = [
        "Swift.BitwiseCopyable", "Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype",
    ]

    /// A line for each declaration and each conformance, sorted by its bytes.
    var lines: [String] {
        let paths = Dictionary(
            symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
            uniquingKeysWith: { first, _ in first })
        let declarations = symbols.filter { $0.kind.identifier != "swift.extension" }.map(\.line)
        let conformances = relationships.compactMap { relationship -> String? in
            guard relationship.kind == "conformsTo", let source = paths[relationship.source],
                let target = paths[relationship.target] ?? relationship.targetFallback,
                !Self.implicit.contains(target)
            else { return nil }
            return "\(source): conforms to \(target)"
        }
        // By bytes: the order of `String` depends on the version of Unicode.
        return Set(declarations + conformances).sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
    }
}

extension SymbolGraph.Symbol {
    /// The path, the declaration, and what distinguishes a member of an extension from one of the type.
    fileprivate var line: String {
        let path = pathComponents.joined(separator: ".")
        let declaration = declarationFragments.map(\.spelling).joined()
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard let swiftExtension else { return "\(path): \(declaration)" }
        let constraints = (swiftExtension.constraints ?? []).map(\.text).sorted()
        let place = constraints.isEmpty ? "" : " where " + constraints.joined(separator: ", ")
        return "\(path): \(declaration) [extension\(place)]"
    }
}

extension SymbolGraph.Constraint {
    fileprivate var text: String { "\(lhs) \(kind == "sameType" ? "==" : ":") \(rhs)" }
}
