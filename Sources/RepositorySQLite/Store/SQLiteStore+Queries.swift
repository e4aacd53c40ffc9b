public import RepositoryRuntime
internal import RepositorySQLCore

extension SQLiteStore {
    /// Returns the entities of a selection.
    ///
    /// A query that was quick the last times runs on the caller's thread.
    public func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E] {
        let table = try plans.plan(E.Mapper.table.name)
        // Folded text needs a transaction around the read, and the keys of encrypted fields further
        // queries. Neither may be aborted.
        guard table.folding == nil, table.table.cipher == nil else {
            return try await scan(type) { try $0.selecting(selection) { try $0.entities(type) } }
        }
        let query = try SQLiteSelection.query(selection, table.table)
        let quick = database.quickQueries
        if quick.contains(query.text) {
            try Task.checkCancellation()
            let found = try SQLiteErrors.mapped(E.Mapper.table.name) {
                try database.readQuickly { connection in
                    try connection.statements(type, plans).entities(type, query)
                }
            }
            if let found { return found }
        }
        return try await scan(type) { statements in
            let statement = try statements.statement(query)
            defer { statement.reset() }
            let (entities, wasQuick) = try SQLiteQuickLimit.measure(statement, for: quick.time) {
                try SQLiteRows.all(type, statement, statements.table)
            }
            quick.record(query.text, wasQuick: wasQuick)
            return entities
        }
    }
}

extension EntityStatements {
    /// Returns the entities of a query.
    fileprivate func entities<E: Entity>(_ type: E.Type, _ query: SQLQuery) throws -> [E] {
        let statement = try statement(query)
        defer { statement.reset() }
        return try SQLiteRows.all(type, statement, table)
    }
}
