#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Decodes results into entities.
    enum PostgreSQLRows {
        /// Returns the entities of all rows.
        ///
        /// - Throws: `invalidRecord` for the first row that cannot be decoded.
        static func all<E: Entity>(
            _ type: E.Type, _ result: PostgreSQLResult, _ table: SQLTable
        ) throws -> [E] {
            var entities: [E] = []
            entities.reserveCapacity(result.count)
            var row = PostgreSQLRow(record: result, 0, table)
            for number in 0..<result.count {
                row.row = number
                entities.append(try readable(type, &row, result, table))
            }
            return entities
        }

        /// Returns the entity of the first row; `nil` if there is none.
        ///
        /// - Throws: `invalidRecord` if the row cannot be decoded.
        static func first<E: Entity>(
            _ type: E.Type, _ result: PostgreSQLResult, _ table: SQLTable
        ) throws -> E? {
            guard result.count > 0 else { return nil }
            var row = PostgreSQLRow(record: result, 0, table)
            return try readable(type, &row, result, table)
        }

        /// Returns the entity of a row, or throws the error that names its record.
        @inline(__always)
        private static func readable<E: Entity>(
            _ type: E.Type, _ row: inout PostgreSQLRow, _ result: PostgreSQLResult,
            _ table: SQLTable
        ) throws -> E {
            do {
                return try entity(type, &row, result, table)
            } catch let error as PostgreSQLUnknownKey {
                throw error
            } catch {
                throw CRUDRepositoryError.unreadable(
                    error, id: idText(type, result, row.row, table), table: table.name)
            }
        }

        /// Returns a page whose rows are decoded later. None of their fields are encrypted.
        static func page<E: Entity>(
            _ type: E.Type, _ result: PostgreSQLResult, _ table: SQLTable
        ) -> UndecodedPage<E> {
            UndecodedPage(count: result.count) { number in
                var row = PostgreSQLRow(record: result, number, table)
                return try entity(type, &row, result, table)
            } all: {
                try all(type, result, table)
            }
        }

        /// Returns the entities of the rows, and the rows that cannot be decoded, up to a number of
        /// them.
        static func readable<E: Entity>(
            _ type: E.Type, _ result: PostgreSQLResult, _ table: SQLTable, failures maximum: Int
        ) throws -> TolerantFetch<E> {
            var (rows, failures): ([E], [TolerantFetch<E>.Failure]) = ([], [])
            var row = PostgreSQLRow(record: result, 0, table)
            for number in 0..<result.count where failures.count < maximum {
                row.row = number
                do {
                    rows.append(try entity(type, &row, result, table))
                } catch let error as PostgreSQLUnknownKey {
                    throw error
                } catch {
                    let error = CRUDRepositoryError.unreadable(
                        error, id: idText(type, result, number, table), table: table.name)
                    guard error.code == .invalidRecord else { throw error }
                    // An id that cannot be decoded, either, is no further error.
                    var key = PostgreSQLRow(idOfRecord: result, number, table)
                    failures.append(
                        TolerantFetch.Failure(
                            id: try? E.ID.decodeComponents(from: &key), error: error))
                }
            }
            return TolerantFetch(rows: rows, failures: failures)
        }

        /// Returns the entity of a row, with its encrypted fields decrypted.
        @inline(__always)
        private static func entity<E: Entity>(
            _ type: E.Type, _ row: inout PostgreSQLRow, _ result: PostgreSQLResult,
            _ table: SQLTable
        ) throws -> E {
            guard let cipher = table.cipher else { return try E.Mapper.decode(from: &row) }
            var key = PostgreSQLRow(idOfRecord: result, row.row, table)
            let id = try StoredValueEncoder.components(of: E.ID.decodeComponents(from: &key))
            var fields = OpeningDecoder(row, cipher, id: id) { key in
                try PostgreSQLUnknownKey.isNoted(key, cipher)
            }
            return try E.Mapper.decode(from: &fields)
        }

        /// Returns the ids of all rows, which contain only their components.
        static func ids<E: Entity>(
            _ type: E.Type, _ result: PostgreSQLResult, _ table: SQLTable
        ) throws -> ReadableIDs<E> {
            var found = ReadableIDs<E>()
            for number in 0..<result.count {
                try found.add(table.name) {
                    table.key.indices.map { result.text(number, $0) ?? "" }.joined(separator: ",")
                } _: {
                    var row = PostgreSQLRow(id: result, number, table)
                    return try E.ID.decodeComponents(from: &row)
                }
            }
            return found
        }

        private static func idText<E: Entity>(
            _ type: E.Type, _ result: PostgreSQLResult, _ number: Int, _ table: SQLTable
        ) -> String {
            var row = PostgreSQLRow(idOfRecord: result, number, table)
            if let id = try? E.ID.decodeComponents(from: &row) { return id.description }
            return table.key.map { result.text(number, $0) ?? "" }.joined(separator: ",")
        }
    }
#endif
