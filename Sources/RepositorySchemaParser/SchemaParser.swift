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
    ///   - memory: What was read before: only files that differ are parsed, and what is read is kept there. The set then has the
    ///     revisions of its files.
    /// - Returns: The set, and what is wrong, file by file in the order of reading.
    public static func parse(
        files: [SchemaSource], settings: SchemaSource?, memory: SchemaMemory? = nil
    ) -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        // Without a memory nobody asks for revisions again.
        let isRemembered = memory != nil
        let memory = memory ?? SchemaMemory()
        var diagnostics: [Diagnostic] = []
        let settings = settings.map { parse(settings: $0, &diagnostics) } ?? SchemaSettings()
        let files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        var set = SchemaSet(
            settings: settings, files: files.map(\.path), declarations: [])
        var names = FileNames(setName: settings.name)
        memory.read(files)
        if isRemembered { set.revisions = memory.revisions }
        var copies = FileCopies()
        for file in files {
            let parsed = memory.parsed(file)
            if let parsed, parsed.declaresSomething, let problem = copies.problem(with: file) {
                // Its declarations are those of the other file, and so are its mistakes.
                diagnostics.append(problem.breaking(.fileName))
                continue
            }
            if let problem = names.problem(with: file) {
                diagnostics.append(problem.breaking(.fileName))
                // A twin is still worth reading; a file of another kind may be no schema at all.
                guard file.path.hasSuffix(".yaml") else {
                    set.isComplete = false
                    continue
                }
            }
            parsed?.add(to: &set, &diagnostics)
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
