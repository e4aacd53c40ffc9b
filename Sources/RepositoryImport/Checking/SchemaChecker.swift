internal import RepositoryGeneratorCore
internal import RepositorySchema
internal import RepositorySchemaParser

/// Builds a draft of schemas, without the parts that the schema language does not accept.
protocol DraftBuilder {
    associatedtype Draft
    /// What the schema language does not accept, with the reasons.
    var refusals: [SchemaPart: String] { get set }
    func draft() -> Draft
}

extension SchemaBuilder: DraftBuilder {}

/// Writes schemas that the schema language accepts.
///
/// Each error of the parser and of the validator lies in a part of the schemas. The part is left
/// out, with the message as the reason, and the schemas are written again. A part is left out once,
/// so that this ends.
struct SchemaChecker<Builder: DraftBuilder> {
    private var builder: Builder
    private let write: (Builder.Draft) throws(ImportProblem) -> WrittenSchemas

    /// - Parameters:
    ///   - builder: builds the entities.
    ///   - write: writes them.
    init(
        _ builder: Builder,
        write: @escaping (Builder.Draft) throws(ImportProblem) -> WrittenSchemas
    ) {
        self.builder = builder
        self.write = write
    }

    /// Accepted schemas.
    struct Accepted {
        /// The builder, with what was refused.
        let builder: Builder
        let draft: Builder.Draft
        let schemas: WrittenSchemas
        /// The parsed schemas.
        let set: SchemaSet
    }

    /// Returns schemas without errors, or schemas to which a text could not be added.
    ///
    /// - Parameter path: the path of the database, for errors.
    /// - Throws: ``ImportProblem`` if an error belongs to no part that can be left out.
    func accepted(path: String) throws(ImportProblem) -> Accepted {
        var builder = builder
        while true {
            let draft = builder.draft()
            let schemas = try write(draft)
            let (set, problems) = schemas.checked { Validator.validate($0) }
            guard schemas.problems.isEmpty, !problems.isEmpty else {
                return Accepted(builder: builder, draft: draft, schemas: schemas, set: set)
            }
            var hasChanged = false
            for problem in problems {
                var part = schemas.part(at: problem.range)
                while let found = part, builder.refusals[found] != nil { part = found.fallback }
                guard let part else { continue }
                builder.refusals[part] = problem.message
                hasChanged = true
            }
            if hasChanged { continue }
            guard let (parts, reason) = try cause(of: problems, in: schemas, builder) else {
                let problem = problems[0]
                throw ImportProblem(
                    path: path,
                    reason:
                        "cannot be described: \(problem.range.path):\(problem.range.start.line): "
                        + problem.message)
            }
            for part in parts { builder.refusals[part] = reason }
        }
    }

    /// Finds parts without which an error in the text of a person disappears.
    ///
    /// A further reference to an entity, for example, makes a relation ambiguous that has no `by`.
    private func cause(
        of problems: [Diagnostic], in schemas: WrittenSchemas, _ builder: Builder
    ) throws(ImportProblem) -> (parts: [SchemaPart], reason: String)? {
        for parts in schemas.optionalParts {
            guard parts.contains(where: { builder.refusals[$0] == nil }) else { continue }
            var trial = builder
            for part in parts { trial.refusals[part] = "" }
            let schemas = try write(trial.draft())
            let (_, rest) = schemas.checked { Validator.validate($0) }
            let places = Set(rest.filter { schemas.part(at: $0.range) == nil }.map(\.message))
            guard let solved = problems.first(where: { !places.contains($0.message) }) else {
                continue
            }
            let start = solved.range.start
            return (parts, "\(solved.range.path):\(start.line): \(solved.message)")
        }
        return nil
    }
}
