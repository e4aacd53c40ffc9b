#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import StoredSchema

    /// Creates or upgrades the tables of a schema.
    ///
    /// It first compares without a lock: most openings find nothing to do. Otherwise the comparison
    /// is repeated in a transaction that locks the description, so that of several programs that
    /// start at once, one makes the changes and the others find them made.
    struct PostgreSQLSchemaOpening {
        private let schema: StoreSchema
        private let tables: [SQLTable]
        private let connection: PostgreSQLConnection
        private let openSets: Set<String>
        private let history: SchemaHistory?
        /// The time to wait for another program that changes tables.
        private let lockTimeout: Duration

        init(
            _ schema: StoreSchema, _ tables: [SQLTable], _ connection: PostgreSQLConnection,
            openSets: Set<String>, lockTimeout: Duration
        ) throws {
            self.schema = schema
            self.tables = tables
            self.connection = connection
            self.openSets = openSets
            self.lockTimeout = lockTimeout
            history = try schema.history()
        }

        /// Runs the opening.
        ///
        /// - Throws: `schemaMismatch` with every difference; `migrating` if another program is
        ///   changing the tables; `unsupported` if a released version converts records.
        func run() async throws {
            let plan = try await lookedAt()
            try requireFit(plan)
            if plan.opening.isDone { return }
            try plan.opening.requireAllowed(plan.refused, in: "PostgreSQL")
            try await PostgreSQLSchemaTable.create(connection)
            let milliseconds = max(1, lockTimeout.components.seconds * 1_000)
            do {
                try await connection.transaction(
                    "BEGIN; SET LOCAL lock_timeout = '\(milliseconds)ms'"
                ) {
                    let plan = try await self.plan(locked: true)
                    try requireFit(plan)
                    if plan.opening.isDone { return }
                    try plan.opening.requireAllowed(plan.refused, in: "PostgreSQL")
                    try await PostgreSQLSchemaUpgrade(
                        plan.opening, schema, tables, connection
                    ).run()
                    try await PostgreSQLSchemaTable.write(plan.opening.result, connection)
                }
            } catch let error as PostgreSQLError where error.state == "55P03" {
                throw CRUDRepositoryError.migrating("PostgreSQL", underlyingError: error)
            }
        }

        /// Returns what ``run()`` would do.
        func migrationPlan() async throws -> MigrationPlan {
            let plan = try await lookedAt()
            var result = plan.opening.plan(of: "PostgreSQL")
            result.problems = plan.differences
            result.isNeeded = !plan.opening.isDone
            result.isRefusedByRefuse = !plan.differences.isEmpty || !plan.refused.isEmpty
            return result
        }

        /// A comparison of the database with the schema.
        private struct Plan {
            let opening: SchemaOpening
            let differences: [String]
            let refused: [String]
        }

        /// Compares without a lock, on one state of the database: otherwise a table that another
        /// program creates in between would look like one of somebody else.
        private func lookedAt() async throws -> Plan {
            try await connection.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") {
                try await plan(locked: false)
            }
        }

        private func plan(locked: Bool) async throws -> Plan {
            let before = try await PostgreSQLSchemaTable.description(connection, locked: locked)
            let opening = SchemaOpening(
                schema, in: before, form: .columns, openSets: openSets, history: history)
            var differences = opening.messages
            let encoding = try await PostgreSQLCatalog.encoding(connection)
            if encoding != "UTF8" {
                differences.append("the database keeps text in \(encoding), not in UTF8")
            }
            let found = try await PostgreSQLCatalog.relations(connection)
            for table in opening.stored.tables
            where !found.contains(table.name) && !opening.removedTables.contains(table.name) {
                differences.append("the table '\(table.name)' is gone from the database")
            }
            for table in tables where found.contains(table.name) {
                if table.name == PostgreSQLSchemaTable.name {
                    differences.append(
                        "the table '\(table.name)' has the name of the table that describes schemas"
                    )
                } else if before?.table(table.name) == nil {
                    differences.append(
                        "the table '\(table.name)' is there already, and another program made it")
                }
            }
            return Plan(
                opening: opening, differences: differences,
                refused: opening.refusedChanges(rewriting: opening.unverifiedTables))
        }

        private func requireFit(_ plan: Plan) throws {
            guard plan.differences.isEmpty else {
                throw CRUDRepositoryError.schemaMismatch(
                    store: "PostgreSQL", differences: plan.differences)
            }
            let opening = plan.opening
            guard opening.migrations.isEmpty, opening.tableFunctions.isEmpty,
                opening.droppedMigrations.isEmpty
            else {
                throw CRUDRepositoryError.unsupported(
                    "a version of a schema that converts records", by: "PostgreSQL")
            }
        }
    }
#endif
