internal import RepositoryRuntime

extension SQLTable {
    /// Checks that the conditions of all partial unique indexes can be written in SQL.
    ///
    /// SQLite enforces unique indexes itself and must therefore evaluate the condition.
    ///
    /// - Parameter store: the name of the store, for the error.
    /// - Throws: `unsupported`.
    func requireConditions(of store: String) throws {
        let text = SQLSchemaText(self, SQLiteDialect())
        for index in entity.indexes where index.isUnique && index.condition != nil {
            guard text.condition(of: index) == nil else { continue }
            var error = CRUDRepositoryError.unsupported(
                "the condition of the unique index '\(index.name)' of '\(name)'", by: store)
            error.table = name
            error.constraint = index.name
            throw error
        }
    }
}
