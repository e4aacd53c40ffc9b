#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Finds what an error of a node concerns.
    ///
    /// Citus passes on the message of a node, and neither the constraint nor the table. The message
    /// names them with the number of the shard: `"books_title_102065"`.
    enum CitusErrors {
        /// Returns an error with the names of its constraint and table, as far as they are found.
        static func named(
            _ error: PostgreSQLError, among tables: PostgreSQLTables
        ) -> PostgreSQLError {
            guard error.isConstraint else { return error }
            let all = tables.all.map(\.table)
            guard all.contains(where: { $0.entity.distribution != nil }) else { return error }
            // A node that is the coordinator itself passes them on, with the number.
            let given = [error.constraint, error.table].compactMap(\.self)
            let names = given.isEmpty ? quoted(in: error.message) : given
            let found = names.map(withoutShard)
            let table = all.first { found.contains($0.name) }
            switch error.state {
            case "23514":
                let name = (error.constraint ?? names.last).map {
                    table?.hasCheck(named: $0) ?? true ? $0 : withoutShard($0)
                }
                return error.naming(constraint: name, table: table?.name)
            case "23502":
                return error.naming(
                    constraint: nil, table: table?.name, column: error.column ?? names.first)
            default:
                for table in all {
                    guard let name = constraints(of: table).first(where: found.contains) else {
                        continue
                    }
                    return error.naming(constraint: name, table: table.name)
                }
                return error
            }
        }

        /// The constraints of a table that a node checks.
        private static func constraints(of table: SQLTable) -> [String] {
            [table.name + "_pkey"]
                + table.entity.indexes.filter(\.isUnique).map { table.constraintName($0.name) }
                + table.references.map { table.constraintName(of: $0) }
        }

        /// Returns the names that a message quotes. Which quotation marks it has depends on the
        /// language of the server.
        static func quoted(in message: String) -> [String] {
            let marks: Set<Character> = ["\"", "«", "»", "„", "“", "”", "「", "」"]
            let parts = message.split(
                omittingEmptySubsequences: false, whereSeparator: { marks.contains($0) })
            // Some languages put spaces inside the marks.
            return parts.enumerated().filter { $0.offset % 2 == 1 }.map {
                $0.element.trimmingCharacters(in: .whitespaces)
            }
        }

        /// Returns a name without the number of a shard.
        static func withoutShard(_ name: String) -> String {
            guard let end = name.lastIndex(of: "_") else { return name }
            let digits = name[name.index(after: end)...]
            let isNumber = !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
            return isNumber ? String(name[..<end]) : name
        }
    }

    extension SQLTable {
        /// Whether a check of the table has a name. One that was added to a distributed table has
        /// the number of the shard besides.
        fileprivate func hasCheck(named name: String) -> Bool {
            columns.contains { $0.name == name }
                || entity.checks.contains { SQLSchemaText.name(of: $0) == name }
        }
    }
#endif
