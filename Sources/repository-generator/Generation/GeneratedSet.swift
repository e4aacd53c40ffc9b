internal import RepositoryGeneratorCore
internal import RepositorySchema

/// The way from schema files to generated files, in memory.
struct GeneratedSet {
    /// The generated files; nil when the schemas have errors.
    let files: [OutputFile]?
    /// What is wrong with the schemas.
    let report: DiagnosticReport
    /// The name of the output folder.
    let outputName: String
    /// Whether a folder of templates was read: its files are no inputs that are remembered.
    let hasTemplates: Bool

    /// Generates from the schemas of a folder.
    ///
    /// - Parameter memory: what was read and made before, if that is remembered.
    init(
        _ folder: SchemaFolder, _ locations: Locations, warningsAreErrors: Bool,
        memory: RunMemory? = nil
    ) throws {
        let schemas = CheckedSchemas(
            folder, locations, warningsAreErrors: warningsAreErrors, memory: memory)
        outputName = schemas.set.settings.output
        hasTemplates = locations.templates != nil || schemas.set.settings.templates != nil
        guard !schemas.report.hasErrors else {
            files = nil
            report = schemas.report
            return
        }
        let added = try TemplateFolder(for: schemas.set.settings, locations)
        let (templates, problems) = try added.templates(warningsAreErrors: warningsAreErrors)
        let all = problems + (templates?.problems(with: schemas.set) ?? [])
        report = schemas.report.adding(all, in: added.texts)
        guard !report.hasErrors else {
            files = nil
            return
        }
        files = try RepositoryGenerator.render(
            schemas.set, schemaFolder: locations.schemaFolderName, templates: templates,
            memory: memory?.files)
    }
}
