/// Reads every row of a table or a view once.
enum TableScan {
    /// Returns a table with what its values have in common.
    ///
    /// Generated columns are computed by code of the database. If it does not run, they are left
    /// out.
    ///
    /// - Parameters:
    ///   - shape: the table.
    ///   - file: the database.
    ///   - path: its path, for errors.
    /// - Throws: ``ImportProblem``.
    static func table(
        _ shape: TableShape, in file: SourceFile, path: String
    ) throws(ImportProblem) -> ReadTable {
        let all = Array(shape.columns.indices)
        let plain = all.filter { !shape.columns[$0].isGenerated }
        if plain.count < all.count {
            do throws(ImportProblem) {
                let (rows, facts) = try facts(of: all, in: shape, file, path)
                return ReadTable(shape, rows: rows, facts: facts)
            } catch {
                let (rows, facts) = try facts(of: plain, in: shape, file, path)
                return ReadTable(shape, rows: rows, facts: facts, unreadable: error.reason)
            }
        }
        let (rows, facts) = try facts(of: plain, in: shape, file, path)
        return ReadTable(shape, rows: rows, facts: facts)
    }

    /// Returns a view with what its values have in common, and its columns without equal values.
    ///
    /// - Throws: ``ImportProblem`` if it cannot be read, or takes too long.
    static func view(
        _ shape: TableShape, in file: SourceFile, path: String
    ) throws(ImportProblem) -> ReadTable {
        try file.limited(path: path) { () throws(ImportProblem) in
            let all = Array(shape.columns.indices)
            let (rows, facts) = try facts(of: all, in: shape, file, path)
            let view = ReadTable(shape, rows: rows, facts: facts)
            let candidates = all.filter {
                facts[$0].nulls == 0 && view.guesses[$0].type?.isIdentifier == true
            }
            guard rows > 0, !candidates.isEmpty else { return view }
            let counts = candidates.map {
                "count(DISTINCT \(SourceFile.quoted(shape.columns[$0].name)) COLLATE BINARY)"
            }
            let query = try SourceQuery(
                "SELECT \(counts.joined(separator: ", ")) FROM \(SourceFile.quoted(shape.name))",
                of: file, path: path)
            guard try query.step() else { return view }
            let unique = candidates.enumerated().filter { query.integer($0.offset) == rows }
            return ReadTable(shape, rows: rows, facts: facts, unique: unique.map(\.element))
        }
    }

    /// Returns the number of rows, and the facts of each column; those of columns that are not read
    /// have no values.
    private static func facts(
        of read: [Int], in table: TableShape, _ file: SourceFile, _ path: String
    ) throws(ImportProblem) -> (rows: Int, columns: [ColumnFacts]) {
        var facts = [ColumnFacts](repeating: ColumnFacts(), count: table.columns.count)
        guard !read.isEmpty else { return (0, facts) }
        let names = read.map { SourceFile.quoted(table.columns[$0].name) }
        let query = try SourceQuery(
            "SELECT \(names.joined(separator: ", ")) FROM \(SourceFile.quoted(table.name))",
            of: file, path: path)
        var rows = 0
        while try query.step() {
            rows += 1
            for (place, column) in read.enumerated() { facts[column].take(query.value(place)) }
        }
        return (rows, facts)
    }
}
