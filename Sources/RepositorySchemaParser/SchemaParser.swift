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
        var diagnostics: [Diagnostic] = []
        let settings = settings.map { parse(settings: $0, &diagnostics) } ?? SchemaSettings()
        let files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        var set = SchemaSet(
            settings: settings, files: files.map(\.path), declarations: [])
        var names = FileNames(setName: settings.name)
        // No file is read differently for what stands in another.
        let parsed = files.concurrentlyMapped { ParsedFile($0) }
        for (file, parsed) in zip(files, parsed) {
            if let problem = names.problem(with: file) {
                diagnostics.append(problem.breaking(.fileName))
                // A twin is still worth reading; a file of another kind may be no schema at all.
                guard file.path.hasSuffix(".yaml") else {
                    set.isComplete = false
                    continue
                }
            }
            parsed.add(to: &set, &diagnostics)
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

/// What stands in one file.
private struct ParsedFile {
    private var outcomes: [DocumentReader.Outcome] = []
    private var isComplete: Bool
    private var diagnostics: [Diagnostic]

    init(_ file: SchemaSource) {
        let documents = YAMLDocuments(bytes: file.bytes, path: file.displayPath)
        diagnostics = documents.diagnostics.map { $0.breaking(.yaml) }
        isComplete = !documents.isCutShort
        for root in documents.roots {
            var reader = DocumentReader(sourceFile: file.path)
            outcomes.append(reader.read(root))
            if reader.hidesNames { isComplete = false }
            diagnostics += reader.diagnostics.map { $0.breaking(.shape) }
        }
    }

    func add(to set: inout SchemaSet, _ diagnostics: inout [Diagnostic]) {
        for outcome in outcomes {
            switch outcome {
            case .declared(let declaration): set.declarations.append(declaration)
            case .refused(let name): set.refusedNames.append(name)
            case .nameless: set.isComplete = false
            }
        }
        if !isComplete { set.isComplete = false }
        diagnostics += self.diagnostics
    }
}
