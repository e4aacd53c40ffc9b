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

    /// Opens the store, and makes tables that another program has made tables of this set, after a
    /// copy of the database.
    ///
    /// ```swift
    /// for try await _ in library.takeOver(backup: folder.appending(path: "before.sqlite")) {}
    /// ```
    /// Without this call, opening refuses such tables unless they are declared `manage: false`, or
    /// are exactly as the store makes them. `repository-generator import --take-over` writes schemas
    /// for it. The tables are rebuilt in one transaction: with the declared columns, types, keys,
    /// rules, indexes and references. No value is changed. What only the other program has declared,
    /// its defaults and CHECK constraints, is gone afterwards; the copy has it.
    ///
    /// When the tables belong to the set, the call opens the store like others and copies nothing.
    /// In stores other than SQLite, it does what ``migrate(backup:unreadable:)`` does.
    ///
    /// - Parameter backup: the new file for the copy of the database.
    /// - Returns: The progress. Iterating throws `schemaMismatch`, which names everything that would
    ///   be lost: columns, triggers, unique indexes and references that are not declared, and values
    ///   that are not of the declared type. Nothing is changed then.
    public func takeOver(backup: URL) -> MigrationRun {
        var control = MigrationControl()
        control.backup = backup
        control.takesOver = true
        return MigrationRun(context, control)
    }
}
