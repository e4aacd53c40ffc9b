internal import RepositoryGeneratorCore
internal import RepositorySchema
internal import RepositorySchemaParser

/// Writes schemas that the schema language accepts.
///
/// Each error of the parser and of the validator lies in a part of the schemas. The part is left
/// out, with the message as the reason, and the schemas are written again. A part is left out once,
/// so that this ends.
struct SchemaChecker {
    private var builder: SchemaBuilder
    private let source: String

    init(_ builder: SchemaBuilder, source: String) {
        self.builder = builder
        self.source = source
    }

    /// Accepted schemas.
    struct Accepted {
        let draft: SchemaDraft
        let files: [ImportedFile]
    }

    /// Returns schemas without errors.
    ///
    /// - Parameter path: the path of the database, for errors.
    /// - Throws: ``ImportProblem`` if an error belongs to no part that can be left out.
    func accepted(path: String) throws(ImportProblem) -> Accepted {
        var builder = builder
        while true {
            let draft = builder.draft()
            let writer = SchemaWriter(draft: draft, source: source)
            var texts = [(path: SchemaWriter.settingsPath, text: writer.settings())]
            texts += draft.entities.map { (SchemaWriter.path(of: $0), writer.file(of: $0)) }
            let problems = Self.problems(texts)
            guard !problems.isEmpty else {
                return Accepted(
                    draft: draft,
                    files: texts.map { ImportedFile(path: $0.path, text: $0.text.text) })
            }
            let parts = Dictionary(
                texts.map { ($0.path, $0.text) }, uniquingKeysWith: { first, _ in first })
            var hasChanged = false
            for problem in problems {
                let start = problem.range.start
                var part = parts[problem.range.path]?.part(line: start.line, column: start.column)
                while let found = part, builder.refusals[found] != nil { part = found.fallback }
                guard let part else { continue }
                builder.refusals[part] = problem.message
                hasChanged = true
            }
            guard hasChanged else {
                let problem = problems[0]
                throw ImportProblem(
                    path: path,
                    reason:
                        "cannot be described: \(problem.range.path):\(problem.range.start.line): "
                        + problem.message)
            }
        }
    }

    /// Returns the errors of schemas.
    private static func problems(_ texts: [(path: String, text: SchemaText)]) -> [Diagnostic] {
        let sources = texts.map { path, text in
            SchemaSource(path: path, bytes: Array(text.text.utf8), displayPath: path)
        }
        let (set, found) = SchemaParser.parse(
            files: Array(sources.dropFirst()), settings: sources.first)
        return found.isEmpty ? Validator.validate(set) : found
    }
}
