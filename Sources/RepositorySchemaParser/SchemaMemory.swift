internal import RepositorySchema

/// What was read of schema files, so that who reads them again parses only those that changed.
public final class SchemaMemory {
    /// A file as it was read.
    private struct Entry {
        var source: SchemaSource
        var parsed: ParsedFile
        var revision: Int
    }

    private var entries: [String: Entry] = [:]
    private var lastRevision = 0

    /// Remembers nothing yet.
    public init() {}

    /// Which reading of each file is remembered, by its path: no two readings share a number.
    var revisions: [String: Int] { entries.mapValues(\.revision) }

    /// Parses the files that are new or not as they were, and forgets those that are gone.
    func read(_ files: [SchemaSource]) {
        // No file is read differently for what stands in another.
        let changed = files.filter { entries[$0.path]?.source != $0 }
        let parsed = changed.concurrentlyMapped { ParsedFile($0) }
        for (file, parsed) in zip(changed, parsed) {
            lastRevision += 1
            entries[file.path] = Entry(source: file, parsed: parsed, revision: lastRevision)
        }
        guard entries.count > files.count else { return }
        let paths = Set(files.map(\.path))
        entries = entries.filter { paths.contains($0.key) }
    }

    /// What stands in a file that was read.
    func parsed(_ file: SchemaSource) -> ParsedFile? { entries[file.path]?.parsed }
}
