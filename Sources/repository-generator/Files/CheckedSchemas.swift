internal import RepositoryGeneratorCore
internal import RepositorySchema
internal import RepositorySchemaParser

/// Schemas that were read, and what is wrong with them.
struct CheckedSchemas {
    /// All that could be understood; nothing may be made of it when the report has errors.
    let set: SchemaSet
    /// What is wrong.
    let report: DiagnosticReport

    /// Reads the schemas of a folder.
    init(reading locations: Locations) throws {
        let folder = try SchemaFolder(at: locations.schemas)
        self.init(folder.files, settings: folder.settings, module: locations.module)
    }

    /// Parses and validates.
    init(_ sources: [SchemaSource], settings: SchemaSource?, module: String?) {
        let (set, found) = SchemaParser.parse(files: sources, settings: settings)
        let problems =
            found + Validator.validate(set, options: ValidationOptions(moduleName: module))
        self.set = set
        report = DiagnosticReport(problems, in: sources + [settings].compactMap { $0 })
    }
}
