/// The tables of a database with the facts of their values.
struct ReadDatabase {
    /// The name of the file.
    let source: String
    /// The tables, and the views that can be read, ordered by their names.
    private(set) var tables: [ReadTable]
    /// The views that cannot be read, and virtual tables.
    let others: [TableShape]

    /// Reads a database.
    ///
    /// - Parameter path: the path of the file.
    /// - Throws: ``ImportProblem`` if the file cannot be read.
    init(sqlite path: String) throws(ImportProblem) {
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
        source = path.split(separator: "/").last.map(String.init) ?? path
        self.tables = tables
        self.others = others
    }

    /// Asks about the types of columns.
    ///
    /// - Parameters:
    ///   - isAsked: whether a column of a table is asked about.
    ///   - path: the path of the file, for errors.
    ///   - answer: answers a question.
    /// - Throws: ``ImportProblem`` if a question has no answer.
    mutating func ask(
        about isAsked: (TableShape, TableShape.Column) -> Bool, path: String,
        _ answer: ImportQuestion.Answer
    ) throws(ImportProblem) {
        for index in tables.indices {
            let shape = tables[index].shape
            guard tables[index].ask(about: { isAsked(shape, $0) }, answer) else {
                throw ImportProblem(path: path, reason: "is not imported: a question has no answer")
            }
        }
    }

    /// Builds the entities of the tables.
    var builder: SchemaBuilder {
        let base = source.split(separator: ".", omittingEmptySubsequences: false).first
        return SchemaBuilder(
            tables: tables, others: others, fileName: base.map(String.init) ?? source)
    }

    /// The number of tables, without views.
    var tableCount: Int { tables.count { $0.shape.kind == .table } }

    /// The tables and views.
    var shapes: [TableShape] { tables.map(\.shape) + others }
}
