public import Foundation

extension RepositorySet {
    /// Returns what opening the store would change: the steps, the tables whose records are
    /// rewritten, and the disk space that it needs. Changes nothing, and does not open the store.
    ///
    /// The plan counts records, which reads the tables to be rewritten. Another program can change
    /// the data after the call returns.
    ///
    /// - Throws: `unsupported` if the store has no plans; an error of the store.
    public func migrationPlan() async throws -> MigrationPlan {
        try await context.store.migrationPlan(context.schema)
    }

    /// Opens the store, and reports the progress of the migration that this may need.
    ///
    /// ```swift
    /// for try await progress in library.migrate() {
    ///     bar.fraction = progress.fraction
    /// }
    /// // The store is open.
    /// ```
    /// The migration begins when the loop begins, and the loop ends when the store is open. If
    /// nothing has to be migrated, the loop has no elements. Cancelling the task, and leaving the
    /// loop early, cancel the migration: the data stays as it was, and the next operation begins it
    /// again.
    ///
    /// - Parameters:
    ///   - backup: where the data is copied before it is migrated: a new file for SQLite and user
    ///     defaults, a new folder for files. The copy is complete and synced to disk, or does not
    ///     exist. Nothing is copied if nothing has to be migrated.
    ///   - unreadable: what happens to records that cannot be migrated.
    /// - Returns: The progress. Iterating throws `schemaMismatch` if the data cannot be migrated,
    ///   `storageFull`, `migrating` if another program is migrating it, `unsupported` if the store
    ///   cannot make the copy or set records aside, and `CancellationError`.
    public func migrate(
        backup: URL? = nil, unreadable: UnreadableRecords = .fail
    ) -> MigrationRun {
        var control = MigrationControl()
        control.backup = backup
        control.unreadable = unreadable
        return MigrationRun(context, control)
    }
}
