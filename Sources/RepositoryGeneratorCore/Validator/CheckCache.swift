internal import RepositorySchema

/// An incremental cache of checked schema files: a repeated run checks only the files that a change
/// affects.
///
/// Diagnostics about a single declaration depend on its file, on the settings, on the declarations
/// that could not be read, and on the declarations that the check looks up by name. ``LookupNotes``
/// records these lookups.
///
/// Only files without diagnostics are cached. A file with diagnostics is checked in every run, with
/// a complete list of declarations, because suggestions may name any of them. Diagnostics about all
/// declarations together are recomputed in every run too.
///
/// The cache is not synchronised; the validator and the linter call it from one thread.
public final class CheckCache {
    /// The inputs that the diagnostics of every file depend on. A change discards the whole cache.
    struct Frame: Sendable, Equatable {
        /// The settings of the set.
        var settings: SchemaSettings
        /// The options of the validator. The linter uses the default.
        var options = ValidationOptions()
        /// Whether all files could be read.
        var isComplete: Bool
        /// The names of rejected declarations.
        var refusedNames: Set<String>
    }

    /// The inputs of the last run.
    private var frame: Frame?
    /// The stamps of the files without diagnostics.
    private var entries: [String: FileStamp] = [:]
    /// The schema files that the last run checked, as opposed to those that it took from the cache.
    /// For tests.
    package private(set) var lastChecked: [String] = []

    /// Creates an empty cache.
    public init() {}

    /// Returns the declarations of the files that have diagnostics. The caller checks these again,
    /// with the complete scope.
    ///
    /// - Parameters:
    ///   - scope: The scope of the set. Its declarations are grouped by file.
    ///   - options: The options of the validator.
    ///   - find: Returns the diagnostics of a file's declarations. It is called once per file that
    ///     is not cached, with a scope that records lookups.
    func declarations(
        in scope: SchemaScope, options: ValidationOptions = ValidationOptions(),
        where find: ([Declaration], SchemaScope) -> [Diagnostic]
    ) -> [Declaration] {
        begin(scope, options)
        let declarations = scope.set.declarations
        var found: [Declaration] = []
        var start = 0
        while start < declarations.count {
            let file = declarations[start].header.sourceFile
            var end = start + 1
            while end < declarations.count, declarations[end].header.sourceFile == file { end += 1 }
            if entries[file]?.stands(for: file, in: scope) != true {
                let own = Array(declarations[start..<end])
                if !isClear(own, of: file, in: scope, find) { found += own }
            }
            start = end
        }
        return found
    }

    /// Starts a run. Discards all entries if the frame changed, and the entries of files that no
    /// longer exist.
    private func begin(_ scope: SchemaScope, _ options: ValidationOptions) {
        let set = scope.set
        let frame = Frame(
            settings: set.settings, options: options, isComplete: set.isComplete,
            refusedNames: scope.refusedNames)
        if frame != self.frame { entries = [:] }
        self.frame = frame
        lastChecked = []
        guard entries.count > set.files.count else { return }
        let paths = Set(set.files)
        entries = entries.filter { paths.contains($0.key) }
    }

    /// Checks a file and returns whether it has no diagnostics. In that case the file is added to
    /// the cache.
    private func isClear(
        _ declarations: [Declaration], of file: String, in scope: SchemaScope,
        _ find: ([Declaration], SchemaScope) -> [Diagnostic]
    ) -> Bool {
        lastChecked.append(file)
        entries[file] = nil
        let notes = LookupNotes()
        for declaration in declarations { notes.add(declaration.header.name.value) }
        guard find(declarations, scope.noting(in: notes)).isEmpty else { return false }
        // A name resolves to the first declaration that has it, so a file with a duplicate name
        // cannot be tracked by lookups.
        let isFirst = declarations.allSatisfy {
            scope.declarations[$0.header.name.value]?.header.name == $0.header.name
        }
        if isFirst { entries[file] = FileStamp(of: file, dependingOn: notes.names, in: scope) }
        return true
    }
}
