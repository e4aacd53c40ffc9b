#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import Synchronization

    /// A write whose answer was lost.
    struct PostgreSQLLostWrite: Sendable {
        /// The connection that has sent it.
        private(set) var session: PostgreSQLWriteSession

        /// A write whose number was sent.
        init(session: PostgreSQLWriteSession) { self.session = session }

        /// A write that was under way, whose number was not sent.
        init(unfinishedOn session: PostgreSQLWriteSession) {
            self.session = session
            self.session.number += 1
        }
    }

    /// The question whether a write happened whose answer was lost. It is asked once, also for the
    /// requests that were committed together.
    final class PostgreSQLWriteQuestion: Sendable {
        private let write: PostgreSQLLostWrite
        private let asking = Mutex<Task<Bool?, Never>?>(nil)

        init(_ write: PostgreSQLLostWrite) { self.write = write }

        /// Returns whether the write happened; `nil` if nobody knows.
        ///
        /// - Parameter ask: asks the server. The first caller's is run.
        func answer(
            _ ask: @escaping @Sendable (PostgreSQLLostWrite) async -> Bool?
        ) async -> Bool? {
            let task = asking.withLock { [write] asking in
                let task = asking ?? Task { await ask(write) }
                asking = task
                return task
            }
            // The task that waits may be cancelled, but what it did must be known.
            return await task.value
        }
    }

    /// The table by which a write is known to have happened.
    ///
    /// It has a row for each connection, with the number of its last write, which is part of the
    /// transaction of the write. A question closes the row: afterwards the server cannot commit a
    /// write of that connection any more, even if it receives it later. While the server is
    /// committing the write, the question waits for its end, because both lock the row.
    enum PostgreSQLWriteTokens {
        /// The name of the table.
        static let name = "repository_writes"
        private static let quoted = "\"repository_writes\""

        /// Returns whether the table is there.
        static func isThere(_ connection: PostgreSQLConnection) async throws -> Bool {
            try await PostgreSQLCatalog.hasTable(quoted, connection)
        }

        /// The statement that creates the table if it is not there.
        static let create = """
            CREATE TABLE IF NOT EXISTS \(quoted) ("session" uuid PRIMARY KEY, \
            "number" bigint NOT NULL, "closed" boolean NOT NULL, "at" timestamptz NOT NULL)
            """

        /// Sets a connection up for writes that can be asked for, and removes the rows of connections
        /// that have written nothing for a day.
        static func begin(_ connection: PostgreSQLConnection) async throws {
            // The process of a pooler's session serves other clients, too.
            let found = try await connection.run(
                """
                SELECT CASE WHEN \(connection.isPooled) THEN 0 ELSE pid END, backend_start::text FROM pg_stat_activity \
                WHERE pid = pg_backend_pid()
                """)
            guard let process = found.count > 0 ? found.integer(0, 0) : nil,
                let start = found.text(0, 1)
            else { throw PostgreSQLError(client: "the server does not name its process") }
            try await connection.run(
                """
                DELETE FROM \(quoted) WHERE "session" IN (SELECT "session" FROM \(quoted) \
                WHERE "at" < now() - interval '1 day' FOR UPDATE SKIP LOCKED)
                """)
            connection.writeSession = PostgreSQLWriteSession(
                id: UUID(), process: Int32(truncatingIfNeeded: process), start: start)
        }

        /// Returns the statement that is part of the next write. It fails if the row was closed.
        static func step(_ connection: PostgreSQLConnection) -> PostgreSQLConnection.Step? {
            connection.writeSession?.number += 1
            guard let session = connection.writeSession else { return nil }
            var parameters = parameters(session)
            parameters.append(PostgreSQLType.int8) { $0.append(session.number) }
            return PostgreSQLConnection.Step(
                text: """
                    INSERT INTO \(quoted) AS w VALUES ($1, $2, false, now()) \
                    ON CONFLICT ("session") DO UPDATE SET "at" = excluded."at", \
                    "number" = CASE WHEN w."closed" THEN NULL ELSE excluded."number" END
                    """, parameters: parameters)
        }

        private static func parameters(_ session: PostgreSQLWriteSession) -> PostgreSQLParameters {
            var parameters = PostgreSQLParameters()
            parameters.append(session.id)
            return parameters
        }

        /// Closes the row of a connection.
        ///
        /// The question is a commit of its own, so that a server with synchronous standbys answers
        /// only when they have confirmed the write, too. If that wait is cancelled, it is asked
        /// again.
        ///
        /// - Returns: whether the write happened. If not, it never will.
        /// - Throws: `PostgreSQLError`; with the state 55P03 if the write is under way for too
        ///   long, and 01000 if no standby has confirmed the question.
        static func ask(
            _ write: PostgreSQLLostWrite, _ connection: PostgreSQLConnection
        ) async throws -> Bool {
            // A warning of an earlier operation says nothing about this one.
            _ = connection.notices.takeCommitWarning()
            let number = try await connection.transaction("BEGIN; SET LOCAL lock_timeout = 300") {
                try await connection.run(
                    """
                    INSERT INTO \(quoted) AS w VALUES ($1, 0, true, now()) \
                    ON CONFLICT ("session") DO UPDATE SET "closed" = true, "at" = excluded."at" \
                    RETURNING "number"
                    """, parameters(write.session)
                ).integer(0, 0)
            }
            if let warning = connection.notices.takeCommitWarning() { throw warning }
            return number == write.session.number
        }

        /// Ends the process of the server that serves a lost connection, so that it keeps no locks.
        static func end(
            _ write: PostgreSQLLostWrite, _ connection: PostgreSQLConnection
        ) async throws {
            // The pooler ends it.
            if write.session.process == 0 { return }
            var parameters = PostgreSQLParameters()
            parameters.append(PostgreSQLType.int4) { $0.append(write.session.process) }
            parameters.append(PostgreSQLType.text) {
                $0.append(contentsOf: write.session.start.utf8)
            }
            try await connection.run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                WHERE pid = $1 AND backend_start = $2::timestamptz
                """, parameters)
        }
    }
#endif
