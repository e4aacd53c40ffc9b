package import RepositorySchema
internal import RepositorySchemaParser

/// Existing schemas, with what they lack of a database.
package struct DatabaseMerge {
    /// The files that change: those of the existing schemas with lines added, and new ones.
    package let files: [ImportedFile]
    /// The report: what was added and what it rests on, and what is not described.
    package let report: [String]
    /// What is gone from the database, and what the schemas say otherwise. Nothing of it changes a
    /// file.
    package let warnings: [Diagnostic]
    /// Why lines cannot be added to a file, at the locations. Nothing may be written then.
    package let problems: [Diagnostic]
    /// If there are problems, what a person has to add.
    package let textToAdd: [String]

    /// Reads an SQLite database and compares it with schemas.
    ///
    /// Text of the schemas is never changed or removed. Entities are matched by their tables and
    /// fields by their columns, so that both can have been renamed. The same database and schemas
    /// give the same result, and nothing new the second time.
    ///
    /// - Parameters:
    ///   - path: the path of the database file.
    ///   - existing: the schemas.
    ///   - answer: answers a question about each guess that has alternatives, if no field describes
    ///     the column yet; `nil` to accept the guesses.
    /// - Throws: ``ImportProblem`` if the file cannot be read, or if the schemas would have errors,
    ///   or if a question has no answer.
    package init(
        sqlite path: String, into existing: ExistingSchemas,
        asking answer: ImportQuestion.Answer? = nil
    ) throws(ImportProblem) {
        try self.init(.sqlite(path), into: existing, asking: answer)
    }

    /// Reads a database and compares it with schemas.
    ///
    /// - Parameters:
    ///   - place: the database.
    ///   - existing: the schemas.
    ///   - answer: answers a question about each guess that has alternatives, if no field describes
    ///     the column yet; `nil` to accept the guesses.
    /// - Throws: ``ImportProblem`` if it cannot be read, or if the schemas would have errors, or if
    ///   a question has no answer.
    package init(
        _ place: DatabaseSource, into existing: ExistingSchemas,
        asking answer: ImportQuestion.Answer? = nil
    ) throws(ImportProblem) {
        var database = try ReadDatabase(place)
        let path = database.path
        if let answer { try database.ask(about: existing.lacks, path: path, answer) }
        let source = database.source
        var builder = database.builder
        builder.known = existing.names
        // What the language refuses of the database alone was not written before either.
        let alone = try SchemaChecker(builder) { draft in
            SchemaWriter(draft: draft, source: source).schemas()
        }.accepted(path: path)
        let accepted = try SchemaChecker(alone.builder) { draft in
            MergedSchemas(existing, draft, source: source).schemas()
        }.accepted(path: path)
        let merged = MergedSchemas(existing, accepted.draft, source: source)
        warnings =
            SchemaComparison(
                existing: existing, draft: alone.draft, found: alone.set, shapes: database.shapes
            ).warnings
        problems = accepted.schemas.problems.map(\.diagnostic)
        textToAdd = problems.isEmpty ? [] : merged.textToAdd
        files = problems.isEmpty ? accepted.schemas.files.compactMap(\.imported) : []
        report =
            MergeReport(merged: merged, source: source, tables: database.tableCount)
            .lines
    }
}

extension WrittenSchemas.File {
    /// The file, if an import wrote a part of it.
    fileprivate var imported: ImportedFile? {
        guard !texts.isEmpty else { return nil }
        return ImportedFile(
            path: source.path, text: String(decoding: source.bytes, as: UTF8.self))
    }
}
