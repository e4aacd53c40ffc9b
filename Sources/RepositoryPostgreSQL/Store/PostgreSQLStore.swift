#if PostgreSQL
    internal import Foundation
    public import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema
    internal import Synchronization

    /// A store of entities in a PostgreSQL database, which many processes and machines share.
    ///
    /// Each entity has a table with a typed column per field.
    ///
    /// ```swift
    /// let library = Library(PostgreSQLStore("postgresql://library@localhost/library"))
    /// ```
    ///
    /// When a write returns, the server has committed it. A transaction is serializable: if it
    /// conflicts with another one, it runs again.
    ///
    /// Writes of several tasks that wait are committed together; each of them gets its own result.
    ///
    /// A read whose connection is lost is asked again on another one. A write whose answer was lost
    /// throws `outcomeUnknown` and is not repeated.
    ///
    /// Errors are `CRUDRepositoryError`, with ``PostgreSQLError`` as the underlying error.
    public final class PostgreSQLStore: EntityStore, PostgreSQLEntityStore {
        /// The kind of store.
        public let name = "PostgreSQL"
        /// The capabilities of the store. It has `externalObservation` and `changeState` if it was
        /// created with `observing: true`, and `distribution` after a schema with distributed
        /// tables was opened on a Citus cluster.
        public var capabilities: StoreCapabilities {
            let all = access.isSpread ? Self.spreadCapabilities : Self.allCapabilities
            return options.observing ? all.observing : all.usual
        }
        private typealias Capabilities = (usual: StoreCapabilities, observing: StoreCapabilities)
        private static let allCapabilities: Capabilities = (
            StoreCapabilities(usualSupport),
            StoreCapabilities(
                usualSupport.merging([.externalObservation: .native, .changeState: .native]) { $1 })
        )
        private static let spreadCapabilities: Capabilities = (
            allCapabilities.usual.adding(.distribution),
            allCapabilities.observing.adding(.distribution)
        )
        private static let usualSupport: [StoreCapability: StoreSupport] = [
            .records: .native, .listing: .native, .batches: .native, .atomicBatches: .native,
            .finders: .native, .versions: .native, .uniqueIndexes: .native,
            .uniqueExchange: .native, .references: .native, .reset: .native, .persistent: .native,
            .fractionalSeconds: .native, .controlCharacters: .native, .durable: .native,
            .multipleProcesses: .native, .concurrentWriters: .native, .queries: .native,
            .selections: .native,
            .indexScans: .native, .idScans: .native, .updates: .native,
            .conflictPolicies: .native, .transactions: .native, .snapshots: .native,
            .observation: .native, .externalData: .native,
            .closing: .native, .backups: .native, .sql: .native,
        ]

        /// The observers of the store. They are notified of its own commits.
        public let changes = StoreChanges()
        let access: PostgreSQLPoolAccess
        let tables: PostgreSQLTables
        private let opened = Mutex<[StoreSchema]>([])
        private var schemaName: String? { options.schema }
        private var lockTimeout: Duration { options.lockTimeout }
        /// What the store was created with.
        let options: PostgreSQLStoreOptions
        /// The tenant whose store this is; `nil` for other stores.
        private let tenant: PostgreSQLTenant?

        /// Creates a store for a database. It connects on first use.
        ///
        /// The tables belong to the first schema of the `search_path`, or to `schema`.
        ///
        /// - Parameters:
        ///   - address: a URL (`postgresql://user@host/database?sslmode=verify-full`) or a
        ///     connection string (`host=… dbname=…`), with all settings of libpq: several hosts,
        ///     `target_session_attrs`, TLS, service files. What it does not say is taken from the
        ///     `PG…` variables, and the password from `~/.pgpass`.
        ///   - schema: the schema of the tables, which is created if it is not there.
        ///   - connections: the greatest number of connections. Of four or more, two are shared by
        ///     reads by id, and by writes of few records.
        ///   - connectTimeout: the time to wait for a new connection, in whole seconds, at least 2.
        ///   - waitTimeout: the time that an operation waits for a free connection, and that a
        ///     statement waits for a lock of another session (at least a second), before it throws
        ///     a retryable error.
        ///   - statementTimeout: the time that one statement may take on the server, before it
        ///     throws a retryable error; `nil` for the server's own limit.
        ///   - answerTimeout: the time in which the server must send something while an operation
        ///     waits, before its connection is given up: a read is then run once more on another
        ///     connection, or throws a retryable error; a write throws `outcomeUnknown`, or with
        ///     `exactlyOnce` is asked for. It is counted from the `statementTimeout` on. `nil` for
        ///     no limit. Migrations, index builds, `COPY`, backups and statements of `sql` have
        ///     none.
        ///   - lockTimeout: the time that an opening waits for another program that changes the
        ///     tables.
        ///   - exactlyOnce: whether a write whose answer was lost is asked for: if it happened, it
        ///     returns its result; if not, it runs again. Each write then also writes a number into
        ///     the table `repository_writes`, and most take a round trip more.
        ///   - observing: whether the changed records are noted in the table `repository_changes`,
        ///     so that the observers of other programs and machines are told of them, and those of
        ///     this store of theirs. All programs that write must be created with it.
        ///   - encryption: encrypts the fields that schemas declare to be encrypted. Opening such a
        ///     schema without it throws `keyNotFound`.
        public convenience init(
            _ address: String, schema: String? = nil, connections: Int = 8,
            connectTimeout: Duration = .seconds(10), waitTimeout: Duration = .seconds(30),
            statementTimeout: Duration? = nil, answerTimeout: Duration? = .seconds(120),
            lockTimeout: Duration = .seconds(10),
            exactlyOnce: Bool = false, observing: Bool = false,
            encryption: (any FieldCipher)? = nil
        ) {
            self.init(
                PostgreSQLStoreOptions(
                    address: address, schema: schema, connections: connections,
                    connectTimeout: connectTimeout, waitTimeout: waitTimeout,
                    statementTimeout: statementTimeout, answerTimeout: answerTimeout,
                    lockTimeout: lockTimeout,
                    exactlyOnce: exactlyOnce, observing: observing, encryption: encryption))
        }

        /// Creates a store, which may be that of a tenant.
        init(_ options: PostgreSQLStoreOptions, tenant: PostgreSQLTenant? = nil) {
            self.options = options
            self.tenant = tenant
            tables = PostgreSQLTables(pageSize: options.streams.pageSize)
            var settings = [
                "standard_conforming_strings = on", "client_min_messages = warning",
                "TIME ZONE 'UTC'", "default_transaction_isolation = 'read committed'",
                // Migrations, and shared connections, have limits of their own. A statement may
                // have to wait for a moment for a lock that the server itself takes.
                "lock_timeout = \(max(1_000, options.waitTimeout.milliseconds))",
            ]
            if let schema = options.schema {
                settings.append("search_path TO \(PostgreSQLDialect().quoted(schema))")
            }
            if let statementTimeout = options.statementTimeout {
                let parts = statementTimeout.components
                let milliseconds =
                    parts.seconds * 1_000 + parts.attoseconds / 1_000_000_000_000_000
                settings.append("statement_timeout = \(max(1, milliseconds))")
            }
            let pool = ConnectionPool(
                options.address, settings: settings, limit: options.connections,
                connectTimeout: options.connectTimeout, waitTimeout: options.waitTimeout,
                answerTimeout: options.answerTimeout, statementTimeout: options.statementTimeout,
                onStatement: options.onStatement)
            access = PostgreSQLPoolAccess(
                pool, changes, exactlyOnce: options.exactlyOnce, observing: options.observing)
        }

        /// Creates or upgrades the tables of a schema; see `EntityStore`.
        ///
        /// Several programs may open the same schema at once: one of them makes the changes.
        ///
        /// - Throws: `schemaMismatch` with every difference, in which case nothing was changed;
        ///   `migrating` if another program is changing the tables; `keyNotFound` if the key of
        ///   encrypted fields is missing.
        public func open(_ schema: StoreSchema) async throws {
            try access.life.check()
            if isOpen(schema) { return }
            access.pool.stopStreams()
            let tables = try sqlTables(schema)
            for table in tables {
                try table.requireSupport(of: name)
                try table.requireEncryption(of: name)
            }
            let openSets = Set(opened.withLock { $0.map(\.name) })
            let lockTimeout = self.lockTimeout
            let encryption = options.encryption
            let isManaged = schema.tables.contains(where: \.isManaged)
            let journal = access.journal
            let found = try await PostgreSQLErrors.mapped {
                try await access.leasing(access.pool.openingLimit(lockTimeout)) { connection in
                    if isManaged { try await createSchema(connection) }
                    try await journal.create(connection)
                    return try await PostgreSQLSchemaOpening(
                        schema, tables, connection, openSets: openSets, lockTimeout: lockTimeout,
                        encryption: encryption,
                        backUp: { connection, url, check in
                            try PostgreSQLBackup(connection, to: url, check).runBeforeMigration()
                        }
                    ).run()
                }
            }
            // Nothing of the package is in a database whose tables are all unmanaged.
            if isManaged { access.watch.add(schema) }
            if found.isSpread { access.noteSpread() }
            self.tables.add(tables, jsonColumns: found.jsonColumns)
            opened.withLock { opened in
                opened.removeAll { $0.name == schema.name }
                opened.append(schema)
            }
        }

        /// Whether no schema was opened.
        var hasOpenedNothing: Bool { opened.withLock(\.isEmpty) }

        /// Creates the schema of the tables, if one was given and it is not there.
        func createSchema(_ connection: PostgreSQLConnection) async throws {
            if let tenant {
                try await tenant.create(connection)
            } else if let schemaName {
                try await Self.create(schemaName, connection)
            }
        }

        /// Creates a schema that is not there.
        private static func create(
            _ schema: String, _ connection: PostgreSQLConnection
        ) async throws {
            let found = try await connection.run(
                "SELECT 1 FROM pg_namespace WHERE nspname = $1",
                PostgreSQLCatalog.parameters([schema]))
            guard found.count == 0 else { return }
            do {
                try await connection.runSimple(
                    "CREATE SCHEMA IF NOT EXISTS \(PostgreSQLDialect().quoted(schema))")
            } catch let error as PostgreSQLError where error.isUnique || error.state == "42P06" {
                // Another program created it at the same moment.
            }
        }

        /// Returns what opening a schema would change. Nothing is changed.
        public func migrationPlan(_ schema: StoreSchema) async throws -> MigrationPlan {
            let tables = try sqlTables(schema)
            for table in tables {
                try table.requireSupport(of: name)
                try table.requireEncryption(of: name)
            }
            let openSets = Set(opened.withLock { $0.map(\.name) })
            let lockTimeout = self.lockTimeout
            return try await PostgreSQLErrors.mapped {
                try await access.leasing(access.pool.openingLimit(lockTimeout)) { connection in
                    try await PostgreSQLSchemaOpening(
                        schema, tables, connection, openSets: openSets, lockTimeout: lockTimeout
                    ).migrationPlan()
                }
            }
        }

        private func sqlTables(_ schema: StoreSchema) throws -> [SQLTable] {
            try PostgreSQLNames.requireSchema(schemaName, of: name)
            return schema.tables.map {
                SQLTable($0, in: schema, for: .native, encryption: options.encryption)
            }
        }

        /// Drops the tables of a schema in one transaction. Tables that another schema also declares
        /// are kept, as are all other tables of the database.
        ///
        /// - Throws: `unsupported` if one of the tables is unmanaged, in which case nothing was
        ///   dropped.
        public func reset(_ schema: StoreSchema) async throws {
            let declared = opened.withLock { $0.filter { $0.name == schema.name } } + [schema]
            if let other = declared.flatMap(\.tables).first(where: { !$0.isManaged }) {
                throw CRUDRepositoryError.unsupported(
                    "dropping '\(other.name)', which is declared 'manage: false'", by: name)
            }
            access.pool.stopStreams()
            try await PostgreSQLErrors.mapped {
                try await access.leasing { connection in
                    let begin =
                        access.isSpread
                        ? "BEGIN; \(CitusCatalog.lock); \(CitusCatalog.sequential)" : "BEGIN"
                    try await connection.transaction(begin) {
                        guard
                            var description = try await PostgreSQLSchemaTable.description(
                                connection, locked: true),
                            description.set(schema.name) != nil
                        else { return }
                        for table in description.tables(onlyOf: schema.name) {
                            let name = PostgreSQLDialect().quoted(table.table.name)
                            try await connection.run("DROP TABLE IF EXISTS \(name) CASCADE")
                            if table.table.hasExternalData {
                                let chunks = PostgreSQLChunks(of: table.table.name)
                                for text in chunks.drop { try await connection.run(text) }
                            }
                            try await PostgreSQLSearchTables.drop(
                                of: table.table.name, connection)
                        }
                        description.remove(set: schema.name)
                        if description.encryptedTables.isEmpty {
                            try await connection.run(EncryptionNotes.drop)
                        } else if !description.hasIndexedEncryptedFields {
                            try await connection.run(EncryptionNotes.forgetIndexKey)
                        }
                        try await PostgreSQLSchemaTable.write(description, connection)
                    }
                }
            }
            access.watch.remove(schema)
            opened.withLock { $0.removeAll { $0.name == schema.name } }
            changes.send(.anything)
        }

        /// Begins a serializable transaction on a connection of its own.
        ///
        /// References are checked when the transaction is committed.
        public func begin() async throws -> any StoreTransaction {
            try await PostgreSQLErrors.mapped {
                PostgreSQLTransaction(
                    self, try await PostgreSQLTransactionAccess.begin(access, isReadOnly: false))
            }
        }

        /// Begins a transaction that reads one state of the database, regardless of later commits.
        public func snapshot() async throws -> any StoreTransaction {
            try await PostgreSQLErrors.mapped {
                PostgreSQLTransaction(
                    self, try await PostgreSQLTransactionAccess.begin(access, isReadOnly: true))
            }
        }

        /// Tells the observers what other programs have committed since the last call, if the store
        /// is `observing`.
        ///
        /// - Returns: the same value each time, as the observers are told each change; `nil` if the
        ///   store is not `observing`.
        public func externalState() async throws -> UInt64? {
            try access.life.check()
            guard options.observing else { return nil }
            try await PostgreSQLErrors.mapped { try await access.feed.read(access) }
            access.feed.listen(access)
            return 0
        }

        /// Returns a value that is different after each commit of a program that is `observing`. It
        /// takes one round trip, and reads no records.
        ///
        /// - Throws: `unsupported` if the store is not `observing`.
        public func changeState() async throws -> UInt64? {
            try access.life.check()
            guard options.observing else {
                throw CRUDRepositoryError.unsupported(
                    "the state of its changes without 'observing: true'", by: name)
            }
            return try await PostgreSQLErrors.mapped { try await access.feed.changeState(access) }
        }

        /// Checks the store; see `EntityStore`. The hashes in indexes over encrypted fields are
        /// compared with the values, and external data with the records that have it.
        public func check(_ schema: StoreSchema, repair: Bool) async throws -> StoreCheck {
            let tables = tables.all.map(\.table).sorted { $0.name < $1.name }
                .filter { table in
                    schema.table(table.name) != nil
                        && (table.cipher != nil || !table.entity.externalFields.isEmpty)
                }
            let check = RecordCheck(self, schema, hashesEncrypted: true) { [access] in
                if tables.isEmpty { return [] }
                return try await PostgreSQLErrors.mapped {
                    try await access.leasing { connection in
                        try await PostgreSQLBlockingConnection.run(
                            connection, isMigration: false
                        ) { connection in
                            try tables.flatMap { table in
                                try IndexHashes(table, connection).problems()
                                    + connection.strayChunks(of: table)
                            }
                        }
                    }
                }
            }
            return try await check.run(repair: repair)
        }

        /// Closes all connections after the operations, transactions and snapshots that have begun;
        /// see `EntityStore`.
        public func close() async throws {
            let (access, changes) = (access, changes)
            await access.life.close(
                refusing: {
                    access.pool.refuse()
                    access.pool.stopStreams()
                },
                releasing: {
                    access.close()
                    changes.finish()
                })
        }
    }

    extension PostgreSQLStore: SQLHomeStore {
        /// Returns whether a schema is open.
        package func isOpen(_ schema: StoreSchema) -> Bool {
            opened.withLock { $0.contains(schema) }
        }
    }
#endif
