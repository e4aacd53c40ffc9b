internal import CSQLite
public import Foundation
public import RepositoryRuntime
internal import RepositorySQLCore
internal import Synchronization

extension SQLiteStore {
    /// Writes a backup to a new file, by SQLite's online backup interface.
    ///
    /// The copy is made of one read transaction, in parts of 4 MiB. Neither readers nor writers of
    /// the store wait; the write-ahead log grows meanwhile. Unlike `VACUUM INTO`, it keeps free
    /// pages and row ids, and reads each page once. `PRAGMA integrity_check` verifies the copy. The
    /// file is an ordinary database.
    ///
    /// - Throws: `databaseError` if the file exists, cannot be written, or does not pass the check;
    ///   `CancellationError`.
    public func backup(to url: URL) async throws {
        let cancellation = CancellationFlag()
        let location = database.location
        try await SQLiteErrors.mapped {
            try await withTaskCancellationHandler {
                try await database.life.during {
                    // The file of a store without data is created here.
                    try await database.scan { connection in
                        guard location.isInMemory else { return }
                        try SQLiteBackup(location, to: url).run(from: connection)
                    }
                    if location.isInMemory { return }
                    try await database.offThread {
                        try SQLiteBackup(location, to: url).run { try cancellation.check() }
                    }
                }
            } onCancel: {
                cancellation.cancel()
            }
        }
    }

    /// Copies a backup into the empty database, in one transaction.
    ///
    /// - Throws: `storeNotEmpty` if the database has a table or a schema was opened;
    ///   `invalidBackup` if the file is no database or does not pass `PRAGMA integrity_check`.
    public func restore(from url: URL) async throws {
        try database.life.check()
        guard opened.withLock(\.isEmpty) else { throw CRUDRepositoryError.storeNotEmpty(name) }
        try await SQLiteErrors.mapped {
            try await database.write(.bare) { connection in
                try SQLiteRestore(from: url).run(into: connection)
            }
        }
    }

    /// Runs `VACUUM` and `PRAGMA optimize`, and writes the write-ahead log into the file.
    ///
    /// SQLite may change the row ids of unmanaged tables without an `INTEGER PRIMARY KEY`.
    public func compact() async throws {
        try await SQLiteErrors.mapped {
            try await database.write(.bare) { connection in
                try connection.file?.check(committing: connection)
                // The file of a migration that was killed.
                SQLiteMigrationMark(connection)?.remove()
                try connection.execute("VACUUM")
                try connection.execute("PRAGMA optimize")
                // A reader of an earlier commit only delays this.
                try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
    }

    /// Checks the integrity of the file, and reads every record of the schema. `PRAGMA
    /// integrity_check` compares the indexes with the tables; to repair, they are rebuilt.
    public func check(_ schema: StoreSchema, repair: Bool) async throws -> StoreCheck {
        let tables = plans.all.map(\.table).filter { schema.table($0.name) != nil }
            .sorted { $0.name < $1.name }
        let check = RecordCheck(self, schema, scansIndexes: false) { [database] in
            try await SQLiteErrors.mapped {
                try await database.scan { connection in
                    let problems = try connection.damage().map {
                        StoreCheck.Problem(.damagedDatabase, "SQLite reports: \($0).")
                    }
                    if !problems.isEmpty { return problems }
                    return try tables.flatMap { table in
                        try IndexHashes(table, connection).problems()
                            + connection.strayChunks(of: table)
                    }
                }
            }
        }
        return try await check.run(repair: repair)
    }
}

extension SQLiteConnection {
    /// Returns the problem of external data that no record has.
    fileprivate func strayChunks(of table: SQLTable) throws -> [StoreCheck.Problem] {
        guard let chunks = ChunkTable(table, dialect) else { return [] }
        let statement = try SQLiteStatement(chunks.countStray, on: handle, isKept: false)
        return try statement.step() ? chunks.problems(statement.integer(at: 0)) : []
    }

    /// Returns what `PRAGMA integrity_check` finds, or why it cannot read the file.
    fileprivate func damage() throws -> [String] {
        do {
            return try integrityProblems(100)
        } catch let error as SQLiteError
            where [SQLITE_CORRUPT, SQLITE_NOTADB].contains(error.primaryCode)
        {
            return [error.message]
        }
    }
}
