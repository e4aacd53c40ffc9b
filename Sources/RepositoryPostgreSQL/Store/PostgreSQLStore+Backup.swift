#if PostgreSQL
    public import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import Synchronization

    extension PostgreSQLStore {
        /// Writes a backup to a new folder: the rows of all tables of the store's schema in one
        /// snapshot, by `COPY`.
        ///
        /// Neither readers nor writers wait; migrations wait for the end. The folder has a file of
        /// text for each table, and a manifest with the columns, indexes and constraints of the tables
        /// and the numbers of rows, the sizes and the SHA-256 hashes of the files, which are compared
        /// after everything is written. Tables that other programs own (`manage: false`) are not in
        /// it: use `pg_dump` for these.
        ///
        /// - Throws: `databaseError` if the folder exists or cannot be written; `unsupported` if an open
        ///   schema has unmanaged tables; `migrating` if other programs change the tables all the
        ///   time; `CancellationError`.
        public func backup(to url: URL) async throws {
            if let table = tables.all.first(where: { !$0.table.entity.isManaged }) {
                throw CRUDRepositoryError.unsupported(
                    "a backup with the unmanaged table '\(table.table.name)'", by: name)
            }
            let isCancelled = PostgreSQLMigrationCancellation()
            try await PostgreSQLErrors.mapped {
                try await withTaskCancellationHandler {
                    try await access.leasing { connection in
                        try await PostgreSQLBlockingConnection.run(connection) { blocking in
                            try PostgreSQLBackup(blocking, to: url) {
                                if isCancelled.isCancelled { throw CancellationError() }
                            }.run()
                        }
                    }
                } onCancel: {
                    isCancelled.cancel()
                }
            }
        }

        /// Copies a backup into the empty schema of the store, in one transaction.
        ///
        /// The definitions of tables, indexes and triggers in a backup are run as SQL: restore only
        /// backups that you trust, as with every dump of a database.
        ///
        /// - Throws: `storeNotEmpty` if a schema was opened, or if the database has one of the tables;
        ///   `invalidBackup` if the folder is no backup, is damaged, or has definitions that the server
        ///   refuses.
        public func restore(from url: URL) async throws {
            try access.life.check()
            guard hasOpenedNothing else { throw CRUDRepositoryError.storeNotEmpty(name) }
            try PostgreSQLNames.requireSchema(options.schema, of: name)
            let manifest = try PostgreSQLRestore.manifest(url)
            try await PostgreSQLErrors.mapped {
                try await access.leasing { connection in
                    try await createSchema(connection)
                    try await PostgreSQLSchemaTable.create(connection)
                    try await PostgreSQLBlockingConnection.run(connection) { blocking in
                        try PostgreSQLRestore(blocking, from: url).run(manifest)
                    }
                }
            }
            changes.send(.anything)
        }
    }
#endif
