internal import RepositoryRuntime

extension SQLTable {
    /// Checks that SQLite can tell which records a unique index covers: it keeps the index by itself.
    ///
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
