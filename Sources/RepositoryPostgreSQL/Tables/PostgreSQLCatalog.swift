#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Reads the catalog of a database: the tables of the current schema.
    enum PostgreSQLCatalog {
        /// Returns the names of all relations that may have the name of a table.
        static func relations(_ connection: any PostgreSQLRunner) async throws -> Set<String> {
            let result = try await connection.run(
                """
                SELECT c.relname::text FROM pg_class AS c \
                JOIN pg_namespace AS n ON n.oid = c.relnamespace \
                WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
                """)
            return Set((0..<result.count).compactMap { result.text($0, 0) })
        }

        /// Returns the names of the columns of a table.
        static func columns(
            of table: String, _ connection: any PostgreSQLRunner
        ) async throws -> Set<String> {
            let result = try await connection.run(
                """
                SELECT a.attname::text FROM pg_attribute AS a \
                WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped
                """, parameters([PostgreSQLDialect().quoted(table)]))
            return Set((0..<result.count).compactMap { result.text($0, 0) })
        }

        /// A constraint of a table.
        struct Constraint {
            let name: String
            /// `f` for a reference, `u` and `x` for unique values, `c` for a check, `p` for the id.
            let kind: String
            let columns: [String]
        }

        /// Returns the constraints of a table.
        static func constraints(
            of table: String, _ connection: any PostgreSQLRunner
        ) async throws -> [Constraint] {
            let result = try await connection.run(
                """
                SELECT c.conname::text, c.contype::text, \
                (SELECT string_agg(a.attname, E'\\n' ORDER BY k.place) \
                 FROM unnest(c.conkey) WITH ORDINALITY AS k(number, place) \
                 JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = k.number)::text \
                FROM pg_constraint AS c WHERE c.conrelid = $1::regclass
                """, parameters([PostgreSQLDialect().quoted(table)]))
            return (0..<result.count).map { row in
                Constraint(
                    name: result.text(row, 0) ?? "", kind: result.text(row, 1) ?? "",
                    columns: (result.text(row, 2) ?? "").split(separator: "\n").map(String.init))
            }
        }

        /// Returns whether a table is there.
        ///
        /// - Parameter table: its quoted name.
        static func hasTable(
            _ table: String, _ connection: any PostgreSQLRunner
        ) async throws -> Bool {
            try await connection.run(
                "SELECT to_regclass($1) IS NOT NULL", parameters([table])
            ).isTrue(0, 0)
        }

        /// Runs statements that create what is not there. Several programs may do so at once.
        static func createMissing(
            _ statements: String, _ connection: PostgreSQLConnection
        ) async throws {
            for attempt in 1... {
                do {
                    try await connection.runSimple(statements)
                    return
                } catch let error as PostgreSQLError
                    where attempt < 10
                    && (error.isUnique || ["42P07", "42710", "XX000"].contains(error.state))
                {
                    // Another program created it at the same moment: `IF NOT EXISTS` looks before
                    // the catalog is locked.
                    try await Task.sleep(for: .milliseconds(10 * attempt))
                }
            }
        }

        /// Returns the encoding of the database.
        static func encoding(_ connection: any PostgreSQLRunner) async throws -> String {
            let result = try await connection.run("SELECT current_setting('server_encoding')")
            return result.text(0, 0) ?? ""
        }

        /// Returns whether a query has a row.
        static func hasRow(_ text: String, _ connection: any PostgreSQLRunner) async throws -> Bool
        {
            try await connection.run("\(text) LIMIT 1").count > 0
        }

        /// Returns text parameters.
        static func parameters(_ texts: [String]) -> PostgreSQLParameters {
            var parameters = PostgreSQLParameters()
            for text in texts {
                parameters.append(PostgreSQLType.text) { $0.append(contentsOf: text.utf8) }
            }
            return parameters
        }
    }
#endif
