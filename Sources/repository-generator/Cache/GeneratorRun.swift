internal import RepositoryGeneratorCore

/// One run over the schemas as they were read, and what is remembered of the last one.
struct GeneratorRun {
    let folder: SchemaFolder
    let locations: Locations
    private let inputs: RunInputs?
    private let cache: RunCache?

    /// Reads the schemas.
    init(_ locations: Locations, _ cache: RunCache?) throws {
        folder = try SchemaFolder(at: locations.schemas)
        self.locations = locations
        self.cache = cache
        // Templates change the output as well, and are read only when they are needed.
        inputs =
            cache == nil || locations.templates != nil ? nil : RunInputs(folder, locations)
    }

    /// How many generated files there are, if the last run was made from the same and all it left stands as it was.
    func standingCount() throws -> Int? {
        guard let inputs, let last = cache?.lastRun, last.inputs == inputs.digest,
            try last.isStanding(in: locations.outputFolder(named: last.outputName))
        else { return nil }
        return last.count
    }

    /// Keeps that the output folder now holds what the schemas generate.
    ///
    /// A run with warnings is not remembered: the next one must find them again. Nor is one with templates, which are not
    /// among the inputs that are hashed.
    func remember(_ set: GeneratedSet) {
        guard let inputs, let cache, let files = set.files, !set.hasTemplates,
            set.report.diagnostics.isEmpty
        else {
            return
        }
        cache.remember(RunRecord(inputs, made: files, in: set.outputName))
    }
}
