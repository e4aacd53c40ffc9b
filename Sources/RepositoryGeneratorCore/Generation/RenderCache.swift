internal import RepositorySchema

/// An incremental cache of rendered files: a repeated run renders only the files that a change
/// affects.
///
/// The output of a schema file depends on the file's own text, on the settings of the set, on the
/// names that the set hides, and on the declarations that the translator looks up by name. A lookup
/// that finds nothing counts as a dependency too. ``LookupNotes`` records these lookups while the
/// file is rendered. A cached output is valid as long as each recorded name resolves to the same
/// declaration.
///
/// The cache is not synchronised. ``RepositoryGenerator`` reads and writes it on the calling thread
/// only, before and after the concurrent rendering.
///
/// Create one instance per schema set and pass it to every run of
/// ``RepositoryGenerator/render(_:schemaFolder:templates:cache:)``.
public final class RenderCache {
    /// The inputs that every output file depends on. A change discards the whole cache.
    struct Frame: Sendable, Equatable {
        var settings: SchemaSettings
        var schemaFolder: String
        /// The names that the set hides. Every file qualifies such a name with its module.
        var names: OutputNames
    }

    /// A cached output file and the state of the inputs that it was rendered from.
    private struct Entry {
        var output: OutputFile
        var stamp: FileStamp
    }

    private var frame: Frame?
    private var entries: [String: Entry] = [:]
    /// The schema files that the last run rendered, as opposed to those that it took from the
    /// cache. For tests.
    package private(set) var lastMade: [String] = []

    /// Creates an empty cache.
    public init() {}

    /// Starts a run. Discards all entries if the frame changed, and the entries of files that no
    /// longer exist.
    func begin(_ frame: Frame, files: [String]) {
        if frame != self.frame { entries = [:] }
        self.frame = frame
        lastMade = []
        guard entries.count > files.count else { return }
        let paths = Set(files)
        entries = entries.filter { paths.contains($0.key) }
    }

    /// Returns the cached output of a schema file, or nil if the file must be rendered again.
    func output(of file: String, in scope: SchemaScope) -> OutputFile? {
        guard let entry = entries[file], entry.stamp.stands(for: file, in: scope) else {
            return nil
        }
        return entry.output
    }

    /// Caches the output of a schema file. A file without a revision is not cached.
    ///
    /// - Parameter names: The names that were looked up while the file was rendered.
    func keep(
        _ output: OutputFile, of file: String, dependingOn names: Set<String>, in scope: SchemaScope
    ) {
        lastMade.append(file)
        entries[file] = FileStamp(of: file, dependingOn: names, in: scope).map {
            Entry(output: output, stamp: $0)
        }
    }
}
