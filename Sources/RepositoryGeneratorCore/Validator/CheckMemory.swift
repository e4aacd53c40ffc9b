internal import RepositorySchema

/// Which schema files nothing was found in, so that who checks again looks only at those that a change leads to.
///
/// What is said of a declaration by itself depends on its file, on the settings, on what could not be read, and on the
/// declarations that are asked for by name: ``LookupNotes`` notes them. A file in which something was found is not
/// remembered: it is looked at each time, with a list of all declarations, of which help may name any. What is said of all
/// declarations together is found out each time as well.
public final class CheckMemory {
    /// What all files depend on.
    struct Frame: Sendable, Equatable {
        var settings: SchemaSettings
        var options = ValidationOptions()
        var isComplete: Bool
        var refusedNames: Set<String>
    }

    private var frame: Frame?
    private var entries: [String: FileStamp] = [:]
    /// The schema files that were looked at when they were last to be checked.
    package private(set) var lastChecked: [String] = []

    /// Remembers nothing yet.
    public init() {}

    /// The declarations of the files in which something is found.
    ///
    /// - Parameters:
    ///   - scope: the set.
    ///   - options: what the schemas do not say.
    ///   - find: what is found in the declarations of a file.
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

    /// Forgets all that was found out in another frame, and all of files that are gone.
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

    /// Whether nothing is found in a file, which is kept.
    private func isClear(
        _ declarations: [Declaration], of file: String, in scope: SchemaScope,
        _ find: ([Declaration], SchemaScope) -> [Diagnostic]
    ) -> Bool {
        lastChecked.append(file)
        entries[file] = nil
        let notes = LookupNotes()
        for declaration in declarations { notes.add(declaration.header.name.value) }
        guard find(declarations, scope.noting(in: notes)).isEmpty else { return false }
        // A name stands for the first declaration that has it, and only that one can be asked for again.
        let isFirst = declarations.allSatisfy {
            scope.declarations[$0.header.name.value]?.header.name == $0.header.name
        }
        if isFirst { entries[file] = FileStamp(of: file, dependingOn: notes.names, in: scope) }
        return true
    }
}
