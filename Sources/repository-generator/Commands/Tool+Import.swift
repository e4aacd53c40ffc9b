internal import RepositoryImport
internal import RepositorySchema
internal import RepositorySchemaParser

extension Tool {
    /// Writes schemas that describe an SQLite database, and prints what they rest on. If the folder
    /// has schemas already, only what they lack is added to them.
    ///
    /// - Parameters:
    ///   - path: the path of the database.
    ///   - folder: the folder of the schemas.
    ///   - input: returns the next line of a person, who is asked about each guess that has
    ///     alternatives, and `nil` at the end of the input. If it is `nil`, nobody is asked.
    ///   - takesOver: whether tables become those of the store. The folder must be empty then.
    func importDatabase(
        at path: String, into folder: String, asking input: (() -> String?)? = nil,
        takingOver takesOver: Bool = false
    ) -> ExitStatus {
        importDatabase(
            .sqlite(path), shown: path, into: folder, asking: input, takingOver: takesOver)
    }

    /// Writes schemas that describe a PostgreSQL database, and prints what they rest on. If the
    /// folder has schemas already, only what they lack is added to them.
    ///
    /// - Parameters:
    ///   - address: the URL of the database.
    ///   - folder: the folder of the schemas.
    func importServer(at address: String, into folder: String) -> ExitStatus {
        importDatabase(.postgreSQL(address), shown: "the schema", into: folder, asking: nil)
    }

    /// Writes schemas for the classes of a Realm file, and prints what they rest on.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - key: the key of an encrypted file.
    ///   - folder: the folder of the schemas, which must have none yet.
    func importRealm(at path: String, key: [UInt8]? = nil, into folder: String) -> ExitStatus {
        importNew("a Realm file", at: path, into: folder) { () throws(ImportProblem) in
            try DatabaseImport(realm: path, key: key)
        }
    }

    /// Writes schemas for the entities of a store of Core Data or SwiftData, and prints what they
    /// rest on.
    ///
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - model: the path of the model, for a store without one.
    ///   - folder: the folder of the schemas, which must have none yet.
    func importCoreData(at path: String, model: String?, into folder: String) -> ExitStatus {
        importNew("a store of Core Data", at: path, into: folder) { () throws(ImportProblem) in
            try DatabaseImport(coreData: path, model: model)
        }
    }

    private func importNew(
        _ what: String, at path: String, into folder: String,
        _ read: () throws(ImportProblem) -> DatabaseImport
    ) -> ExitStatus {
        reporting {
            let schemas = try SchemaFolder(at: folder, adding: [])
            guard schemas.files.isEmpty, schemas.settings == nil else {
                problem("'\(folder)' has schemas already: \(what) is imported into a new one.")
                problem("Nothing was written.")
                return .drift
            }
            do {
                return try write(
                    read(), of: path,
                    with: SchemaWriting(in: folder, existing: []))
            } catch let problem as ImportProblem {
                self.problem("\(problem)")
                self.problem("Nothing was written.")
                return .unreadable
            }
        }
    }

    private func importDatabase(
        _ source: DatabaseSource, shown path: String, into folder: String,
        asking input: (() -> String?)?, takingOver takesOver: Bool = false
    ) -> ExitStatus {
        reporting {
            let schemas = try SchemaFolder(at: folder, adding: [])
            let sources = schemas.files + [schemas.settings].compactMap { $0 }
            let writing = SchemaWriting(in: folder, existing: sources)
            let answer = input.map { input in { question in ask(question, input) } }
            if takesOver, !sources.isEmpty {
                problem("'\(folder)' has schemas already: '--take-over' writes new ones.")
                problem("Nothing was written.")
                return .drift
            }
            do {
                return sources.isEmpty
                    ? try write(
                        DatabaseImport(source, asking: answer, takingOver: takesOver), of: path,
                        with: writing)
                    : try merge(source, into: schemas, asking: answer, with: writing)
            } catch let problem as ImportProblem {
                self.problem("\(problem)")
                self.problem("Nothing was written.")
                return .unreadable
            }
        }
    }

    /// Writes the first schemas of a database.
    private func write(
        _ database: DatabaseImport, of path: String, with writing: SchemaWriting
    ) throws -> ExitStatus {
        for line in database.report { say(line) }
        guard database.entityCount > 0 else {
            problem("\(path): error: no table of the database can be described")
            problem("Nothing was written.")
            return .schemaErrors
        }
        try writing.write(database.files)
        say(
            "\(database.files.count) written to '\(writing.folder)'; "
                + "'repository-generator generate' makes Swift of them.")
        return .success
    }

    /// Adds what schemas lack of a database.
    private func merge(
        _ source: DatabaseSource, into schemas: SchemaFolder,
        asking answer: ImportQuestion.Answer?, with writing: SchemaWriting
    ) throws -> ExitStatus {
        let sources = schemas.files + [schemas.settings].compactMap { $0 }
        let existing: ExistingSchemas
        do {
            existing = try ExistingSchemas(files: schemas.files, settings: schemas.settings)
        } catch {
            report(DiagnosticReport(error.diagnostics, in: sources))
            return .schemaErrors
        }
        let merge = try DatabaseMerge(source, into: existing, asking: answer)
        for line in merge.report { say(line) }
        report(DiagnosticReport(merge.warnings + merge.problems, in: sources))
        guard merge.problems.isEmpty else {
            for line in merge.textToAdd { problem(line) }
            problem("Nothing was written. Add these lines by hand.")
            return .drift
        }
        guard !merge.files.isEmpty else {
            say("Nothing new.")
            return .success
        }
        try writing.write(merge.files)
        let known = Set(sources.map(\.path))
        let changed = merge.files.count { known.contains($0.path) }
        say("\(changed) changed and \(merge.files.count - changed) written in '\(writing.folder)'.")
        return .success
    }
}
