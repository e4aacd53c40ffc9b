#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// Fills a folded column where it is null: in tables that existed before the column, and for
    /// records that another program wrote.
    struct PostgreSQLFolding {
        private let table: SQLTable
        private let column: SQLColumn
        private let connection: PostgreSQLConnection
        private let dialect = PostgreSQLDialect()

        init(_ table: SQLTable, _ column: SQLColumn, _ connection: PostgreSQLConnection) {
            self.table = table
            self.column = column
            self.connection = connection
        }

        /// Fills the column in pages: all rows with the same text at once.
        func fill() async throws {
            guard let foldedName = column.foldedName else { return }
            let (name, source, folded) = (
                dialect.quoted(table.name), dialect.quoted(column.name), dialect.quoted(foldedName)
            )
            while true {
                let found = try await connection.run(
                    "SELECT DISTINCT \(source) FROM \(name) WHERE \(folded) IS NULL AND \(source) IS NOT NULL LIMIT 1000"
                )
                if found.count == 0 { return }
                let steps = (0..<found.count).compactMap { found.text($0, 0) }.map { text in
                    PostgreSQLConnection.Step(
                        text:
                            "UPDATE \(name) SET \(folded) = $1 WHERE \(source) = $2 AND \(folded) IS NULL",
                        parameters: PostgreSQLCatalog.parameters([CaseFolding.folded(text), text]))
                }
                do {
                    _ = try await connection.runAll(steps)
                } catch let error as PostgreSQLStepError {
                    throw error.error
                }
            }
        }
    }
#endif
