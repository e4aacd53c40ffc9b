internal import Foundation
internal import StoredSchema

/// Migrations: changes of versions that convert, drop or rename stored tables.
///
/// All new documents are built in memory and checked before anything changes. The description then
/// records what is going to be done, one atomic batch changes the documents, and the rest follows:
/// collections are removed and renamed, and the new description is written. If the process ends
/// before the batch, the next program that opens the store discards the record, whichever version it
/// has. If it ends after the batch, that program completes the rest.
extension DocumentStore {
    /// The collection with the document that marks the batch as applied.
    private var markCollection: String {
        DocumentIndexNames.collection(of: "migration of a set")
    }

    /// Migrates the documents.
    ///
    /// - Parameters:
    ///   - opening: the comparison, which has no differences.
    ///   - schema: the set.
    ///   - found: the description before the migration.
    ///   - fingerprint: the fingerprint of the set.
    ///   - reporter: counts the records, and ends the migration before it changes anything if the
    ///     task was cancelled.
    func migrate(
        _ opening: SchemaOpening, _ schema: StoreSchema, _ found: StoreDescription,
        _ fingerprint: String, _ reporter: MigrationReporter
    ) throws {
        let migration = try DocumentMigration(opening, schema, driver, coder, reporter)
        try reporter.check()
        var begun = found
        let token = found.revision + 1
        var rest = migration.rest(opening.result)
        begun.upgrade = UnfinishedUpgrade(
            set: schema.name, fingerprint: fingerprint, token: token, migration: rest)
        try notes.write(&begun)
        let mark = DocumentChange(
            DocumentIndexNames.rewriting, in: markCollection, data: Data("\(token)".utf8))
        // Without their state, the indexes are rebuilt.
        let states = rest.reindexed.map {
            DocumentChange(
                DocumentIndexNames.state, in: DocumentIndexNames.collection(of: $0), data: nil)
        }
        do {
            try driver.applyAll(migration.changes() + states + [mark])
        } catch let error as CRUDRepositoryError where error.code != .outcomeUnknown {
            // Nothing has changed. If this write fails too, the next opening discards the record.
            begun.upgrade = nil
            try? notes.write(&begun)
            throw error
        }
        rest.result[0].revision = begun.revision
        try complete(rest)
    }

    /// Completes or discards an interrupted migration.
    ///
    /// - Returns: the description afterwards.
    func finishMigration(_ found: StoreDescription?) throws -> StoreDescription? {
        guard var description = found, let upgrade = description.upgrade,
            var rest = upgrade.migration, !rest.result.isEmpty
        else { return found }
        let mark = try driver.get(DocumentIndexNames.rewriting, in: markCollection)
        if mark == Data("\(upgrade.token ?? 0)".utf8) {
            rest.result[0].revision = description.revision
            return try complete(rest)
        }
        description.upgrade = nil
        try notes.write(&description)
        return description
    }

    /// Does what remains after the batch. Can be repeated after an interruption.
    @discardableResult
    private func complete(_ rest: UnfinishedMigration) throws -> StoreDescription? {
        for name in rest.removed {
            try driver.remove(collection: name)
            try driver.remove(collection: DocumentIndexNames.collection(of: name))
        }
        for renaming in rest.renamed {
            try driver.rename(collection: renaming.from, to: renaming.to)
        }
        for table in rest.reindexed {
            try driver.remove(collection: DocumentIndexNames.collection(of: table))
        }
        guard var result = rest.result.first else { return nil }
        try notes.write(&result)
        try driver.remove(collection: markCollection)
        return result
    }
}
