internal import RepositoryGeneratorCore
internal import RepositorySchema
internal import RepositorySchemaParser

extension FuzzTarget {
    /// The whole way of a schema file: bytes, YAML, declarations, checks, Swift.
    static let schema = FuzzTarget("schema") { bytes in
        let source = SchemaSource(path: "Fuzz.yaml", bytes: bytes)
        let (set, found) = SchemaParser.parse(files: [source], settings: nil)
        let diagnostics = found + Validator.validate(set)
        if let outside = diagnostics.first(where: { !isInside($0.range, bytes) }) {
            return "A mistake lies outside the file: \(outside)"
        }
        guard diagnostics.isEmpty else { return nil }
        do {
            let files = try RepositoryGenerator.render(set)
            guard files.count == 2 else { return "\(files.count) files come of one." }
            for file in files {
                if let strange = try strangeName(in: file.text, of: set) { return strange }
            }
            return nil
        } catch let flaw as SwiftSkeleton.Flaw {
            return "What is generated is no Swift: \(flaw)"
        } catch {
            return "A schema without mistakes cannot be rendered: \(error)"
        }
    }

    /// A declaration that the schema does not name.
    private static func strangeName(in text: String, of set: SchemaSet) throws -> String? {
        let names = set.declarations.map(\.header.name.value) + [set.settings.name]
        return try SwiftSkeleton(text).topLevelNames.first { declared in
            // `BookMapper`, `BookRepository`, `DeclaredField`, and the type of a union's case.
            !names.contains { declared.contains($0) }
        }.map { "'\($0)' is declared, and the schema does not name it." }
    }

    /// Whether a range begins in a line that the file has, or at its end.
    private static func isInside(_ range: SourceRange, _ bytes: [UInt8]) -> Bool {
        let lines = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D }
        return range.start.line >= 1 && range.start.line <= lines && range.start.column >= 1
    }
}
