internal import Foundation
public import RepositoryRuntime

extension SQLiteStore {
    /// Reads an entity, on the caller's thread and without waiting for any writer.
    public func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        try SQLiteErrors.mapped(E.Mapper.table.name, id: id.description) {
            try database.read { connection in
                let statements = try connection.statements(type, plans)
                let statement = try statements.selecting()
                defer { statement.reset() }
                var binder = SQLiteBinder(id: statement, statements.table)
                try id.encodeComponents(to: &binder)
                guard try statement.step() else {
                    throw CRUDRepositoryError.recordNotFound(
                        id: id.description, table: statements.table.name)
                }
                do {
                    var row = SQLiteRow(record: statement, statements.table)
                    return try E.Mapper.decode(from: &row)
                } catch {
                    throw SQLiteRows.invalid(error, id: id.description, statements.table)
                }
            }
        }
    }

    /// Whether there is an entity of this id, on the caller's thread.
    public func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try SQLiteErrors.mapped(E.Mapper.table.name, id: id.description) {
            try database.read { connection in
                let statements = try connection.statements(type, plans)
                return try SQLiteRows.exists(id, statements)
            }
        }
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

    /// The entities found by a declared index, sorted by SQLite where its order is that of the
    /// values.
    public func find<E: Entity>(
        _ type: E.Type, _ scan: IndexScan, limit: Int
    ) async throws -> [E] {
        try await self.scan(type) { statements in
            try SQLiteFinder(statements, scan.index, scan.equal).run(type)
        }
    }

    private func scan<E: Entity, R: Sendable>(
        _ type: E.Type, _ body: @escaping @Sendable (EntityStatements) throws -> R
    ) async throws -> R {
        let plans = self.plans
        return try await database.scan { connection in
            try SQLiteErrors.mapped(E.Mapper.table.name) {
                try body(try connection.statements(type, plans))
            }
        }
    }
}

/// Reading of rows as entities.
enum SQLiteRows {
    /// All rows that a bound statement has left.
    static func all<E: Entity>(
        _ type: E.Type, _ statement: SQLiteStatement, _ table: SQLTable
    ) throws -> [E] {
        var entities: [E] = []
        while try statement.step() {
            do {
                var row = SQLiteRow(record: statement, table)
                entities.append(try E.Mapper.decode(from: &row))
            } catch {
                throw invalid(error, id: idText(type, statement, table), table)
            }
        }
        return entities
    }

    /// Whether there is a record of an id.
    static func exists<I: EntityIdentifier>(_ id: I, _ statements: EntityStatements) throws -> Bool
    {
        let statement = try statements.statement(statements.plan.texts.exists)
        defer { statement.reset() }
        var binder = SQLiteBinder(id: statement, statements.table)
        try id.encodeComponents(to: &binder)
        return try statement.step()
    }

    /// What a mapper or a row threw, as the error of the record.
    static func invalid(
        _ error: any Error, id: String, _ table: SQLTable
    ) -> CRUDRepositoryError {
        .unreadable(error, id: id, table: table.name)
    }

    /// The text form of the id of the present row; the columns' own texts where that is what cannot
    /// be read.
    private static func idText<E: Entity>(
        _ type: E.Type, _ statement: SQLiteStatement, _ table: SQLTable
    ) -> String {
        var row = SQLiteRow(idOfRecord: statement, table)
        if let id = try? E.ID.decodeComponents(from: &row) { return id.description }
        return table.key.map { statement.text(at: $0) ?? "" }.joined(separator: ",")
    }
}
