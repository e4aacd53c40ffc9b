internal import RepositorySchema

/// A cache of parsed schema files. Parsing a set again parses only the files that have changed.
public final class SchemaCache {
    /// A cached file.
    private struct Entry {
        var source: SchemaSource
        var parsed: ParsedFile
        var revision: Int
    }

    /// The cached files by path.
    private var entries: [String: Entry] = [:]
    private var lastRevision = 0

    /// Creates an empty cache.
    public init() {}

    /// The revision of each cached file, by path. No two versions of a file share a revision.
    var revisions: [String: Int] { entries.mapValues(\.revision) }

    /// Parses the files that are new or have changed, and drops the files that no longer exist.
    func read(_ files: [SchemaSource]) {
        // Files are parsed independently of each other, so the order does not matter.
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

    /// The cached result for a file.
    func parsed(_ file: SchemaSource) -> ParsedFile? { entries[file.path]?.parsed }
}
