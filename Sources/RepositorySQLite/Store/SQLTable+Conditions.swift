internal import RepositoryRuntime

extension SQLTable {
    /// Checks that SQLite can tell which records a unique index covers: it keeps the index by
    /// itself.
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

    /// Checks that no column has a name that the store keeps for its own.
    ///
    /// - Throws: `unsupported`.
    func requireNames(of store: String) throws {
        let prefix = SQLColumn.foldedPrefix
        guard entity.isManaged,
            let column = columns.first(where: {
                SQLiteCatalog.folded($0.name).hasPrefix(prefix)
            })
        else { return }
        var error = CRUDRepositoryError.unsupported(
            "the name '\(column.name)' of a column: names that begin with '\(prefix)' are the store's own",
            by: store)
        error.table = name
        throw error
    }
}
