internal import RepositoryRuntime

/// Reading of rows as entities.
enum SQLiteRows {
    /// All rows that a bound statement has left.
    ///
    /// - Parameter places: where the row holds each column of the table; in order when nil.
    static func all<E: Entity>(
        _ type: E.Type, _ statement: SQLiteStatement, _ table: SQLTable, at places: [Int]? = nil
    ) throws -> [E] {
        let columns = try places.map { try SQLiteRow.columns(table, at: $0) }
        guard try statement.step() else { return [] }
        var entities: [E] = []
        // Has the type of the list looked up here, and not for each record.
        entities.reserveCapacity(4)
        // It reads whichever row is the present one.
        var row = SQLiteRow(record: statement, table, at: columns)
        repeat {
            do {
                entities.append(try E.Mapper.decode(from: &row))
            } catch {
                let id =
                    places.map { places in
                        table.key.map { statement.text(at: places[$0]) ?? "" }
                            .joined(separator: ",")
                    } ?? idText(type, statement, table)
                throw invalid(error, id: id, table)
            }
        } while try statement.step()
        return entities
    }

    /// The record of an id.
    @inline(__always)
    static func record<E: Entity>(
        _ type: E.Type, _ id: E.ID, _ statements: EntityStatements
    ) throws -> E {
        let statement = try statements.selecting()
        defer { statement.reset() }
        var binder = SQLiteBinder(id: statement, statements.table, in: statements.memory)
        try id.encodeComponents(to: &binder)
        guard try statement.step() else {
            throw CRUDRepositoryError.recordNotFound(
                id: id.description, table: statements.table.name)
        }
        do {
            var row = SQLiteRow(record: statement, statements.table)
            return try E.Mapper.decode(from: &row)
        } catch {
            throw invalid(error, id: id.description, statements.table)
        }
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
