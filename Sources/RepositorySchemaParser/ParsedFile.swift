internal import RepositorySchema

/// What stands in one file.
struct ParsedFile: Sendable {
    private var outcomes: [DocumentReader.Outcome] = []
    private var isComplete: Bool
    private var diagnostics: [Diagnostic]

    /// Reads a file.
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

    /// Whether a document of it declares a type, or was meant to.
    var declaresSomething: Bool { !outcomes.isEmpty }

    /// Adds what stands there to a set.
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
