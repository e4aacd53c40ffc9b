internal import RepositoryRuntime
internal import RepositorySQLCore

extension SQLTable {
    /// Checks that the keys of all indexes, and the conditions of all partial unique ones, can be
    /// written in SQL.
    ///
    /// SQLite enforces unique indexes itself and must therefore evaluate the condition. A field
    /// inside an embedded value can be a key if JSON has one text for each of its values.
    ///
    /// - Parameter store: the name of the store, for the error.
    /// - Throws: `unsupported`.
    func requireConditions(of store: String) throws {
        let text = SQLSchemaText(self, SQLiteDialect())
        for index in entity.indexes {
            guard let key = index.keys.first(where: { operands($0.path, SQLiteDialect()) == nil })
            else { continue }
            let path = key.path.text(in: entity.layout)
            var error = CRUDRepositoryError.unsupported(
                "'\(path)' in the index '\(index.name)' of '\(name)'", by: store)
            error.table = name
            error.constraint = index.name
            throw error
        }
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
