public import RepositorySchema

/// Reads schema files: YAML text in, declarations out.
public enum SchemaParser {
    /// Reads a set of schema files.
    ///
    /// All errors of all files are found in one run. What could be understood is in the set even
    /// when there are errors, marked as incomplete, so that the validator can look for more; nothing
    /// may be generated from it then.
    ///
    /// - Parameters:
    ///   - files: The schema files, in any order.
    ///   - settings: The settings file, `repositories.yaml`, if there is one.
    /// - Returns: The set, and what is wrong, file by file in the order of reading.
    public static func parse(
        files: [SchemaSource], settings: SchemaSource?
    ) -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        var memory = SchemaMemory()
        var result = parse(files: files, settings: settings, remembering: &memory)
        // Nobody asks again.
        result.set.revisions = [:]
        return result
    }

    /// Reads a set of schema files as `parse(files:settings:)` does, but parses only those that are not remembered.
    ///
    /// - Parameters:
    ///   - files: The schema files, in any order.
    ///   - settings: The settings file, `repositories.yaml`, if there is one.
    ///   - memory: What was read before; what is read now is kept there.
    /// - Returns: The set with the revisions of its files, and what is wrong.
    public static func parse(
        files: [SchemaSource], settings: SchemaSource?, remembering memory: inout SchemaMemory
    ) -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        var diagnostics: [Diagnostic] = []
        let settings = settings.map { parse(settings: $0, &diagnostics) } ?? SchemaSettings()
        let files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        var set = SchemaSet(
            settings: settings, files: files.map(\.path), declarations: [])
        var names = FileNames(setName: settings.name)
        memory.read(files)
        set.revisions = memory.revisions
        for file in files {
            if let problem = names.problem(with: file) {
                diagnostics.append(problem.breaking(.fileName))
                // A twin is still worth reading; a file of another kind may be no schema at all.
                guard file.path.hasSuffix(".yaml") else {
                    set.isComplete = false
                    continue
                }
            }
            memory.parsed(file)?.add(to: &set, &diagnostics)
        }
        return (set, diagnostics)
    }

    private static func parse(
        settings file: SchemaSource, _ diagnostics: inout [Diagnostic]
    ) -> SchemaSettings {
        let documents = YAMLDocuments(bytes: file.bytes, path: file.displayPath)
        diagnostics += documents.diagnostics.map { $0.breaking(.yaml) }
        guard let root = documents.roots.first else { return SchemaSettings() }
        var checker = ShapeChecker()
        checker.check(root, .keys(.settings), "the settings file")
        if documents.roots.count > 1 {
            checker.add(
                "the settings file holds one document", at: documents.roots[1].range,
                help: "remove the '---' and what follows")
        }
        diagnostics += checker.diagnostics.map { $0.breaking(.shape) }
        return SchemaSettings(YAMLMapping(root))
    }
}
