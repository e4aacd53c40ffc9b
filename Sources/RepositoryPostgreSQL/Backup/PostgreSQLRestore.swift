#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Copies a backup into an empty schema, in one transaction.
    struct PostgreSQLRestore {
        private let connection: PostgreSQLBlockingConnection
        private let path: String
        private let dialect = PostgreSQLDialect()

        /// - Parameters:
        ///   - connection: a connection outside a transaction.
        ///   - url: the folder of the backup.
        init(_ connection: PostgreSQLBlockingConnection, from url: URL) {
            self.connection = connection
            path = url.standardizedFileURL.path
        }

        /// Reads and verifies a backup.
        ///
        /// - Throws: `invalidBackup`.
        static func manifest(_ url: URL) throws -> PostgreSQLBackupManifest {
            let path = url.standardizedFileURL.path
            func fail(_ reason: String) -> CRUDRepositoryError { .invalidBackup(path, reason) }
            guard
                let data = FileManager.default.contents(
                    atPath: path + "/" + PostgreSQLBackupManifest.path)
            else { throw fail("it has no manifest") }
            let manifest = try PostgreSQLBackupManifest(data, fail)
            for table in manifest.tables {
                try PostgreSQLBackupFile(table, in: path, fail).verify()
            }
            if !manifest.description.isEmpty {
                do {
                    _ = try StoreDescription(
                        json: Data(manifest.description.utf8), store: "PostgreSQL")
                } catch {
                    throw CRUDRepositoryError.invalidBackup(
                        path, "its description of the schemas cannot be read",
                        underlyingError: error)
                }
            }
            return manifest
        }

        /// Restores a verified backup.
        ///
        /// - Throws: `storeNotEmpty`, `invalidBackup`.
        func run(_ manifest: PostgreSQLBackupManifest) throws {
            try connection.transaction("BEGIN; \(PostgreSQLBackup.settings)") {
                try requireEmpty(manifest)
                do {
                    for function in manifest.functions { try create(function) }
                    for table in manifest.tables { try create(table) }
                    for table in manifest.tables { try fill(table) }
                    for table in manifest.tables { try complete(table) }
                    for table in manifest.tables { try relate(table) }
                } catch let error as PostgreSQLError where !error.isServerGone {
                    throw CRUDRepositoryError.invalidBackup(
                        path, "the server refused a part of it: \(error.message)",
                        underlyingError: error)
                }
                let description = manifest.description
                try connection.wait {
                    try await PostgreSQLSchemaTable.write(json: description, $0)
                }
            }
        }

        /// Throws unless nothing is stored. The description is locked until the end.
        private func requireEmpty(_ manifest: PostgreSQLBackupManifest) throws {
            let found = try connection.wait { connection in
                let described = try await PostgreSQLSchemaTable.json(connection, locked: true)
                return (described, try await PostgreSQLCatalog.relations(connection))
            }
            guard found.0 == nil, found.1.isDisjoint(with: manifest.tables.map(\.name)) else {
                throw CRUDRepositoryError.storeNotEmpty("PostgreSQL")
            }
        }

        /// Creates a function of a trigger.
        private func create(_ function: PostgreSQLBackupManifest.Part) throws {
            // Another program may have another search path.
            try connection.run(
                "CREATE FUNCTION \(dialect.quoted(function.name))() RETURNS trigger LANGUAGE plpgsql "
                    + "SET search_path FROM CURRENT AS \(dialect.textLiteral(function.definition))")
        }

        private func create(_ table: PostgreSQLBackupManifest.CopiedTable) throws {
            let columns = table.columns.map { column in
                dialect.quoted(column.name) + " " + column.type
                    + (column.isBinary ? " COLLATE \"C\"" : "")
                    + (column.initial.map { " DEFAULT \($0)" } ?? "")
                    + (column.generated.map { " GENERATED ALWAYS AS (\($0)) STORED" } ?? "")
                    + (column.isRequired ? " NOT NULL" : "")
            }
            try connection.run(
                "CREATE TABLE \(dialect.quoted(table.name)) (\(columns.joined(separator: ", ")))")
        }

        /// Copies the rows of a table.
        private func fill(_ table: PostgreSQLBackupManifest.CopiedTable) throws {
            let columns = dialect.list(table.copied.map(\.name))
            let file = PostgreSQLBackupFile(table, in: path) { .invalidBackup(path, $0) }
            let copy = try connection.copyIn(
                "COPY \(dialect.quoted(table.name)) (\(columns)) FROM STDIN")
            do {
                try file.read { try copy.put($0) }
            } catch {
                copy.fail()
                throw error
            }
            guard try copy.end() == table.rows else {
                throw CRUDRepositoryError.invalidBackup(
                    path, "the file '\(table.file)' has another number of rows")
            }
        }

        /// Adds constraints and indexes, after the rows.
        private func complete(_ table: PostgreSQLBackupManifest.CopiedTable) throws {
            for constraint in table.constraints { try add(constraint, to: table) }
            for index in table.indexes { try connection.run(index.definition) }
        }

        private func add(
            _ constraint: PostgreSQLBackupManifest.Part,
            to table: PostgreSQLBackupManifest.CopiedTable
        ) throws {
            try connection.run(
                "ALTER TABLE \(dialect.quoted(table.name)) ADD CONSTRAINT "
                    + "\(dialect.quoted(constraint.name)) \(constraint.definition)")
        }

        /// Adds references and triggers, when all tables are complete.
        private func relate(_ table: PostgreSQLBackupManifest.CopiedTable) throws {
            for reference in table.references { try add(reference, to: table) }
            for trigger in table.triggers { try connection.run(trigger.definition) }
        }
    }
#endif
