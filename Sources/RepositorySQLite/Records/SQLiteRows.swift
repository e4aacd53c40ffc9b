internal import RepositoryRuntime

/// Decodes rows into entities.
enum SQLiteRows {
    /// Returns the entities of all remaining rows.
    ///
    /// - Parameters:
    ///   - type: the type of the entities.
    ///   - statement: a statement with its parameters bound.
    ///   - table: the table of the entities.
    ///   - places: the result column of each column of the table; `nil` if the result has them in
    ///     order.
    /// - Throws: `invalidRecord` for the first row that cannot be decoded.
    static func all<E: Entity>(
        _ type: E.Type, _ statement: SQLiteStatement, _ table: SQLTable, at places: [Int]? = nil
    ) throws -> [E] {
        let columns = try places.map { try SQLiteRow.columns(table, at: $0) }
        guard try statement.step() else { return [] }
        var entities: [E] = []
        // Reserving looks up the array's metadata once here, and not for each record.
        entities.reserveCapacity(4)
        // The decoder reads the current row, so one suffices for all rows.
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

    /// Returns the entities of the remaining rows, and the rows that cannot be decoded, up to a
    /// number of them.
    static func readable<E: Entity>(
        _ type: E.Type, _ statement: SQLiteStatement, _ table: SQLTable, failures maximum: Int
    ) throws -> TolerantFetch<E> {
        var (rows, failures): ([E], [TolerantFetch<E>.Failure]) = ([], [])
        var row = SQLiteRow(record: statement, table)
        while failures.count < maximum, try statement.step() {
            do {
                rows.append(try E.Mapper.decode(from: &row))
            } catch {
                let error = invalid(error, id: idText(type, statement, table), table)
                guard error.code == .invalidRecord else { throw error }
                // An id that cannot be decoded, either, is no further error.
                var key = SQLiteRow(idOfRecord: statement, table)
                failures.append(
                    TolerantFetch.Failure(
                        id: try? E.ID.decodeComponents(from: &key), error: error))
            }
        }
        return TolerantFetch(rows: rows, failures: failures)
    }

    /// Returns the record with an id.
    ///
    /// - Throws: `recordNotFound`, `invalidRecord`.
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

    /// Returns whether a record with an id exists.
    static func exists<I: EntityIdentifier>(_ id: I, _ statements: EntityStatements) throws -> Bool
    {
        let statement = try statements.statement(statements.plan.texts.exists)
        defer { statement.reset() }
        var binder = SQLiteBinder(id: statement, statements.table)
        try id.encodeComponents(to: &binder)
        return try statement.step()
    }

    /// Returns the error for a record that a mapper or a row could not decode.
    static func invalid(
        _ error: any Error, id: String, _ table: SQLTable
    ) -> CRUDRepositoryError {
        .unreadable(error, id: id, table: table.name)
    }

    /// Returns the string representation of the current row's id, or the text of its columns if the
    /// id cannot be decoded.
    private static func idText<E: Entity>(
        _ type: E.Type, _ statement: SQLiteStatement, _ table: SQLTable
    ) -> String {
        var row = SQLiteRow(idOfRecord: statement, table)
        if let id = try? E.ID.decodeComponents(from: &row) { return id.description }
        return table.key.map { statement.text(at: $0) ?? "" }.joined(separator: ",")
    }
}
