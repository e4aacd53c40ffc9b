/// Reads every row of a table once.
enum TableScan {
    /// Returns the number of rows, and the facts of each column.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - file: the database.
    ///   - path: its path, for errors.
    /// - Throws: ``ImportProblem``.
    static func facts(
        of table: TableShape, in file: SourceFile, path: String
    ) throws(ImportProblem) -> (rows: Int, columns: [ColumnFacts]) {
        var facts = [ColumnFacts](repeating: ColumnFacts(), count: table.columns.count)
        // A generated column is computed by code of the database.
        let read = table.columns.indices.filter { !table.columns[$0].isGenerated }
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
