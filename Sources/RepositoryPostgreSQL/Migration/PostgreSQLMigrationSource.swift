#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// A stored table that functions over several tables read while they run.
    ///
    /// A record that is set aside is deleted from it, so that no later reading finds it.
    final class PostgreSQLMigrationSource: MigrationSource {
        private let table: PostgreSQLStoredTable
        private let cursors: PostgreSQLCursors
        private let setAside: PostgreSQLSetAside?
        /// The fields that form the id.
        private let key: [Int]

        /// Creates a source.
        ///
        /// - Parameters:
        ///   - table: the table.
        ///   - connection: the connection.
        ///   - setAside: receives records that cannot be read; `nil` if they are an error.
        init(
            _ table: PostgreSQLStoredTable, _ connection: PostgreSQLBlockingConnection,
            _ setAside: PostgreSQLSetAside?
        ) {
            self.table = table
            self.setAside = setAside
            cursors = PostgreSQLCursors(connection)
            key = table.table.entity.key
        }

        func scan() throws -> () throws -> MigrationSourceRecord? { try rows("", []) }

        func values(at place: [StoredValue]) throws -> [StoredValue]? {
            try find(key, place)?()?.values
        }

        func find(
            _ fields: [Int], _ values: [StoredValue]
        ) throws -> (() throws -> MigrationSourceRecord?)? {
            let (condition, parameters) = table.isEqual(fields, values)
            return try rows(" WHERE \(condition)", parameters)
        }

        func setAside(_ place: [StoredValue], _ reason: String) throws -> Bool {
            guard let setAside else { return false }
            let (condition, parameters) = table.isEqual(key, place)
            let cursor = try cursors.open(
                "SELECT \(table.columns) FROM \(table.name) WHERE \(condition)",
                PostgreSQLValues.parameters(parameters))
            guard let (result, row) = try cursor.next() else { return true }
            try setAside.move(table.key(result, row), of: table, reason)
            return true
        }

        /// Reads records.
        private func rows(
            _ condition: String, _ parameters: [SQLParameter]
        ) throws -> () throws -> MigrationSourceRecord? {
            let cursor = try cursors.open(
                "SELECT \(table.columns) FROM \(table.name)\(condition)",
                PostgreSQLValues.parameters(parameters))
            return { [self] in
                while let (result, row) = try cursor.next() {
                    do {
                        let values = try table.values(result, row)
                        return (key.map { values[$0] }, values)
                    } catch let error as RecordDecodingError {
                        try refuse(table.key(result, row), error)
                    }
                }
                return nil
            }
        }

        /// Sets a record aside that cannot be read.
        ///
        /// - Throws: `MigrationRecordFailure` if the migration sets no records aside.
        private func refuse(_ place: [StoredValue], _ error: RecordDecodingError) throws {
            let name = table.stored.name
            guard let setAside else {
                throw MigrationRecordFailure(
                    unreadable: name, error.path, id: place.identifierText)
            }
            try setAside.move(
                place, of: table, MigrationRecordFailure.unreadable(name, error.path))
        }
    }
#endif
