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
    /// - Parameter path: the path of the database file.
    /// - Throws: ``ImportProblem`` if the file cannot be read.
    package init(sqlite path: String) throws(ImportProblem) {
        let database = try ReadDatabase(sqlite: path)
        let accepted = try SchemaChecker(database.builder) { draft in
            SchemaWriter(draft: draft, source: database.source).schemas()
        }.accepted(path: path)
        files = ([accepted.schemas.settings].compactMap(\.self) + accepted.schemas.files).map {
            ImportedFile(
                path: $0.source.path, text: String(decoding: $0.source.bytes, as: UTF8.self))
        }
        entityCount = accepted.draft.entities.count
        report =
            ImportReport(
                draft: accepted.draft, source: database.source, tables: database.tableCount
            ).lines
    }
}
