public import Foundation

extension RepositorySet {
    /// Writes a backup of the whole store, with the data of all its sets, while other tasks and
    /// processes read and write.
    ///
    /// The backup is one committed state of all tables. It is verified after it was written, and
    /// synced to disk. It is complete or does not exist, even if the process ends meanwhile. SQLite
    /// and user defaults write a file, and files write a folder. Writers of SQLite do not wait;
    /// other writers wait while the files are linked or copied.
    ///
    /// - Parameter url: the file or folder, which must not exist.
    /// - Throws: `databaseError` if the name exists or cannot be written; `unsupported` inside a
    ///   transaction, and if the store has no backups; `CancellationError`.
    public func backup(to url: URL) async throws { try await context.backup(to: url) }

    /// Restores a backup into this store, which must be empty. Call it before the first operation.
    ///
    /// The backup is verified first. No other program may use the store meanwhile. If the process
    /// ends before a restore of files is complete, opening the store throws `restoreInterrupted`,
    /// until the backup is restored again.
    ///
    /// - Parameter url: the file or folder that ``backup(to:)`` wrote.
    /// - Throws: `storeNotEmpty`, `invalidBackup` or `databaseError`; `unsupported` if the store has
    ///   no backups.
    public func restore(from url: URL) async throws {
        try await context.store.restore(from: url)
    }

    /// Releases disk space that the store does not need, and removes what killed processes left.
    ///
    /// SQLite runs `VACUUM`, which rewrites the database and needs as much free disk space as it
    /// has. Writers wait.
    ///
    /// - Throws: `unsupported` inside a transaction, and if the store cannot be compacted.
    public func compact() async throws { try await context.compact() }

    /// Checks the stored data of this set: reads every record and its external data, follows every
    /// reference, and compares the indexes, the search indexes and the counters of assigned ids with
    /// the records. SQLite checks the integrity of its file, too.
    ///
    /// The check reads one state of the store and holds the ids and the words of all records in
    /// memory. On files and user defaults, writers wait.
    ///
    /// - Parameter repair: whether what is derived from the records is rebuilt if the check finds
    ///   problems.
    /// - Returns: the problems. Records that cannot be read, and references without a record, are
    ///   never changed.
    /// - Throws: `unsupported` inside a transaction; an error of the store.
    public func check(repair: Bool = false) async throws -> StoreCheck {
        try await context.check(repair: repair)
    }
}

extension RepositoryContext {
    /// Writes a backup; see ``RepositorySet/backup(to:)``.
    func backup(to url: URL) async throws {
        try refuseTransaction("a backup")
        try await base.backup(to: url)
    }

    /// Compacts the store; see ``RepositorySet/compact()``.
    func compact() async throws {
        try refuseTransaction("compaction")
        try await open()
        try await base.compact()
    }

    /// Checks the store; see ``RepositorySet/check(repair:)``.
    func check(repair: Bool) async throws -> StoreCheck {
        try refuseTransaction("a check")
        try await open()
        return try await base.check(schema, repair: repair)
    }

    /// Throws `unsupported` inside a transaction, which the operation would wait for.
    private func refuseTransaction(_ operation: String) throws {
        guard TransactionScope.transaction(of: base.changes) == nil else {
            throw CRUDRepositoryError.unsupported(
                "\(operation) inside a transaction", by: base.name)
        }
    }
}
