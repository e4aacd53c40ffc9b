#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema
    internal import Synchronization

    /// One change of the tables, on a thread of its own: a transaction that locks the description,
    /// compares again, applies the steps and writes the description.
    final class PostgreSQLMigrationRun {
        private let opening: PostgreSQLSchemaOpening
        private let connection: PostgreSQLBlockingConnection
        private let cancellation: PostgreSQLMigrationCancellation
        private let distributes: Bool
        private var setAside: SQLSetAside?
        /// Whether only the commit is left, so that a lost answer leaves the outcome open.
        private var isCommitting = false

        /// - Parameter distributes: whether tables are distributed over the nodes of a cluster.
        init(
            _ opening: PostgreSQLSchemaOpening, _ connection: PostgreSQLBlockingConnection,
            _ cancellation: PostgreSQLMigrationCancellation, distributes: Bool
        ) {
            self.distributes = distributes
            self.opening = opening
            self.connection = connection
            self.cancellation = cancellation
        }

        /// Changes the tables, if they need a change.
        ///
        /// - Throws: `schemaMismatch`; `unsupported` for a copy of the data; `CancellationError`.
        func run() throws {
            let milliseconds = max(1, opening.lockTimeout.milliseconds)
            do {
                try connection.transaction(
                    // A conversion takes its time, in one statement or between two.
                    "BEGIN; \(lockingNodes(milliseconds))"
                        + "SET LOCAL lock_timeout = '\(milliseconds)ms'; "
                        + "SET LOCAL statement_timeout = 0; "
                        // Records that a policy hides from this role would be lost.
                        + "SET LOCAL row_security = off; "
                        + "SET LOCAL idle_in_transaction_session_timeout = 0; "
                        + PostgreSQLSchemaTable.lockAgainstWrites
                ) {
                    let plan = try connection.wait { [opening] _ in
                        try await opening.plan(locked: true)
                    }
                    try opening.requireFit(plan)
                    if plan.isDone { return }
                    try plan.requireAllowed()
                    if !plan.opening.isDone || !plan.distributed.missing.isEmpty {
                        try migrate(plan.opening, plan.distributed)
                    }
                    if !plan.opening.isDataNewer {
                        try connection.wait { [opening] in try await opening.searches.complete($0) }
                    }
                    isCommitting = true
                }
            } catch {
                if isCommitting, (error as? PostgreSQLError)?.leavesOutcomeOpen ?? false {
                    // The commit may have happened, and with it the records are only in the file.
                    setAside?.file.keep()
                } else {
                    setAside?.file.discard()
                }
                throw error
            }
            setAside?.file.keep()
        }

        /// The statements by which one program at a time changes distributed tables. The wait is
        /// longer than for a table: programs that change other schemas wait, too.
        private func lockingNodes(_ milliseconds: Int64) -> String {
            distributes
                ? "SET LOCAL lock_timeout = '\(milliseconds * 10)ms'; \(CitusCatalog.lock); "
                    + "\(CitusCatalog.sequential); " : ""
        }

        private func migrate(_ plan: SchemaOpening, _ distributed: CitusTables) throws {
            // Another program may have written notes since they were read.
            let encrypted = EncryptionUpkeep(opening.tables, connection)
            try encrypted.check()
            try encrypted.move(plan)
            connection.encryption = opening.encryption
            if let backup = opening.schema.control.backup,
                plan.plan(of: "PostgreSQL").from != .none
            {
                try opening.backUp?(connection, backup) { [cancellation] in
                    if cancellation.isCancelled { throw CancellationError() }
                }
            }
            setAside = try plan.setAside(for: opening.schema, connection)
            let reporter = try plan.reporter(for: opening.schema, connection) { [cancellation] in
                cancellation.isCancelled
            }
            let searches = PostgreSQLSearchTables.release(
                plan.steps, converting: Set(plan.migrations.keys))
            for text in searches { try connection.run(text) }
            try PostgreSQLSchemaUpgrade(
                plan, opening.schema, opening.tables.filter(\.entity.isManaged), connection,
                reporter, setAside, distributed
            ).run()
            try reporter.check()
            try setAside?.file.publish()
            let result = plan.result
            try connection.wait { try await PostgreSQLSchemaTable.write(result, $0) }
            try encrypted.complete(after: plan) {
                try connection.wait { try await PostgreSQLSchemaTable.description($0) }
            }
        }
    }

    /// Whether the task that opens a store was cancelled.
    final class PostgreSQLMigrationCancellation: Sendable {
        private let flag = Atomic(false)

        var isCancelled: Bool { flag.load(ordering: .relaxed) }

        func cancel() { flag.store(true, ordering: .relaxed) }
    }

    extension SchemaOpening {
        /// Whether versions convert records.
        var convertsRecords: Bool {
            !migrations.isEmpty || !tableFunctions.isEmpty || !droppedMigrations.isEmpty
        }
    }
#endif
