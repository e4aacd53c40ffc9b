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
        let file = try SourceFile(path)
        var tables: [ReadTable] = []
        var others: [TableShape] = []
        for shape in try Catalog.tables(of: file, path: path) {
            switch shape.kind {
            case .table: tables.append(try TableScan.table(shape, in: file, path: path))
            case .view where shape.problem == nil:
                do throws(ImportProblem) {
                    tables.append(try TableScan.view(shape, in: file, path: path))
                } catch {
                    var unread = shape
                    unread.problem = error.reason
                    others.append(unread)
                }
            case .view, .virtual, .shadow: others.append(shape)
            }
        }
        try file.checkUnchanged(path)
        let source = path.split(separator: "/").last.map(String.init) ?? path
        let base = source.split(separator: ".", omittingEmptySubsequences: false).first
        let builder = SchemaBuilder(
            tables: tables, others: others, fileName: base.map(String.init) ?? source)
        let accepted = try SchemaChecker(builder, source: source).accepted(path: path)
        files = accepted.files
        entityCount = accepted.draft.entities.count
        report =
            ImportReport(
                draft: accepted.draft, source: source,
                tables: tables.count { $0.shape.kind == .table }
            ).lines
    }
}
