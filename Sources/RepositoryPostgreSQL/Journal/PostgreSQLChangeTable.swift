#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime

    /// The table of the changed records, which other programs read.
    ///
    /// A row has the transaction that has written it. Numbers of transactions are not the order of
    /// commits; a reader therefore keeps a snapshot, and the new rows are those of transactions that
    /// were not visible in it. None is skipped, however long a transaction takes.
    /// Source: https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-PG-SNAPSHOT
    enum PostgreSQLChangeTable {
        /// The name of the table.
        static let name = "repository_changes"
        private static let quoted = "\"repository_changes\""
        /// The number of ids of one table and one commit from which they are not noted singly.
        private static let mostIDs = 1_000
        /// The number of rows that are read at once; if there are more, anything may have changed.
        static let mostRows = 10_000

        /// The statements that create the table if it is not there.
        static let create = [
            """
            CREATE TABLE IF NOT EXISTS \(quoted) ("xid" xid8 NOT NULL DEFAULT pg_current_xact_id(), \
            "at" timestamptz NOT NULL DEFAULT now(), "source" uuid NOT NULL, \
            "table" text COLLATE "C", "id" text COLLATE "C")
            """,
            """
            CREATE INDEX IF NOT EXISTS "repository_changes_xid" ON \(quoted) ("xid")
            """,
        ]

        /// Returns whether the index is there, and with it the table. The statements above would lock
        /// the table, and need the right to create, also if they are.
        static func isThere(_ connection: PostgreSQLConnection) async throws -> Bool {
            try await PostgreSQLCatalog.hasTable("repository_changes_xid", connection)
        }

        /// Returns the statement that notes a change.
        static func step(_ change: StoreChange, of source: UUID) -> PostgreSQLConnection.Step {
            var rows: [(table: String?, id: String?)] = []
            if let tables = change.tables {
                for (table, records) in tables.sorted(by: { $0.key < $1.key }) {
                    if case .ids(let ids) = records, ids.count <= mostIDs {
                        rows += ids.map { (table, $0) }
                    } else {
                        rows.append((table, nil))
                    }
                }
            } else {
                rows.append((nil, nil))
            }
            var parameters = uuid(source)
            PostgreSQLValues.append(rows.map(\.table), to: &parameters)
            PostgreSQLValues.append(rows.map(\.id), to: &parameters)
            return .init(
                text: """
                    INSERT INTO \(quoted) ("source", "table", "id") \
                    SELECT $1, c.* FROM unnest($2, $3) AS c
                    """, parameters: parameters)
        }

        /// Returns a statement that also notes the record that it changes, if it changes one. The
        /// number of rows is the same.
        ///
        /// - Parameters:
        ///   - text: an `INSERT`, `UPDATE` or `DELETE` of one row, without `RETURNING`.
        ///   - parameters: its parameters. Those of the note are appended.
        /// - Returns: a query for the `WITH` of the statement, and the statement.
        static func noting(
            _ text: String, _ parameters: inout PostgreSQLParameters, _ table: String,
            id: String, of source: UUID
        ) -> (query: String, text: String) {
            let first = parameters.count + 1
            parameters.append(source)
            for value in [table, id] {
                parameters.append(PostgreSQLType.text) { $0.append(contentsOf: value.utf8) }
            }
            return (
                "repository_changed AS (\(text) RETURNING 1)",
                "INSERT INTO \(quoted) (\"source\", \"table\", \"id\") "
                    + "SELECT $\(first), $\(first + 1), $\(first + 2) FROM repository_changed"
            )
        }

        /// Notes that anything may have changed, if the table is there: a migration, a reset or a
        /// restore.
        static func noteAnything(_ connection: PostgreSQLConnection) async throws {
            guard try await PostgreSQLCatalog.hasTable(quoted, connection) else { return }
            try await connection.run(
                "INSERT INTO \(quoted) (\"source\") VALUES ($1)", uuid(UUID()))
        }

        private static func uuid(_ value: UUID) -> PostgreSQLParameters {
            var parameters = PostgreSQLParameters()
            parameters.append(value)
            return parameters
        }

        // MARK: Reading

        /// What a reader has seen.
        struct Position: Sendable, Equatable {
            /// The snapshot, in the notation of the server: its first and last transaction, and
            /// those under way.
            var snapshot: String
            /// When the server began. Another one may count its transactions in another way.
            var server: String

            /// The transaction before which the snapshot has seen all.
            var first: UInt64 { UInt64(snapshot.prefix { $0 != ":" }) ?? 0 }
        }

        private static let now = """
            (SELECT pg_current_snapshot()::text AS "now", \
            pg_postmaster_start_time()::text AS "server") AS s
            """

        /// Returns the position before all later commits.
        static func position(_ connection: PostgreSQLConnection) async throws -> Position {
            let found = try await connection.run("SELECT s.\"now\", s.\"server\" FROM \(now)")
            return Position(snapshot: found.text(0, 0) ?? "", server: found.text(0, 1) ?? "")
        }

        /// Returns a query for the rows that a position has not seen. The index finds them.
        ///
        /// - Parameter own: a condition.
        private static func unseen(_ columns: String, where own: String, limit: Int) -> String {
            """
            (SELECT \(columns) FROM \(quoted) WHERE "xid" >= pg_snapshot_xmax($1::pg_snapshot) \
            AND \(own) ORDER BY "xid" LIMIT \(limit)) UNION ALL \
            (SELECT \(columns) FROM \(quoted) \
            WHERE "xid" = ANY (ARRAY(SELECT pg_snapshot_xip($1::pg_snapshot))) \
            AND \(own) ORDER BY "xid" LIMIT \(limit))
            """
        }

        /// Returns what others have committed since a position.
        ///
        /// - Returns: the change, `nil` if there is none; the position after it.
        static func changes(
            since position: Position, notOf source: UUID, _ connection: PostgreSQLConnection
        ) async throws -> (StoreChange?, Position) {
            var parameters = PostgreSQLCatalog.parameters([position.snapshot])
            parameters.append(source)
            let rows = unseen(
                "\"table\", \"id\"", where: "(\"source\" <> $2 OR \"table\" = '')",
                limit: mostRows + 1)
            let found = try await connection.run(
                """
                WITH "rows" AS (\(rows)) \
                SELECT s."now", s."server", c."isRow", c."table", c."id", \
                (SELECT count(*) FROM "rows") FROM \(now) \
                LEFT JOIN (SELECT DISTINCT true AS "isRow", r.* FROM "rows" AS r) AS c ON true
                """, parameters)
            let next = Position(snapshot: found.text(0, 0) ?? "", server: found.text(0, 1) ?? "")
            // Rows beyond the limit are in none of the distinct ones.
            guard next.server == position.server, found.integer(0, 5) ?? 0 <= mostRows else {
                return (.anything, next)
            }
            var log = ChangeLog()
            for row in 0..<found.count where found.isTrue(row, 2) {
                switch (found.text(row, 3), found.text(row, 4)) {
                case ("", let removed):
                    if isLost(removed, position) { log.addAnything() }
                case (let table?, let id?): log.add(table, id: id)
                case (let table?, nil): log.addUnknown(table)
                case (nil, _): log.addAnything()
                }
            }
            return (log.change, next)
        }

        /// Returns whether rows were removed that a position had not seen.
        ///
        /// - Parameter removed: the last transaction whose rows were removed.
        private static func isLost(_ removed: String?, _ position: Position) -> Bool {
            removed.flatMap { UInt64($0) }.map { $0 >= position.first } ?? true
        }

        /// Returns whether anybody has committed a change since a position.
        ///
        /// - Returns: whether there is one; the position after it.
        static func hasChanges(
            since position: Position, _ connection: PostgreSQLConnection
        ) async throws -> (Bool, Position) {
            let condition =
                "CASE WHEN \"table\" = '' THEN \"id\"::xid8 >= pg_snapshot_xmin($1::pg_snapshot) ELSE true END"
            let found = try await connection.run(
                """
                SELECT s."now", s."server", EXISTS (\(unseen("1", where: condition, limit: 1))) \
                FROM \(now)
                """, PostgreSQLCatalog.parameters([position.snapshot]))
            let next = Position(snapshot: found.text(0, 0) ?? "", server: found.text(0, 1) ?? "")
            return (found.isTrue(0, 2) || next.server != position.server, next)
        }

        // MARK: Pruning

        /// The number of rows that one statement reads to remove old ones.
        static let prunedRows = 10_000

        /// Removes the oldest rows, if they are older than some minutes. A row is left that says up
        /// to which transaction, so that a reader that has not read them knows.
        ///
        /// - Returns: whether rows were removed.
        @discardableResult
        static func prune(
            olderThan minutes: Int = 10, _ connection: PostgreSQLConnection
        ) async throws -> Bool {
            let found = try await connection.run(
                """
                WITH "oldest" AS (SELECT ctid AS "place", "at" FROM \(quoted) ORDER BY "xid" \
                LIMIT \(prunedRows) FOR UPDATE SKIP LOCKED), \
                "gone" AS (DELETE FROM \(quoted) AS c USING "oldest" AS o \
                WHERE c.ctid = o."place" AND o."at" < now() - interval '\(minutes) minutes' \
                RETURNING c."xid") \
                INSERT INTO \(quoted) ("source", "table", "id") \
                SELECT $1, '', g."xid"::text FROM "gone" AS g ORDER BY g."xid" DESC LIMIT 1
                """, uuid(UUID()))
            return found.changed > 0
        }
    }
#endif
