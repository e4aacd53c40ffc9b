internal import RepositoryGeneratorCore
internal import RepositorySchema

/// Generates files from schema files, in memory.
struct GeneratedSet {
    /// The generated files; `nil` if the schemas or templates have errors.
    let files: [OutputFile]?
    /// The checked schemas; `nil` if they have errors.
    let schemas: CheckedSchemas?
    /// The released versions; `nil` if the schemas have errors.
    let versions: RecordedVersions?
    /// What has changed since the last version; `nil` if there is none, or if there are errors.
    let changes: VersionComparison?
    /// The diagnostics of the schemas and templates.
    let report: DiagnosticReport
    /// The name of the output folder, as in the settings.
    let outputName: String
    /// Whether a template folder was used. The run cache does not cover such a run.
    let hasTemplates: Bool

    /// Generates from the schemas in a folder.
    ///
    /// - Parameters:
    ///   - folder: the schema files.
    ///   - locations: the folders.
    ///   - warningsAreErrors: whether warnings are reported as errors.
    ///   - cache: the cache of previous runs.
    /// - Throws: ``FileProblem`` if the templates cannot be read.
    init(
        _ folder: SchemaFolder, _ locations: Locations, warningsAreErrors: Bool,
        cache: WatchCache? = nil
    ) throws {
        let schemas = CheckedSchemas(
            folder, locations, warningsAreErrors: warningsAreErrors, cache: cache)
        outputName = schemas.set.settings.output
        hasTemplates = locations.templates != nil || schemas.set.settings.templates != nil
        self.schemas = schemas.report.hasErrors ? nil : schemas
        guard !schemas.report.hasErrors else {
            files = nil
            changes = nil
            versions = nil
            report = schemas.report
            return
        }
        let recorded = RecordedVersions(schemas)
        let (comparison, undecided) = recorded.changes(warningsAreErrors: warningsAreErrors)
        changes = comparison
        versions = recorded
        let added = try TemplateFolder(for: schemas.set.settings, locations)
        let (templates, problems) = try added.templates(warningsAreErrors: warningsAreErrors)
        let all =
            recorded.diagnostics + undecided + problems
            + (templates?.problems(with: schemas.set) ?? [])
        report = schemas.report.adding(all, in: added.texts)
        guard !report.hasErrors else {
            files = nil
            return
        }
        let name = OutputOwner(
            schemas: locations.schemas, output: locations.outputFolder(named: outputName)
        ).folderInHeaders
        files = try RepositoryGenerator.render(
            schemas.set, history: recorded.history, schemaFolder: name, templates: templates,
            cache: cache?.files)
    }
}
