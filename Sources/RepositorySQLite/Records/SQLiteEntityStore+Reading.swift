internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

extension SQLiteEntityStore {
    /// Reads an entity.
    ///
    /// - Throws: `recordNotFound`; `invalidRecord` if the row cannot be decoded.
    public func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        try await scan(type, id: id) { try SQLiteRows.record(type, id, $0) }
    }

    /// Returns whether an entity with this id exists.
    public func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try await scan(type, id: id) { try SQLiteRows.exists(id, $0) }
    }

    /// Returns the number of entities. SQLite scans the table to count them.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await scan(type) { statements in
            let statement = try statements.statement(statements.plan.texts.count)
            defer { statement.reset() }
            return try statement.step() ? Int(statement.integer(at: 0)) : 0
        }
    }

    /// Returns the greatest id that an AUTOINCREMENT table has had; `nil` for another table.
    public func lastRememberedID<E: Entity>(
        _ type: E.Type, reserving count: Int
    ) async throws -> Int64? {
        try await scan(type) { try $0.lastRememberedID() }
    }

    /// Returns all ids, in id order.
    ///
    /// - Throws: `invalidRecord` if an id cannot be decoded.
    public func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try await allIDs(type).all()
    }

    /// Returns all ids that can be decoded, in id order, and the others.
    package func readableIDs<E: Entity>(_ type: E.Type) async throws -> ReadableIDs<E>? {
        try await allIDs(type)
    }

    private func allIDs<E: Entity>(_ type: E.Type) async throws -> ReadableIDs<E> {
        try await scan(type) { statements in
            let table = statements.table
            let statement = try statements.statement(statements.plan.texts.ids)
            defer { statement.reset() }
            var found = ReadableIDs<E>()
            while try statement.step() {
                try found.add(table.name) {
                    table.key.indices.map { statement.text(at: $0) ?? "" }.joined(separator: ",")
                } _: {
                    var row = SQLiteRow(id: statement, table)
                    return try E.ID.decodeComponents(from: &row)
                }
            }
            return found
        }
    }

    /// Returns at most `limit` entities whose ids follow `id`, in id order.
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
            // SQLite treats a negative limit as no limit.
            try statement.bind(Int64(max(0, limit)), at: place)
            return try SQLiteRows.all(type, statement, statements.table)
        }
    }

    /// Returns all entities, in id order, and the rows that cannot be decoded.
    package func fetchTolerantly<E: Entity>(
        _ type: E.Type, failures maximum: Int
    ) async throws -> TolerantFetch<E>? {
        try await scan(type) { statements in
            let statement = try statements.statement(statements.plan.texts.firstPage)
            defer { statement.reset() }
            try statement.bind(Int64.max, at: 1)
            return try SQLiteRows.readable(type, statement, statements.table, failures: maximum)
        }
    }

    /// Returns the entities that a scan of a declared index finds. SQLite runs the scan if its
    /// order is that of the values; otherwise the entities are sorted in memory.
    public func find<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) async throws -> [E] {
        try await self.scan(type) { statements in
            try statements.reading {
                try SQLiteFinder(statements, $0, scan, limit: limit).run(type)
            }
        }
    }
}
