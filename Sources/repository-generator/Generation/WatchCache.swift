internal import RepositoryGeneratorCore
internal import RepositorySchemaParser

/// The in-memory cache of a generator that watches for changes. With it, a run repeats only the
/// work that a change requires.
final class WatchCache {
    /// The parsed schema files.
    let schemas = SchemaCache()
    /// The schema files without validation errors.
    let validated = CheckCache()
    /// The schema files without warnings.
    let linted = CheckCache()
    /// The rendered files.
    let files = RenderCache()
}
