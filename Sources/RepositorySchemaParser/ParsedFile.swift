internal import RepositorySchema

/// The declarations and diagnostics of one schema file. They depend on no other file, so files can
/// be parsed concurrently and cached.
struct ParsedFile: Sendable {
    private var outcomes: [DocumentReader.Outcome] = []
    /// Whether the names of all types in the file are known.
    private var isComplete: Bool
    private var diagnostics: [Diagnostic]

    /// Parses a file.
    init(_ file: SchemaSource) {
        let documents = YAMLDocuments(bytes: file.bytes, path: file.displayPath)
        self.init(documents)
        for root in documents.roots { read(root, of: file) }
    }

    /// Parses a version file, whose first document can hold decisions of the settings.
    ///
    /// - Returns: The other documents, and settings that have the decisions only.
    static func version(_ file: SchemaSource) -> (file: ParsedFile, decisions: SchemaSettings) {
        let documents = YAMLDocuments(bytes: file.bytes, path: file.displayPath)
        var parsed = ParsedFile(documents)
        var decisions = SchemaSettings()
        for (index, root) in documents.roots.enumerated() {
            guard index == 0, let first = root.entries?.first,
                KeyTable.versionSettings[first.key.value] != nil
            else {
                parsed.read(root, of: file)
                continue
            }
            var checker = ShapeChecker()
            checker.check(root, .keys(.versionSettings), "the first document")
            parsed.diagnostics += checker.diagnostics.map { $0.withRule(.shape) }
            decisions = SchemaSettings(YAMLMapping(root))
        }
        return (parsed, decisions)
    }

    private init(_ documents: YAMLDocuments) {
        diagnostics = documents.diagnostics.map { $0.withRule(.yaml) }
        isComplete = !documents.isCutShort
    }

    /// Reads a document.
    private mutating func read(_ root: YAMLNode, of file: SchemaSource) {
        var reader = DocumentReader(sourceFile: file.path)
        outcomes.append(reader.read(root))
        if reader.hidesNames { isComplete = false }
        diagnostics += reader.diagnostics.map { $0.withRule(.shape) }
    }

    /// Whether a document of the file declares a type, or was meant to.
    var declaresSomething: Bool { !outcomes.isEmpty }

    /// Adds the declarations and diagnostics of the file to those of a set.
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
