internal import Foundation
internal import RepositoryRuntime

extension SQLiteEntityStore {
    /// Reads an entity.
    public func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        try await scan(type, id: id) { try SQLiteRows.record(type, id, $0) }
    }

    /// Whether there is an entity of this id.
    public func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try await scan(type, id: id) { try SQLiteRows.exists(id, $0) }
    }

    /// The number of entities; SQLite walks the table for it.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await scan(type) { statements in
            let statement = try statements.statement(statements.plan.texts.count)
            defer { statement.reset() }
            return try statement.step() ? Int(statement.integer(at: 0)) : 0
        }
    }

    /// All ids, in id order.
    public func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try await scan(type) { statements in
            let table = statements.table
            let statement = try statements.statement(statements.plan.texts.ids)
            defer { statement.reset() }
            var ids: [E.ID] = []
            while try statement.step() {
                do {
                    var row = SQLiteRow(id: statement, table)
                    ids.append(try E.ID.decodeComponents(from: &row))
                } catch {
                    let texts = table.key.indices.map { statement.text(at: $0) ?? "" }
                    throw SQLiteRows.invalid(error, id: texts.joined(separator: ","), table)
                }
            }
            return ids
        }
    }

    /// The entities after an id, in id order.
    public func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        try await scan(type) { statements in
            let texts = statements.plan.texts
            let statement = try statements.statement(id == nil ? texts.firstPage : texts.nextPage)
            defer { statement.reset() }
            if let id {
                var binder = SQLiteBinder(id: statement, statements.table)
                try id.encodeComponents(to: &binder)
            }
            let place = id == nil ? 1 : statements.table.key.count + 1
            // A negative limit is none to SQLite.
            try statement.bind(Int64(max(0, limit)), at: place)
            return try SQLiteRows.all(type, statement, statements.table)
        }
    }

    /// The entities found by a scan of a declared index, by SQLite where its order is that of the
    /// values.
    public func find<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) async throws -> [E] {
        try await self.scan(type) { statements in
            try SQLiteFinder(statements, scan, limit: limit).run(type)
        }
    }
}
