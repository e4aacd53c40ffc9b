internal import RepositorySchemaParser

/// Schemas that describe a database which exists already.
package struct DatabaseImport {
    /// The schema files: the settings first, then a file for each entity, ordered by table.
    package let files: [ImportedFile]
    /// The report: what each guess rests on, and what is not described.
    package let report: [String]
    /// The number of entities.
    package let entityCount: Int

    /// Reads an SQLite database.
    ///
    /// The database and the files beside it are not changed. The same database gives the same files
    /// and the same report.
    ///
    /// - Parameters:
    ///   - path: the path of the database file.
    ///   - answer: answers a question about each guess that has alternatives; `nil` to accept them.
    /// - Throws: ``ImportProblem`` if the file cannot be read, or if a question has no answer.
    package init(
        sqlite path: String, asking answer: ImportQuestion.Answer? = nil
    ) throws(ImportProblem) {
        try self.init(.sqlite(path), asking: answer)
    }

    /// Reads a database.
    ///
    /// - Parameters:
    ///   - place: the database.
    ///   - answer: answers a question about each guess that has alternatives; `nil` to accept them.
    ///   - takesOver: whether tables become those of the store, where nothing of them is lost.
    /// - Throws: ``ImportProblem`` if it cannot be read, or if a question has no answer.
    package init(
        _ place: DatabaseSource, asking answer: ImportQuestion.Answer? = nil,
        takingOver takesOver: Bool = false
    ) throws(ImportProblem) {
        var database = try ReadDatabase(place)
        let path = database.path
        if let answer { try database.ask(about: { _, _ in true }, path: path, answer) }
        let source = database.source
        let accepted = try SchemaChecker(database.builder) { draft in
            SchemaWriter(draft: draft, source: source, takesOver: takesOver).schemas()
        }.accepted(path: path)
        let entities = accepted.draft.entities
        var lines =
            ImportReport(
                draft: accepted.draft, source: source, tables: database.tableCount
            ).lines
        if takesOver {
            let kept = entities.filter { $0.lossOfTakingOver != nil }
            lines.append("Taken over: \(Count.text(entities.count - kept.count, "table"))")
            lines += kept.map { entity in
                "  \(entity.name) stays as it is: \(entity.lossOfTakingOver ?? "")"
            }
        }
        self.init(accepted.schemas, lines, entities.count)
    }

    init(_ schemas: WrittenSchemas, _ report: [String], _ entityCount: Int) {
        files = ([schemas.settings].compactMap(\.self) + schemas.files).map {
            ImportedFile(
                path: $0.source.path, text: String(decoding: $0.source.bytes, as: UTF8.self))
        }
        (self.report, self.entityCount) = (report, entityCount)
    }
}
