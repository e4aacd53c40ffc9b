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

    /// Reads the schemas of a folder and generates.
    init(reading locations: Locations) throws {
        let schemas = try CheckedSchemas(reading: locations)
        report = schemas.report
        outputName = schemas.set.settings.output
        files =
            report.hasErrors
            ? nil
            : try RepositoryGenerator.render(
                schemas.set, schemaFolder: locations.schemaFolderName)
    }
}
