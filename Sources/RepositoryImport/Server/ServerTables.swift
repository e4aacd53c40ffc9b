/// The tables and views of a PostgreSQL database, with what is known of their values.
struct ServerTables {
    private(set) var tables: [ReadTable] = []
    /// What cannot be described.
    private(set) var others: [TableShape] = []

    /// Reads the catalog, and the values of views.
    init(_ psql: PsqlProgram) throws(ImportProblem) {
        for relation in try ServerCatalog(psql).relations {
            switch relation.shape.kind {
            case .table:
                tables.append(ReadTable(relation.shape, types: relation.types))
            case .view:
                do throws(ImportProblem) {
                    tables.append(try Self.view(relation, psql))
                } catch {
                    var unread = relation.shape
                    unread.problem = error.reason
                    others.append(unread)
                }
            default: others.append(relation.shape)
            }
        }
    }

    /// Returns a view with its columns that have a different value in each row.
    private static func view(
        _ relation: ServerCatalog.Relation, _ psql: PsqlProgram
    ) throws(ImportProblem) -> ReadTable {
        let shape = relation.shape
        let candidates = shape.columns.indices.filter {
            relation.types[$0].type?.isIdentifier == true
        }
        let counts = candidates.map { column in
            let name = PsqlProgram.quoted(shape.columns[column].name)
            let value = relation.types[column].type == .string ? "\(name)::text" : name
            return "count(DISTINCT \(value)) = count(*)"
        }
        let all = (["count(*)"] + counts).joined(separator: ", ")
        let values = try psql.values("SELECT \(all) FROM \(PsqlProgram.quoted(shape.name));")
        let unique = zip(candidates, values.dropFirst()).filter { $1 == "t" }.map(\.0)
        return ReadTable(
            shape, types: relation.types, rows: values.first.flatMap { Int($0) } ?? 0,
            unique: unique)
    }
}
