internal import RepositoryGeneratorCore
internal import RepositorySchemaParser

/// What a generator that stays remembers from one run to the next, so that a run does what a change asks for and no more.
final class RunMemory {
    /// The schema files as they were read.
    let schemas = SchemaMemory()
    /// Which of them nothing was wrong in.
    let validated = CheckMemory()
    /// Which of them nothing was odd in.
    let linted = CheckMemory()
    /// The files that were made of them.
    let files = RenderMemory()
}
