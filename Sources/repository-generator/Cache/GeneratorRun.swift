internal import RepositoryGeneratorCore

/// One run of the generator: the schemas as they were read, and the cached record of the last run.
struct GeneratorRun {
    /// The schema files.
    let folder: SchemaFolder
    let locations: Locations
    /// The hashed inputs; `nil` if the run does not use the cache.
    private let inputs: RunInputs?
    private let cache: RunCache?

    /// Reads the schemas.
    ///
    /// - Throws: ``FileProblem``.
    init(_ locations: Locations, _ cache: RunCache?) throws {
        folder = try SchemaFolder(at: locations.schemas)
        self.locations = locations
        self.cache = cache
        // A template folder disables the cache: templates change the output, and they are read only
        // when needed.
        inputs =
            cache == nil || locations.templates != nil ? nil : RunInputs(folder, locations)
    }

    /// Returns the number of generated files if the last run had the same inputs and all of its
    /// output is unchanged; otherwise `nil`.
    ///
    /// It reads and hashes the generated files, but renders nothing.
    func standingCount() throws -> Int? {
        guard let inputs, let last = cache?.lastRun, last.inputs == inputs.digest,
            try last.isStanding(in: locations.outputFolder(named: last.outputName))
        else { return nil }
        return last.count
    }

    /// Records in the cache that the output folder contains what the schemas generate.
    ///
    /// A run with warnings is not recorded, because the next run must report them again. A run with
    /// templates is not recorded, because templates are not among the hashed inputs.
    func remember(_ set: GeneratedSet) {
        guard let inputs, let cache, let files = set.files, !set.hasTemplates,
            set.report.diagnostics.isEmpty
        else {
            return
        }
        cache.remember(RunRecord(inputs, made: files, in: set.outputName))
    }
}
