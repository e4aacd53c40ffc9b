internal import RepositoryGeneratorCore
internal import RepositorySchema
internal import RepositorySchemaParser

/// The way from schema files to generated files, in memory.
struct GeneratedSet {
    /// The generated files; nil when the schemas have errors.
    let files: [OutputFile]?
    /// What is wrong with the schemas, as text; empty when nothing is.
    let diagnostics: String
    /// The name of the output folder.
    let outputName: String

    /// Reads the schemas of a folder and generates.
    init(reading locations: Locations) throws {
        let folder = try SchemaFolder(at: locations.schemas)
        try self.init(
            folder.files, settings: folder.settings, schemaFolder: locations.schemaFolderName,
            module: locations.module)
    }

    /// Parses, validates and renders.
    init(
        _ sources: [SchemaSource], settings: SchemaSource?, schemaFolder: String, module: String?
    ) throws {
        let (set, found) = SchemaParser.parse(files: sources, settings: settings)
        let problems =
            found + Validator.validate(set, options: ValidationOptions(moduleName: module))
        diagnostics = Self.text(of: problems, in: sources + [settings].compactMap { $0 })
        outputName = set.settings.output
        let hasErrors = problems.contains { $0.severity == .error }
        files =
            hasErrors ? nil : try RepositoryGenerator.render(set, schemaFolder: schemaFolder)
    }

    private static func text(of problems: [Diagnostic], in sources: [SchemaSource]) -> String {
        guard !problems.isEmpty else { return "" }
        let named = Set(problems.flatMap { [$0.range.path] + $0.notes.map(\.range.path) })
        let texts = sources.filter { named.contains($0.displayPath) }.map {
            ($0.displayPath, SourceText(bytes: $0.bytes))
        }
        let renderer = DiagnosticText(
            sources: Dictionary(texts, uniquingKeysWith: { first, _ in first }))
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        return renderer.render(problems) + "\n\(count) found; nothing was written."
    }
}
