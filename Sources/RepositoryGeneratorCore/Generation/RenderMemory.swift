internal import RepositorySchema

/// What was rendered, so that who renders again makes only the files that a change leads to.
///
/// What a schema file generates depends on its own text, on the settings, on what the set hides, and on the declarations that it asks for by name,
/// those that are missing included: ``LookupNotes`` notes them all while it is made. It stands as long as each of these
/// names has the declaration that it had.
public final class RenderMemory {
    /// What all files depend on.
    struct Frame: Sendable, Equatable {
        var settings: SchemaSettings
        var schemaFolder: String
        /// What the set hides: all files name it by its module.
        var names: OutputNames
    }

    /// A file that was made.
    private struct Entry {
        var output: OutputFile
        var stamp: FileStamp
    }

    private var frame: Frame?
    private var entries: [String: Entry] = [:]
    /// The schema files whose output was made when it was last asked for, not remembered.
    package private(set) var lastMade: [String] = []

    /// Remembers nothing yet.
    public init() {}

    /// Forgets all that was not made in a frame, and all of files that are gone.
    func begin(_ frame: Frame, files: [String]) {
        if frame != self.frame { entries = [:] }
        self.frame = frame
        lastMade = []
        guard entries.count > files.count else { return }
        let paths = Set(files)
        entries = entries.filter { paths.contains($0.key) }
    }

    /// What a schema file generates; nil where it must be made anew.
    func output(of file: String, in scope: SchemaScope) -> OutputFile? {
        guard let entry = entries[file], entry.stamp.stands(for: file, in: scope) else {
            return nil
        }
        return entry.output
    }

    /// Keeps what a schema file generates.
    ///
    /// - Parameter names: those that it depends on.
    func keep(
        _ output: OutputFile, of file: String, dependingOn names: Set<String>, in scope: SchemaScope
    ) {
        lastMade.append(file)
        entries[file] = FileStamp(of: file, dependingOn: names, in: scope).map {
            Entry(output: output, stamp: $0)
        }
    }
}
