#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// Sets aside the records that a migration cannot migrate, and what refers to them.
    ///
    /// Numbers and bytes are written as they are, and all other values as PostgreSQL writes them as
    /// text.
    struct PostgreSQLSetAside {
        /// The file that receives the records.
        let file: SetAsideFile
        private let connection: PostgreSQLBlockingConnection
        private let dialect = PostgreSQLDialect()

        init(_ file: SetAsideFile, _ connection: PostgreSQLBlockingConnection) {
            self.file = file
            self.connection = connection
        }

        /// Adds a stored record.
        ///
        /// - Parameters:
        ///   - key: the values of its id.
        ///   - table: its table.
        ///   - reason: the problem.
        /// - Returns: whether there is such a record.
        @discardableResult
        func add(
            _ key: [StoredValue], of table: PostgreSQLStoredTable, _ reason: String
        ) throws -> Bool {
            let (condition, parameters) = table.isAt(key)
            let count = try add(
                table.table, named: table.columnNames, "\(table.name) AS t WHERE \(condition)",
                PostgreSQLValues.parameters(parameters), reason)
            return count > 0
        }

        /// Adds a stored record and deletes it.
        func move(
            _ key: [StoredValue], of table: PostgreSQLStoredTable, _ reason: String
        ) throws {
            guard try add(key, of: table, reason) else { return }
            let (condition, parameters) = table.isAt(key)
            try connection.run(
                "DELETE FROM \(table.name) WHERE \(condition)",
                PostgreSQLValues.parameters(parameters))
        }

        /// Adds the records of a query, which names the table `t`.
        private func add(
            _ table: SQLTable, named names: [String], _ from: String,
            _ parameters: PostgreSQLParameters, _ reason: String
        ) throws -> Int {
            let columns = zip(table.columns, names).map { column, name in
                let name = "t.\(dialect.quoted(name))"
                return switch column.form {
                case .integer, .float, .double, .data: name
                default: "CAST(\(name) AS text)"
                }
            }
            let cursor = try PostgreSQLCursors(connection).open(
                "SELECT \(columns.joined(separator: ", ")) FROM \(from)", parameters)
            var count = 0
            while let (result, row) = try cursor.next() {
                var values: [String: SetAsideValue] = [:]
                for (index, name) in names.enumerated() {
                    values[name] = Self.value(result, row, index)
                }
                let id = table.key.map { result.text(row, $0) ?? "?" }.joined(separator: ",")
                try file.add(table: table.name, id: id, reason: reason, columns: values)
                count += 1
            }
            return count
        }

        private static func value(
            _ result: PostgreSQLResult, _ row: Int, _ column: Int
        ) -> SetAsideValue {
            switch try? PostgreSQLValues.value(result, row, column, .text) {
            case .integer(let value): .integer(value)
            case .double(let value): .real(value)
            case .data(let value): .data(value)
            case .text(let value): .text(value)
            default: .null
            }
        }

        /// Sets aside records that a condition selects, and deletes them.
        ///
        /// - Parameter condition: over the table, which is named `t`.
        /// - Returns: the number of records.
        private func move(
            _ table: SQLTable, where condition: String, _ reason: String
        ) throws -> Int {
            let from = "\(dialect.quoted(table.name)) AS t WHERE \(condition)"
            let count = try add(
                table, named: table.columns.map(\.name), from, PostgreSQLParameters(), reason)
            if count > 0 { try connection.run("DELETE FROM \(from)") }
            return count
        }

        /// Sets aside the records that share the values of a unique index, except the one with the
        /// smallest id of each group.
        func removeDuplicates(of index: TableIndex, _ table: SQLTable) throws {
            _ = try move(
                table, where: SQLMigratedRecords.isDuplicate(of: index, in: table, dialect),
                SQLMigratedRecords.reason(index, in: table))
        }

        /// Resolves references to records that are not there: optional ones become null, and records
        /// with a required one are set aside, and so on.
        ///
        /// - Parameters:
        ///   - tables: the tables of the schema.
        ///   - names: the tables with references to check.
        func resolveReferences(among tables: [SQLTable], checking names: Set<String>) throws {
            try SQLMigratedRecords.resolveReferences(among: tables, checking: names) {
                try resolve($0, of: $1)
            }
        }

        /// Resolves one reference of a table.
        ///
        /// - Returns: whether records were set aside.
        private func resolve(_ reference: SQLReference, of table: SQLTable) throws -> Bool {
            let condition = SQLMigratedRecords.isDangling(reference, dialect)
            if table.entity.layout.fields[reference.field].isOptional {
                try clear(reference, of: table, where: condition)
            }
            return try move(
                table, where: condition, SQLMigratedRecords.reason(reference, in: table)) > 0
        }

        /// Sets a reference to null where a condition holds. A record of which a check or a unique
        /// index forbids the null keeps its value.
        private func clear(
            _ reference: SQLReference, of table: SQLTable, where condition: String
        ) throws {
            let values = reference.columns.map { "\(dialect.quoted($0)) = NULL" }
            let update =
                "UPDATE \(dialect.quoted(table.name)) AS t SET \(values.joined(separator: ", ")) WHERE \(condition)"
            if try isAllowed(update) { return }
            let key = table.keyNames.map { "t.\(dialect.quoted($0))" }
            let places = try connection.run(
                "SELECT t.ctid::text FROM \(dialect.quoted(table.name)) AS t WHERE \(condition) ORDER BY \(key.joined(separator: ", "))"
            )
            for row in 0..<places.count {
                guard let place = places.text(row, 0) else { continue }
                _ = try isAllowed("\(update) AND t.ctid = \(dialect.textLiteral(place))::tid")
            }
        }

        /// Runs a statement, and undoes it if it violates a constraint.
        private func isAllowed(_ text: String) throws -> Bool {
            try connection.runSimple("SAVEPOINT repository_reference")
            do {
                try connection.runSimple(text)
                try connection.runSimple("RELEASE SAVEPOINT repository_reference")
                return true
            } catch let error as PostgreSQLError where error.isConstraint {
                try connection.runSimple(
                    "ROLLBACK TO SAVEPOINT repository_reference; RELEASE SAVEPOINT repository_reference"
                )
                return false
            }
        }
    }
#endif
