#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// Writes a copy of the data before a migration changes it.
    ///
    /// - Parameter check: throws to cancel the copy.
    typealias PostgreSQLBackUp =
        @Sendable (
            _ connection: PostgreSQLBlockingConnection, _ url: URL,
            _ check: @escaping @Sendable () throws -> Void
        ) throws -> Void

    /// What a store has to know of the tables of a schema that it has opened.
    struct PostgreSQLOpenedTables: Sendable {
        /// The columns of unmanaged tables that contain JSON, by table.
        let jsonColumns: [String: Set<String>]
        /// Whether tables are distributed over the nodes of a cluster.
        let isSpread: Bool
    }

    /// Creates or upgrades the tables of a schema.
    ///
    /// It first compares without a lock: most openings find nothing to do. Otherwise the comparison
    /// is repeated in a transaction that locks the description, so that of several programs that
    /// start at once, one makes the changes and the others find them made.
    struct PostgreSQLSchemaOpening {
        let schema: StoreSchema
        let tables: [SQLTable]
        let connection: PostgreSQLConnection
        private let openSets: Set<String>
        private let history: SchemaHistory?
        /// The time to wait for another program that changes tables.
        let lockTimeout: Duration
        /// Encrypts the fields that schemas declare to be encrypted.
        let encryption: (any FieldCipher)?
        /// Writes a copy of the data inside the transaction of a migration.
        let backUp: PostgreSQLBackUp?

        init(
            _ schema: StoreSchema, _ tables: [SQLTable], _ connection: PostgreSQLConnection,
            openSets: Set<String>, lockTimeout: Duration, encryption: (any FieldCipher)? = nil,
            backUp: PostgreSQLBackUp? = nil
        ) throws {
            self.backUp = backUp
            self.encryption = encryption
            self.schema = schema
            self.tables = tables
            self.connection = connection
            self.openSets = openSets
            self.lockTimeout = lockTimeout
            history = try schema.history()
        }

        /// The number of times that an opening on a cluster runs.
        private static let attempts = 5

        /// Runs the opening, on a cluster again if a program that changes other schemas was in the
        /// way: Citus reads the catalog without a lock, and nodes wait for each other.
        ///
        /// - Returns: what the store has to know of the tables.
        /// - Throws: what ``runOnce()`` throws.
        func run() async throws -> PostgreSQLOpenedTables {
            var attempt = 1
            while true {
                do {
                    return try await runOnce()
                } catch let error as PostgreSQLError
                    where (error.isConflict || error.state == "XX000") && attempt < Self.attempts
                {
                    guard try await CitusCatalog.isInstalled(connection) else { throw error }
                    attempt += 1
                    let most = Double(min(50 << attempt, 1_000))
                    try await Task.sleep(for: .milliseconds(Double.random(in: 0...most)))
                }
            }
        }

        /// Runs the opening once.
        ///
        /// - Returns: what the store has to know of the tables.
        /// - Throws: `schemaMismatch` with every difference; `migrating` if another program is
        ///   changing the tables; `databaseError` if the copy of the data cannot be written.
        private func runOnce() async throws -> PostgreSQLOpenedTables {
            let (plan, _) = try await lookedAt { _ in }
            try requireFit(plan)
            try await withNotes { try $0.check() }
            if plan.isDone {
                try await completeNotes(plan.opening)
                return plan.tables
            }
            try plan.requireAllowed()
            try plan.opening.requireNoEncryptedStages(tables, in: "PostgreSQL")
            try await PostgreSQLSchemaTable.create(connection)
            try await withNotes { try $0.noteKey() }
            // What the functions of a migration and its statements leave prepared is of no use
            // afterwards.
            defer { if plan.opening.convertsRecords { connection.discard() } }
            let cancellation = PostgreSQLMigrationCancellation()
            let distributed = plan.distributed
            do {
                try await withTaskCancellationHandler {
                    try await PostgreSQLBlockingConnection.run(connection) { connection in
                        try PostgreSQLMigrationRun(
                            self, connection, cancellation,
                            distributes: distributed.isSpread
                        ).run()
                    }
                } onCancel: {
                    cancellation.cancel()
                }
            } catch let error as PostgreSQLError where error.isLockTimeout {
                throw CRUDRepositoryError.migrating("PostgreSQL", underlyingError: error)
            }
            // Another program may have made the changes.
            try await withNotes { try $0.check() }
            return plan.tables
        }

        /// Uses the notes of encrypted fields, if the schema has any.
        @discardableResult
        private func withNotes<R: Sendable>(
            _ body:
                @escaping @Sendable (EncryptionUpkeep<PostgreSQLBlockingConnection>) throws -> R
        ) async throws -> R? {
            guard tables.contains(where: { $0.cipher != nil }) else { return nil }
            return try await PostgreSQLBlockingConnection.run(connection, isMigration: false) {
                [tables] in try body(EncryptionUpkeep(tables, $0))
            }
        }

        /// Completes the notes of a schema whose tables need no change.
        private func completeNotes(_ opening: SchemaOpening) async throws {
            let isComplete = try await withNotes {
                try $0.noteKey()
                return try $0.isComplete()
            }
            if isComplete ?? true { return }
            try await connection.transaction {
                try await PostgreSQLBlockingConnection.run(connection, isMigration: false) {
                    [tables] connection in
                    try EncryptionUpkeep(tables, connection).complete(after: opening) {
                        try connection.wait { try await PostgreSQLSchemaTable.description($0) }
                    }
                }
            }
        }

        /// Returns the sizes of the tables that are rewritten or that functions over several tables
        /// read, by name.
        private func sizes(_ size: SQLMigrationSize) async throws -> [MigrationPlan.Table] {
            var tables: [MigrationPlan.Table] = []
            for table in size.tables {
                let name = PostgreSQLDialect().quoted(table.stored)
                let result = try await connection.run(
                    "SELECT count(*), pg_total_relation_size($1::regclass) FROM \(name)",
                    PostgreSQLCatalog.parameters([name]))
                tables.append(
                    MigrationPlan.Table(
                        name: table.name, records: Int(result.integer(0, 0) ?? 0),
                        bytes: Int(result.integer(0, 1) ?? 0)))
            }
            return tables
        }

        /// Returns what ``run()`` would do.
        func migrationPlan() async throws -> MigrationPlan {
            let (plan, tables) = try await lookedAt { plan in
                guard plan.differences.isEmpty else { return [MigrationPlan.Table]() }
                return try await sizes(SQLMigrationSize(plan.opening))
            }
            var result = plan.opening.plan(of: "PostgreSQL")
            result.tables = tables
            // New tables, and their pages in the write-ahead log.
            result.neededBytes = 2 * tables.reduce(0) { $0 + $1.bytes }
            result.problems = plan.differences
            result.isNeeded = !plan.isDone
            result.isRefusedByRefuse =
                !plan.differences.isEmpty || !plan.refused.isEmpty
                || plan.opening.isDone && !plan.isDone
            return result
        }

        /// A comparison of the database with the schema.
        struct Plan {
            let opening: SchemaOpening
            let differences: [String]
            let refused: [String]
            /// The columns of unmanaged tables that contain JSON, by table.
            let jsonColumns: [String: Set<String>]
            /// Whether the search indexes are complete.
            let isSearchComplete: Bool
            /// The tables of a cluster.
            let distributed: CitusTables

            /// What the store has to know of the tables.
            var tables: PostgreSQLOpenedTables {
                PostgreSQLOpenedTables(jsonColumns: jsonColumns, isSpread: distributed.isSpread)
            }

            /// Whether nothing has to be changed. An older program creates no indexes on newer data.
            var isDone: Bool {
                opening.isDone
                    && (opening.isDataNewer || isSearchComplete && distributed.missing.isEmpty)
            }

            /// Checks that the mode of the opening allows the changes.
            ///
            /// - Throws: `schemaMismatch`.
            func requireAllowed() throws {
                let later =
                    isSearchComplete ? "tables must be distributed" : "indexes must be built"
                let refused = opening.isDone && !isDone ? [later] : self.refused
                try opening.requireAllowed(refused, in: "PostgreSQL")
            }
        }

        /// Compares without a lock, on one state of the database: otherwise a table that another
        /// program creates in between would look like one of another owner.
        private func lookedAt<R>(
            _ body: (Plan) async throws -> R
        ) async throws -> (Plan, R) {
            let milliseconds = max(1, lockTimeout.milliseconds)
            do {
                return try await connection.transaction(
                    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; "
                        + "SET LOCAL lock_timeout = '\(milliseconds)ms'"
                ) {
                    let plan = try await plan(locked: false)
                    return (plan, try await body(plan))
                }
            } catch let error as PostgreSQLError where error.isLockTimeout {
                throw CRUDRepositoryError.migrating("PostgreSQL", underlyingError: error)
            }
        }

        func plan(locked: Bool) async throws -> Plan {
            let before = try await PostgreSQLSchemaTable.description(connection, locked: locked)
            let opening = SchemaOpening(
                schema, in: before, form: .foldedColumns, openSets: openSets, history: history)
            var differences = opening.messages
            let encoding = try await PostgreSQLCatalog.encoding(connection)
            if encoding != "UTF8" {
                differences.append("the database keeps text in \(encoding), not in UTF8")
            }
            let distributed = try await CitusTables.read(
                tables, after: opening, connection)
            if !opening.isDataNewer { differences += distributed.differences }
            try distributed.requireDeclared(
                opening.unverifiedTables.union(opening.migrations.keys)
                    .union(opening.producedTables))
            let found = try await PostgreSQLCatalog.relations(connection)
            for table in opening.stored.tables
            where tables.contains(where: \.entity.isManaged) && !found.contains(table.name)
                && !opening.removedTables.contains(table.name)
            {
                differences.append("the table '\(table.name)' is gone from the database")
            }
            var jsonColumns: [String: Set<String>] = [:]
            for table in tables where !table.entity.isManaged {
                let compared = try await PostgreSQLUnmanagedTable.read(table, connection)
                differences += compared.differences
                jsonColumns[table.name] = compared.jsonColumns
            }
            for table in tables where table.entity.isManaged && found.contains(table.name) {
                if table.name == EncryptionNotes.table {
                    differences.append(
                        "the table '\(table.name)' has the name of the table that notes keys")
                } else if table.name == PostgreSQLSchemaTable.name {
                    differences.append(
                        "the table '\(table.name)' has the name of the table that describes schemas"
                    )
                } else if table.name == PostgreSQLSearchIndex.stateTable {
                    differences.append(
                        "the table '\(table.name)' has the name of the table that describes search indexes"
                    )
                } else if PostgreSQLJournal.tables.contains(table.name) {
                    differences.append(
                        "the table '\(table.name)' has the name of a table that the store keeps for itself"
                    )
                } else if before?.table(table.name) == nil {
                    differences.append(
                        "the table '\(table.name)' is there already, and another program made it")
                }
            }
            differences += try await changedColumns(opening, before, found)
            return Plan(
                opening: opening, differences: differences,
                refused: opening.refusedChanges(
                    rewriting: opening.unverifiedTables.union(opening.migrations.keys)),
                jsonColumns: jsonColumns,
                isSearchComplete: try await searches.areComplete(connection),
                distributed: distributed)
        }

        /// Returns what other programs have changed in the columns of the tables that stay as they
        /// are.
        private func changedColumns(
            _ opening: SchemaOpening, _ before: StoreDescription?, _ found: Set<String>
        ) async throws -> [String] {
            // The types of newer data are those of another program.
            if opening.isDataNewer || !opening.messages.isEmpty { return [] }
            let changed = Set(opening.steps.map(\.table)).union(opening.migrations.keys)
                .union(opening.producedTables)
            let same = tables.filter {
                $0.entity.isManaged && found.contains($0.name) && !changed.contains($0.name)
                    && before?.table($0.name) != nil
            }
            return try await PostgreSQLStoredColumns.differences(same, connection)
        }

        /// The search indexes of the managed tables.
        var searches: PostgreSQLSearchTables {
            PostgreSQLSearchTables(tables.filter(\.entity.isManaged))
        }

        func requireFit(_ plan: Plan) throws {
            guard plan.differences.isEmpty else {
                throw CRUDRepositoryError.schemaMismatch(
                    store: "PostgreSQL", differences: plan.differences)
            }
        }
    }
#endif
