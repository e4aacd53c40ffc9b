public import RepositorySchema

/// Parses schema files: YAML in, declarations out.
public enum SchemaParser {
    /// Parses a set of schema files.
    ///
    /// One run reports all errors of all files. If there are errors, the set still contains what
    /// was understood, so that the validator can find more errors. It is marked as incomplete and
    /// must not be used to generate code.
    ///
    /// - Parameters:
    ///   - files: The schema files, in any order.
    ///   - settings: The settings file, `repositories.yaml`, if it exists.
    ///   - cache: A cache of parsed files. Only files that have changed are parsed, and the set
    ///     has the revisions of its files.
    /// - Returns: The set and the diagnostics, in the order of the files.
    public static func parse(
        files: [SchemaSource], settings: SchemaSource?, cache: SchemaCache? = nil
    ) -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        // Revisions are only meaningful to callers with a cache.
        let isRemembered = cache != nil
        let cache = cache ?? SchemaCache()
        var diagnostics: [Diagnostic] = []
        let settings = settings.map { parse(settings: $0, &diagnostics) } ?? SchemaSettings()
        let files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        var set = SchemaSet(
            settings: settings, files: files.map(\.path), declarations: [])
        var names = FileNames(setName: settings.name)
        cache.read(files)
        if isRemembered { set.revisions = cache.revisions }
        var copies = FileCopies()
        for file in files {
            let parsed = cache.parsed(file)
            if let parsed, parsed.declaresSomething, let problem = copies.problem(with: file) {
                // Its declarations and errors are those of the other file.
                diagnostics.append(problem.withRule(.fileName))
                continue
            }
            if let problem = names.problem(with: file) {
                diagnostics.append(problem.withRule(.fileName))
                // A file with a duplicate name is still parsed. A file with another extension may
                // not be a schema.
                guard file.path.hasSuffix(".yaml") else {
                    set.isComplete = false
                    continue
                }
            }
            parsed?.add(to: &set, &diagnostics)
        }
        set.resolveOwnTypes()
        return (set, diagnostics)
    }

    /// Parses the settings file. Invalid settings have their default values.
    private static func parse(
        settings file: SchemaSource, _ diagnostics: inout [Diagnostic]
    ) -> SchemaSettings {
        let documents = YAMLDocuments(bytes: file.bytes, path: file.displayPath)
        diagnostics += documents.diagnostics.map { $0.withRule(.yaml) }
        guard let root = documents.roots.first else { return SchemaSettings() }
        var checker = ShapeChecker()
        checker.check(root, .keys(.settings), "the settings file")
        if documents.roots.count > 1 {
            checker.add(
                "the settings file contains one document only", at: documents.roots[1].range,
                help: "remove the '---' and what follows")
        }
        diagnostics += checker.diagnostics.map { $0.withRule(.shape) }
        return SchemaSettings(YAMLMapping(root))
    }
}
