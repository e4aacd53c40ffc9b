#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema
    internal import Synchronization

    /// Detects that another program has changed the description of the schemas since they were
    /// opened.
    ///
    /// Each write compares the revision of the description, in the round trip of its first
    /// statement. If it differs, the description is compared with the open schemas.
    final class PostgreSQLSchemaWatch: Sendable {
        private struct State {
            var schemas: [String: StoreSchema] = [:]
            /// Compares the revision with the one that fits the open schemas; `nil` if none is open.
            var step: PostgreSQLConnection.Step?
            /// The number of comparisons.
            var comparisons = 0
        }
        private let state = Mutex(State())
        /// Of the writes without a connection that find another revision at the same time, one
        /// compares.
        private let turn = JointTurn()

        /// The number of comparisons so far. A write notes it before it is sent.
        var comparisons: Int { state.withLock(\.comparisons) }

        /// The statement that compares the revision; `nil` if no schema is open.
        var step: PostgreSQLConnection.Step? {
            state.withLock(\.step)
        }

        /// Returns the statement that precedes the snapshot of a serializable transaction; `nil` if
        /// no schema is open, or the server needs none.
        func waitForMigration(_ connection: PostgreSQLConnection) -> String? {
            step == nil || !connection.locksTables ? nil : PostgreSQLSchemaTable.waitForMigration
        }

        /// Adds a schema that was opened. The next write compares the description with all open
        /// schemas: another program may have changed it meanwhile.
        func add(_ schema: StoreSchema) {
            state.withLock { state in
                state.schemas[schema.name] = schema
                state.step = PostgreSQLSchemaTable.guardStep(Self.unknown)
            }
        }

        /// A revision that no description has.
        private static let unknown: Int64 = -1

        /// Removes a schema.
        func remove(_ schema: StoreSchema) {
            state.withLock { $0.schemas[schema.name] = nil }
        }

        /// Compares the description with the open schemas, unless another write has done so.
        ///
        /// - Parameters:
        ///   - runner: a leased connection, or the reader of the shared one.
        ///   - comparisons: the number of comparisons before the write was sent.
        /// - Throws: `schemaMismatch` if it does not fit one of them.
        func compare(_ runner: any PostgreSQLRunner, since comparisons: Int) async throws {
            // Whoever has a connection does not wait: the one that compares may wait for it.
            if runner is PostgreSQLConnection {
                if self.comparisons == comparisons { try await compare(runner) }
                return
            }
            try await turn.take {
                if self.comparisons == comparisons { try await compare(runner) }
            }
        }

        private func compare(_ connection: any PostgreSQLRunner) async throws {
            // The revision is read first: a change in between is found by the next write.
            let revision = try await PostgreSQLSchemaTable.revision(connection)
            let description = try await PostgreSQLSchemaTable.description(connection)
            try (description ?? StoreDescription()).requireFit(
                of: state.withLock(\.schemas), form: .foldedColumns, in: "PostgreSQL")
            state.withLock { state in
                state.step = revision.map(PostgreSQLSchemaTable.guardStep)
                state.comparisons += 1
            }
        }
    }

    /// The description has another revision than the program knows.
    struct PostgreSQLSchemaSignal: Error {}

    /// Another program changes the tables. Nothing was written.
    struct PostgreSQLMigrationSignal: Error {
        let error: PostgreSQLError
    }
#endif
