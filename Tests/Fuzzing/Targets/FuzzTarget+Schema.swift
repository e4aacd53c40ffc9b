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
            return files.count == 2 ? nil : "\(files.count) files come of one."
        } catch {
            return "A schema without mistakes cannot be rendered: \(error)"
        }
    }

    /// Whether a range begins in a line that the file has, or at its end.
    private static func isInside(_ range: SourceRange, _ bytes: [UInt8]) -> Bool {
        let lines = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D }
        return range.start.line >= 1 && range.start.line <= lines && range.start.column >= 1
    }
}
