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
    ///
    /// - Parameter warningsAreErrors: whether what is odd is wrong.
    init(reading locations: Locations, warningsAreErrors: Bool = false) throws {
        self.init(
            try SchemaFolder(at: locations.schemas), locations,
            warningsAreErrors: warningsAreErrors)
    }

    /// Parses, validates, and looks for what is odd where nothing is wrong.
    ///
    /// - Parameter memory: what was read before, if that is remembered.
    init(
        _ folder: SchemaFolder, _ locations: Locations, warningsAreErrors: Bool,
        memory: RunMemory? = nil
    ) {
        let (sources, settings) = (folder.files, folder.settings)
        let (set, found) = SchemaParser.parse(
            files: sources, settings: settings, memory: memory?.schemas)
        let options = ValidationOptions(moduleName: locations.module)
        var problems =
            found + Validator.validate(set, options: options, memory: memory?.validated)
        // What is wrong hides what is used.
        if problems.isEmpty {
            problems = Linter.warnings(of: set, memory: memory?.linted)
            if warningsAreErrors { problems = problems.map(\.asError) }
        }
        self.set = set
        report = DiagnosticReport(problems, in: sources + [settings].compactMap { $0 })
    }
}

extension Diagnostic {
    /// The diagnostic as one that keeps the output from being made.
    var asError: Diagnostic {
        var diagnostic = self
        diagnostic.severity = .error
        return diagnostic
    }
}
