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
    /// - Returns: The set and the diagnostics, in the order of the files.
    public static func parse(
        files: [SchemaSource], settings: SchemaSource?
    ) -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        var memory = SchemaMemory()
        var result = parse(files: files, settings: settings, remembering: &memory)
        // Revisions are only meaningful to callers with a cache.
        result.set.revisions = [:]
        return result
    }

    /// Parses a set of schema files like `parse(files:settings:)`, but takes unchanged files from a
    /// cache.
    ///
    /// - Parameters:
    ///   - files: The schema files, in any order.
    ///   - settings: The settings file, `repositories.yaml`, if it exists.
    ///   - memory: The cache, which is updated.
    /// - Returns: The set with the revisions of its files, and the diagnostics.
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
                // A file with a duplicate name is still parsed. A file with another extension may
                // not be a schema.
                guard file.path.hasSuffix(".yaml") else {
                    set.isComplete = false
                    continue
                }
            }
            memory.parsed(file)?.add(to: &set, &diagnostics)
        }
        return (set, diagnostics)
    }

    /// Parses the settings file. Invalid settings have their default values.
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
                "the settings file contains one document only", at: documents.roots[1].range,
                help: "remove the '---' and what follows")
        }
        diagnostics += checker.diagnostics.map { $0.breaking(.shape) }
        return SchemaSettings(YAMLMapping(root))
    }
}
