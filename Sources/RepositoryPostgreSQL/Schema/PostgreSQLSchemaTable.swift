#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// The table that contains the description of the schemas of a database.
    ///
    /// It has one row. Its lock lets one program at a time change the tables.
    ///
    /// Writes read it before they write, and a migration locks the whole table. Otherwise a write
    /// could read the old revision, wait for a table that is converted, and then store a record of
    /// the old form in it.
    enum PostgreSQLSchemaTable {
        /// The name of the table. No table of a schema may have it.
        static let name = "repository_schema"
        private static let quoted = "\"repository_schema\""

        /// The statement with which a migration waits for running writes, and lets others wait.
        static let lockAgainstWrites = "LOCK TABLE \(quoted) IN ACCESS EXCLUSIVE MODE"
        /// The statement that precedes the snapshot of a serializable transaction: its first query
        /// would read the revision from a snapshot that it has taken before it waits.
        static let waitForMigration = "LOCK TABLE \(quoted) IN ACCESS SHARE MODE"

        /// Creates the table and its row, if they are not there. Several programs may do so at once.
        static func create(_ connection: PostgreSQLConnection) async throws {
            try await PostgreSQLCatalog.createMissing(
                """
                CREATE TABLE IF NOT EXISTS \(quoted) \
                ("name" text COLLATE "C" PRIMARY KEY, "revision" bigint NOT NULL, \
                "description" text NOT NULL); \
                INSERT INTO \(quoted) VALUES ('', 0, '') ON CONFLICT ("name") DO NOTHING
                """, connection)
        }

        /// Returns the JSON of the description; `nil` if there is none.
        ///
        /// - Parameter locked: whether the row is locked until the end of the transaction.
        static func json(
            _ connection: any PostgreSQLRunner, locked: Bool = false
        ) async throws -> String? {
            guard try await PostgreSQLCatalog.hasTable(quoted, connection) else { return nil }
            let result = try await connection.run(
                "SELECT \"description\" FROM \(quoted) WHERE \"name\" = ''"
                    + (locked ? " FOR UPDATE" : ""))
            guard result.count > 0, let text = result.text(0, 0), !text.isEmpty else { return nil }
            return text
        }

        /// Returns the revision of the description; `nil` if there is none.
        static func revision(_ connection: any PostgreSQLRunner) async throws -> Int64? {
            guard try await PostgreSQLCatalog.hasTable(quoted, connection) else { return nil }
            let result = try await connection.run(
                "SELECT \"revision\" FROM \(quoted) WHERE \"name\" = ''")
            return result.count > 0 ? result.integer(0, 0) : nil
        }

        /// Returns a statement that fails with 22P02 if the description has another revision than a
        /// program knows.
        ///
        /// It is sent with the first statement of each write, so that it costs no round trip.
        static func guardStep(_ revision: Int64) -> PostgreSQLConnection.Step {
            // The description is no integer: the cast fails, and with it the rest of the pipeline.
            var parameters = PostgreSQLParameters()
            parameters.append(PostgreSQLType.int8) { $0.append(revision) }
            return PostgreSQLConnection.Step(
                text:
                    "SELECT CASE WHEN \"revision\" = $1 THEN 1 ELSE CAST('changed: ' || \"description\" AS integer) END FROM \(quoted)",
                parameters: parameters)
        }

        /// Returns the description; `nil` if there is none.
        static func description(
            _ connection: any PostgreSQLRunner, locked: Bool = false
        ) async throws -> StoreDescription? {
            try await json(connection, locked: locked).map {
                try StoreDescription(json: Data($0.utf8), store: "PostgreSQL")
            }
        }

        /// Writes the description with the next revision number, inside the transaction that has
        /// locked it.
        static func write(
            _ description: StoreDescription, _ connection: PostgreSQLConnection
        ) async throws {
            try await write(json: description.nextJSON(), connection)
        }

        /// Writes the JSON of a description, inside the transaction that has locked it.
        static func write(json text: String, _ connection: PostgreSQLConnection) async throws {
            try await connection.run(
                "UPDATE \(quoted) SET \"revision\" = \"revision\" + 1, \"description\" = $1 WHERE \"name\" = ''",
                PostgreSQLCatalog.parameters([text]))
            // Whatever has changed the tables may have changed their records.
            try await PostgreSQLChangeTable.noteAnything(connection)
        }
    }
#endif
