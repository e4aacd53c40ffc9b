#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// A stored table that a migration reads, under the name that it has in the database meanwhile.
    struct PostgreSQLStoredTable {
        /// The description of the table.
        let stored: StoredTable
        /// The representations of the columns.
        let table: SQLTable
        /// The names of the columns in the database.
        let columnNames: [String]
        /// The quoted name in the database.
        let name: String
        private let layout: StoredRowLayout
        private let dialect = PostgreSQLDialect()

        /// Describes a table.
        ///
        /// - Parameters:
        ///   - stored: the description of the table.
        ///   - tables: the descriptions of all stored tables. The representations of columns can
        ///     depend on the tables to which they refer.
        ///   - name: the name in the database; `nil` if it is the stored one.
        ///   - encrypted: creates a table whose encrypted fields can be read; `nil` if the store has
        ///     no encryption.
        /// - Throws: `keyNotFound` if the table has encrypted fields and the store has no encryption.
        init(
            _ stored: StoredTable, among tables: [StoredTable], named name: String? = nil,
            _ encrypted: ((EntityTable, StoreSchema) -> SQLTable)?
        ) throws {
            self.stored = stored
            let schema = StoreSchema("stored", try tables.map { try EntityTable($0) })
            let entity = try EntityTable(stored)
            table =
                encrypted?(entity, schema)
                ?? SQLTable(entity, in: schema, for: .native)
            try table.requireEncryption(of: "PostgreSQL")
            columnNames = stored.fields.flatMap(\.columns)
            layout = try StoredRowLayout(stored)
            self.name = PostgreSQLDialect().quoted(name ?? stored.name)
        }

        /// Returns the name that a table has while a migration replaces it.
        static func aside(_ table: String) -> String {
            PostgreSQLNames.short("repository_old_\(table)")
        }

        /// The quoted columns, in the order of the table.
        var columns: String { dialect.list(columnNames) }

        /// Returns the values of a row.
        ///
        /// - Throws: `RecordDecodingError`.
        func values(_ result: PostgreSQLResult, _ row: Int) throws -> [StoredValue] {
            var row = PostgreSQLRow(record: result, row, table)
            guard let cipher = table.cipher else { return try layout.values(from: &row) }
            let id = try layout.values(of: table.entity.key, from: &row)
            var fields = OpeningDecoder(row, cipher, id: id) { cipher.isNoted($0) }
            return try layout.values(from: &fields)
        }

        /// Returns the values of the id of a row, as far as they can be read.
        func key(_ result: PostgreSQLResult, _ row: Int) -> [StoredValue] {
            table.key.map { column in
                let form = table.columns[column].form
                return (try? PostgreSQLValues.value(result, row, column, form)) ?? .null
            }
        }

        /// Returns the condition that the columns of the id have certain values.
        func isAt(_ key: [StoredValue]) -> (text: String, parameters: [SQLParameter]) {
            condition(
                zip(table.key, key).map { ($0, SQLParameter($1, table.columns[$0].form)) })
        }

        /// Returns the condition that fields have certain values.
        func isEqual(
            _ fields: [Int], _ values: [StoredValue]
        ) -> (text: String, parameters: [SQLParameter]) {
            condition(
                zip(fields, values).flatMap { field, value in
                    Array(
                        zip(
                            table.columns(ofField: field),
                            PostgreSQLValues.components(value, of: field, in: table)))
                })
        }

        private func condition(
            _ columns: [(Int, SQLParameter)]
        ) -> (text: String, parameters: [SQLParameter]) {
            var conditions: [String] = []
            var parameters: [SQLParameter] = []
            for (column, parameter) in columns {
                let name = dialect.quoted(columnNames[column])
                if parameter.value == .null {
                    conditions.append("\(name) IS NULL")
                } else {
                    parameters.append(parameter)
                    conditions.append("\(name) = $\(parameters.count)")
                }
            }
            return (conditions.joined(separator: " AND "), parameters)
        }
    }
#endif
