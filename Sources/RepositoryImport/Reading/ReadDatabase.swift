/// A database that is imported.
package enum DatabaseSource: Sendable {
    /// The path of an SQLite file.
    case sqlite(String)
    /// The URL of a PostgreSQL database: `postgresql://user@host/database`. Its client `psql` reads
    /// it in read-only transactions. The tables are those of the schema that `?schema=` names, or
    /// of the first one of the search path.
    case postgreSQL(String)
}

/// The tables of a database with the facts of their values.
struct ReadDatabase {
    /// The name of the file or of the database.
    let source: String
    /// The path or the address, for errors.
    let path: String
    /// The store of the database, as `stores` names it.
    private let store: String
    /// The tables, and the views that can be read, ordered by their names.
    private(set) var tables: [ReadTable]
    /// The views that cannot be read, and virtual tables.
    let others: [TableShape]

    /// Reads a database.
    ///
    /// - Throws: ``ImportProblem`` if it cannot be read.
    init(_ source: DatabaseSource) throws(ImportProblem) {
        switch source {
        case .sqlite(let path): try self.init(sqlite: path)
        case .postgreSQL(let address): try self.init(postgreSQL: address)
        }
    }

    private init(postgreSQL url: String) throws(ImportProblem) {
        let address = try ServerAddress(url)
        let read = try ServerTables(PsqlProgram(address: address))
        (source, path, store) = (address.database, address.shown, "postgresql")
        tables = read.tables
        others = read.others
    }

    private init(sqlite path: String) throws(ImportProblem) {
        let file = try SourceFile(path)
        var tables: [ReadTable] = []
        var others: [TableShape] = []
        let shapes = try Catalog.tables(of: file, path: path)
        let names = Set(shapes.map { $0.name.uppercased() })
        if names.isSuperset(of: ["Z_METADATA", "Z_PRIMARYKEY"]) {
            // A row that another program writes lacks what Core Data needs, and damages the store.
            throw ImportProblem(
                path: path,
                reason: "is a store of Core Data or SwiftData; import it as 'coredata:\(path)'")
        }
        for shape in shapes {
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
            case .view, .virtual, .shadow, .other: others.append(shape)
            }
        }
        try file.checkUnchanged(path)
        self.path = path
        store = "sqlite"
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
            tables: tables, others: others, fileName: base.map(String.init) ?? source,
            store: store)
    }

    /// The number of tables, without views.
    var tableCount: Int { tables.count { $0.shape.kind == .table } }

    /// The tables and views.
    var shapes: [TableShape] { tables.map(\.shape) + others }
}
