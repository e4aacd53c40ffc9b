#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// The records that a migration sets aside, and the references to them.
    ///
    /// Numbers and bytes are written as they are, and all other values as PostgreSQL writes them as
    /// text.
    extension PostgreSQLBlockingConnection {
        func readRows(
            of table: SQLTable, named names: [String], from source: String,
            _ parameters: [SQLParameter],
            _ body: (_ id: String, _ columns: [String: SetAsideValue]) throws -> Void
        ) throws -> Int {
            let columns = zip(table.columns, names).map { column, name in
                let name = "t.\(dialect.quoted(name))"
                return switch column.form {
                case .integer, .float, .double, .data: name
                default: "CAST(\(name) AS text)"
                }
            }
            let cursor = try PostgreSQLCursors(self).open(
                "SELECT \(columns.joined(separator: ", ")) FROM \(source)",
                PostgreSQLValues.parameters(parameters))
            var count = 0
            while let (result, row) = try cursor.next() {
                var values: [String: SetAsideValue] = [:]
                for (index, name) in names.enumerated() {
                    values[name] = Self.value(result, row, index)
                }
                let id = table.key.map { result.text(row, $0) ?? "?" }.joined(separator: ",")
                try body(id, values)
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

        func moveRows(
            of table: SQLTable, where condition: String,
            _ body: (_ id: String, _ columns: [String: SetAsideValue]) throws -> Void
        ) throws -> Int {
            let source = "\(dialect.quoted(table.name)) AS t WHERE \(condition)"
            let count = try readRows(
                of: table, named: table.columns.map(\.name), from: source, [], body)
            if count > 0 { try run("DELETE FROM \(source)") }
            return count
        }

        func clear(
            _ reference: SQLReference, of table: SQLTable, where condition: String
        ) throws {
            let values = reference.columns.map { "\(dialect.quoted($0)) = NULL" }
            let update =
                "UPDATE \(dialect.quoted(table.name)) AS t SET \(values.joined(separator: ", ")) WHERE \(condition)"
            func isAllowed(_ text: String) throws -> Bool {
                try unlessViolated("repository_reference") { try runSimple(text) } != nil
            }
            if try isAllowed(update) { return }
            let key = table.keyNames.map { "t.\(dialect.quoted($0))" }
            let places = try run(
                "SELECT t.ctid::text FROM \(dialect.quoted(table.name)) AS t WHERE \(condition) ORDER BY \(key.joined(separator: ", "))"
            )
            for row in 0..<places.count {
                guard let place = places.text(row, 0) else { continue }
                _ = try isAllowed("\(update) AND t.ctid = \(dialect.textLiteral(place))::tid")
            }
        }
    }
#endif
