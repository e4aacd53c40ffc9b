#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    extension SQLTable {
        /// Checks that PostgreSQL can hold the names of the table and its columns, and evaluate the
        /// keys of its indexes.
        ///
        /// - Throws: `unsupported`.
        func requireSupport(of store: String) throws {
            let dialect = PostgreSQLDialect()
            func refuse(_ what: String, _ constraint: String? = nil) -> CRUDRepositoryError {
                var error = CRUDRepositoryError.unsupported(what, by: store)
                error.table = name
                error.constraint = constraint
                return error
            }
            guard entity.isManaged else {
                for index in entity.indexes {
                    guard let key = index.keys.first(where: { operands($0.path, dialect) == nil })
                    else { continue }
                    let path = key.path.text(in: entity.layout)
                    throw refuse(
                        "'\(path)' in the index '\(index.name)' of the unmanaged table '\(name)'",
                        index.name)
                }
                return
            }
            try requireOwnName(of: store)
            let folded = columns.compactMap(\.foldedName)
            let checks = entity.checks.map { SQLSchemaText.name(of: $0) }
            for name in [name] + columns.map(\.name) + folded + checks
            where name.utf8.count > PostgreSQLNames.mostBytes {
                throw refuse("the name '\(name)': names have at most 63 bytes")
            }
            for name in folded where columns.contains(where: { $0.name == name }) {
                throw refuse("the name '\(name)' of a column, which the store gives to its own")
            }
            let text = SQLSchemaText(self, dialect)
            for index in entity.indexes {
                if let key = index.keys.first(where: { operands($0.path, dialect) == nil }) {
                    let path = key.path.text(in: entity.layout)
                    throw refuse("'\(path)' in the index '\(index.name)' of '\(name)'", index.name)
                }
                if index.isUnique, index.condition != nil, text.condition(of: index) == nil {
                    throw refuse(
                        "the condition of the unique index '\(index.name)' of '\(name)'", index.name
                    )
                }
            }
        }
    }
#endif
