internal import RepositoryGeneratorCore
internal import RepositorySchemaParser

/// The in-memory cache of a generator that watches for changes. With it, a run repeats only the
/// work that a change requires.
final class RunMemory {
    /// The parsed schema files.
    let schemas = SchemaMemory()
    /// The schema files without validation errors.
    let validated = CheckMemory()
    /// The schema files without warnings.
    let linted = CheckMemory()
    /// The rendered files.
    let files = RenderMemory()
}
