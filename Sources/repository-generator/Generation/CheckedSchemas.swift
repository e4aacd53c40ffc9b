internal import RepositoryGeneratorCore
internal import RepositorySchema
internal import RepositorySchemaParser

/// Parsed and validated schemas with their diagnostics.
struct CheckedSchemas {
    /// The parsed schemas. They must not be used if the report has errors.
    let set: SchemaSet
    /// The released versions. They must not be used if the report has errors.
    let versions: ReleasedVersions
    /// The diagnostics of the schemas and of the released versions.
    let report: DiagnosticReport

    /// Reads, parses and validates the schemas in a folder.
    ///
    /// - Parameters:
    ///   - locations: the folders.
    ///   - warningsAreErrors: whether warnings are reported as errors.
    /// - Throws: ``FileProblem``.
    init(reading locations: Locations, warningsAreErrors: Bool = false) throws {
        self.init(
            try SchemaFolder(at: locations.schemas), locations,
            warningsAreErrors: warningsAreErrors)
    }

    /// Parses and validates schemas, and checks the files of released versions. If the schemas and versions have
    /// no problems, the linter runs as well.
    ///
    /// - Parameters:
    ///   - folder: the schema files and versions.
    ///   - locations: the folders.
    ///   - warningsAreErrors: whether warnings are reported as errors.
    ///   - cache: the cache of previous runs.
    init(
        _ folder: SchemaFolder, _ locations: Locations, warningsAreErrors: Bool,
        cache: WatchCache? = nil
    ) {
        let (sources, settings) = (folder.files, folder.settings)
        let (set, found) = SchemaParser.parse(
            files: sources, settings: settings, cache: cache?.schemas)
        let options = ValidationOptions(moduleName: locations.module)
        var problems =
            found + Validator.validate(set, options: options, cache: cache?.validated)
        versions = ReleasedVersions(folder.versions, oldest: set.settings.oldest)
        problems += versions.diagnostics
        // The linter runs only on valid schemas: an error can hide that something is used.
        if problems.isEmpty {
            problems = Linter.warnings(of: set, cache: cache?.linted)
            if warningsAreErrors { problems = problems.map(\.asError) }
        }
        self.set = set
        report = DiagnosticReport(problems, in: sources + [settings].compactMap { $0 })
            .adding([], in: folder.versions.compactMap(\.source))
    }
}

extension Diagnostic {
    /// The diagnostic with the severity `error`, which prevents that output is written.
    var asError: Diagnostic {
        var diagnostic = self
        diagnostic.severity = .error
        return diagnostic
    }
}
