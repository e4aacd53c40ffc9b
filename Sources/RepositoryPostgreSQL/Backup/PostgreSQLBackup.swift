#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// Exports the tables of a store from one snapshot into a folder, which is complete or does not
    /// exist.
    struct PostgreSQLBackup {
        private let connection: PostgreSQLBlockingConnection
        private let url: URL
        private let check: @Sendable () throws -> Void

        /// - Parameters:
        ///   - connection: a connection outside a transaction.
        ///   - url: the folder to write.
        ///   - check: throws to cancel the backup.
        init(
            _ connection: PostgreSQLBlockingConnection, to url: URL,
            _ check: @escaping @Sendable () throws -> Void
        ) {
            self.connection = connection
            self.url = url
            self.check = check
        }

        /// The settings on which the text of values depends, for one transaction.
        static let settings = """
            SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres'; \
            SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; \
            SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; \
            SET LOCAL row_security = off
            """

        /// Writes the backup.
        ///
        /// - Throws: `databaseError` if the folder exists or cannot be written, or if a file does not
        ///   have the bytes that were written; the error of `check`.
        func run() throws {
            try WholeCopy.write(.folder, to: url) { folder in
                for _ in 1...10 {
                    try check()
                    if try export(to: folder) { return }
                    for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
                        try FileManager.default.removeItem(atPath: folder + "/" + file)
                    }
                }
                throw CRUDRepositoryError.migrating("PostgreSQL")
            }
        }

        /// Exports one snapshot.
        ///
        /// - Returns: whether the tables were the same before and after they were locked.
        private func export(to folder: String) throws -> Bool {
            let before = try connection.wait { connection in
                let found = try await PostgreSQLBackupCatalog.tables(connection)
                return (found, try await PostgreSQLSchemaTable.revision(connection))
            }
            // The locks come before the snapshot: a table that is rewritten in between would seem to
            // be empty.
            let names = before.0 + (before.1 == nil ? [] : [PostgreSQLSchemaTable.name])
            let lock =
                names.isEmpty
                ? ""
                : "; LOCK TABLE \(PostgreSQLDialect().list(names)) IN ACCESS SHARE MODE"
            return try connection.transaction(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(Self.settings)\(lock)"
            ) {
                let (tables, revision) = try connection.wait { connection in
                    let found = try await PostgreSQLBackupCatalog.tables(connection)
                    return (found, try await PostgreSQLSchemaTable.revision(connection))
                }
                guard tables == before.0, revision == before.1 else { return false }
                try exportTables(to: folder)
                return true
            }
        }

        /// Writes the backup inside a transaction that changes the tables, before it changes them.
        /// They are locked: the transaction has no snapshot.
        func runBeforeMigration() throws {
            try WholeCopy.write(.folder, to: url) { folder in
                let names = try connection.wait { try await PostgreSQLBackupCatalog.tables($0) }
                if !names.isEmpty {
                    let list = PostgreSQLDialect().list(names)
                    try connection.run("LOCK TABLE \(list) IN ACCESS EXCLUSIVE MODE")
                }
                try connection.runSimple(Self.settings)
                try exportTables(to: folder)
            }
        }

        private func exportTables(to folder: String) throws {
            var manifest = try connection.wait { try await PostgreSQLBackupCatalog.manifest($0) }
            for number in manifest.tables.indices {
                try copy(&manifest.tables[number], number, folder)
            }
            let data = try manifest.data()
            try write(to: folder + "/" + PostgreSQLBackupManifest.path) { try $0(data) }
            try verify(manifest, data, folder)
        }

        /// Writes the rows of a table.
        private func copy(
            _ table: inout PostgreSQLBackupManifest.CopiedTable, _ number: Int, _ folder: String
        ) throws {
            table.file = String(format: "%04d", number) + ".copy"
            let dialect = PostgreSQLDialect()
            let text =
                "COPY \(dialect.quoted(table.name)) (\(dialect.list(table.copied.map(\.name)))) TO STDOUT"
            let (connection, check) = (self.connection, self.check)
            var hash = SHA256Stream()
            var rows = 0
            try write(to: folder + "/" + table.file) { put in
                // The rows come in parts, so that the memory is bounded.
                let stream = try connection.copyOut(text)
                while let part = try stream.next() {
                    try check()
                    part.withUnsafeBytes { hash.append($0) }
                    try put(part)
                }
                rows = stream.rows
            }
            (table.rows, table.bytes, table.hash) = (rows, hash.count, hash.hexadecimal)
        }

        /// Writes a file, and syncs it to disk.
        private func write(
            to path: String, _ body: ((Data) throws -> Void) throws -> Void
        ) throws {
            guard
                FileManager.default.createFile(
                    atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
                let file = FileHandle(forWritingAtPath: path)
            else { throw DiskSync.failure("The file '\(path)' cannot be written", errno) }
            do {
                try body { data in
                    do {
                        try file.write(contentsOf: data)
                    } catch {
                        throw CRUDRepositoryError(
                            .storageFull, "The file '\(path)' cannot be written.",
                            underlyingError: error)
                    }
                }
                try file.close()
            } catch {
                // The first error is the one to report.
                try? file.close()
                throw error
            }
            try DiskSync.file(path)
        }

        /// Compares what is in the files with what was written.
        private func verify(
            _ manifest: PostgreSQLBackupManifest, _ data: Data, _ folder: String
        ) throws {
            func fail(_ reason: String) -> CRUDRepositoryError {
                CRUDRepositoryError(
                    .databaseError,
                    "The backup '\(url.path)' was not written as it should: \(reason).")
            }
            guard
                try Data(contentsOf: URL(filePath: folder + "/" + PostgreSQLBackupManifest.path))
                    == data
            else {
                throw fail("its manifest differs")
            }
            for table in manifest.tables {
                try check()
                try PostgreSQLBackupFile(table, in: folder, fail).verify()
            }
        }
    }

    /// The file of a table in a backup.
    struct PostgreSQLBackupFile {
        private let table: PostgreSQLBackupManifest.CopiedTable
        private let path: String
        private let fail: (String) -> CRUDRepositoryError
        /// The number of bytes that are read together.
        private static let partBytes = 1 << 18

        init(
            _ table: PostgreSQLBackupManifest.CopiedTable, in folder: String,
            _ fail: @escaping (String) -> CRUDRepositoryError
        ) {
            self.table = table
            path = folder + "/" + table.file
            self.fail = fail
        }

        /// Reads the file, and calls a body with each part of it.
        ///
        /// - Throws: an error if it does not have the size and the hash of the manifest. It comes after
        ///   the last part.
        func read(_ body: (Data) throws -> Void) throws {
            guard let file = FileHandle(forReadingAtPath: path) else {
                throw fail("the file '\(table.file)' is not there")
            }
            defer { try? file.close() }
            var hash = SHA256Stream()
            while let part = try parted(file), !part.isEmpty {
                part.withUnsafeBytes { hash.append($0) }
                try body(part)
            }
            guard hash.count == table.bytes, hash.hexadecimal == table.hash else {
                throw fail("the file '\(table.file)' is damaged, or not whole")
            }
        }

        private func parted(_ file: FileHandle) throws -> Data? {
            do {
                return try file.read(upToCount: Self.partBytes)
            } catch {
                throw fail("the file '\(table.file)' cannot be read")
            }
        }

        /// Reads the file to compare its size and hash.
        func verify() throws { try read { _ in } }
    }
#endif
