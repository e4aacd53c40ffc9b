internal import RepositoryRuntime
internal import RepositorySQLCore

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
        var entities = RecordBuffer<E>()
        defer { entities.free() }
        // The decoder reads the current row, so one suffices for all rows.
        var row = SQLiteRow(record: statement, table, at: columns)
        repeat {
            do {
                entities.append(try entity(type, &row, statement, table, at: places))
            } catch {
                let id =
                    places.map { places in
                        table.key.map { statement.text(at: places[$0]) ?? "" }
                            .joined(separator: ",")
                    } ?? idText(type, statement, table)
                throw invalid(error, id: id, table)
            }
        } while try statement.step()
        return entities.array()
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
                rows.append(try entity(type, &row, statement, table))
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
            return try entity(type, &row, statement, statements.table)
        } catch {
            throw invalid(error, id: id.description, statements.table)
        }
    }

    /// Returns the entity of the current row, with its encrypted fields decrypted.
    ///
    /// - Parameters:
    ///   - type: the type of the entity.
    ///   - row: the decoder of the current row.
    ///   - statement: the statement of the row.
    ///   - table: the table of the entity.
    ///   - places: the result column of each column of the table; `nil` if the result has them in
    ///     order.
    @inline(__always)
    private static func entity<E: Entity>(
        _ type: E.Type, _ row: inout SQLiteRow, _ statement: SQLiteStatement, _ table: SQLTable,
        at places: [Int]? = nil
    ) throws -> E {
        guard let cipher = table.cipher else { return try E.Mapper.decode(from: &row) }
        return try decrypted(type, row, cipher, statement, table, at: places)
    }

    /// Returns the entity of the current row of a table with encrypted fields.
    private static func decrypted<E: Entity>(
        _ type: E.Type, _ row: SQLiteRow, _ cipher: RecordCipher, _ statement: SQLiteStatement,
        _ table: SQLTable, at places: [Int]?
    ) throws -> E {
        var key = SQLiteRow(idOfRecord: statement, table, at: places)
        let id = try StoredValueEncoder.components(of: E.ID.decodeComponents(from: &key))
        var fields = OpeningDecoder(row, cipher, id: id) { key in
            try EncryptionNotes.isNoted(key, statement.database)
        }
        return try E.Mapper.decode(from: &fields)
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
