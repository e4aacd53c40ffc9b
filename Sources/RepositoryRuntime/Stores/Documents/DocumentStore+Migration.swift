internal import Foundation
internal import StoredSchema

/// Migrations: the conversion, removal and renaming of stored tables, and the rewriting of records,
/// for a set with or without versions.
///
/// Over a ``BesideDriver``, new documents are written beside the stored ones. One write of the
/// description commits them: it says what is to be put in place, removed and renamed. If the
/// process ends before, the next program that opens the store removes what lies beside, whichever
/// version it has; if it ends afterwards, that program completes the rest.
///
/// Over any other driver, all new documents are built in memory. The description records what is
/// going to be done, one atomic batch changes the documents, and the rest follows. If the process
/// ends before the batch, the next program discards the record; if it ends afterwards, that program
/// completes the rest.
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
    ///   - reporter: counts the records, and ends the migration before it changes anything if the
    ///     task was cancelled.
    func migrate(
        _ opening: SchemaOpening, _ schema: StoreSchema, _ found: StoreDescription,
        _ reporter: MigrationReporter
    ) throws {
        var setAside: SetAsideFile?
        if case .setAside(let url) = schema.control.unreadable, opening.mustMigrate {
            setAside = try SetAsideFile(
                url, set: schema.name, opening.plan(of: name),
                revision: found.set(schema.name)?.discardedAt ?? found.revision)
        }
        // A file that is not kept is removed.
        defer { setAside?.discard() }
        if let beside = driver as? any BesideDriver {
            return try migrate(opening, schema, found, reporter, beside, setAside)
        }
        let documents = DocumentsInMemory()
        var migration = try DocumentMigration(
            opening, schema, driver, coder, to: documents, in: MemorySpace(), reporter, setAside)
        try migration.run()
        try reporter.check()
        try setAside?.publish()
        var begun = found
        let token = found.revision + 1
        let rest = migration.rest(opening.result, token)
        begun.upgrade = rest
        try note.write(&begun)
        let mark = DocumentChange(
            DocumentIndexNames.rewriting, in: markCollection, data: Data("\(token)".utf8))
        // Without their state, the indexes are rebuilt.
        let states = rest.reindexed.map {
            DocumentChange(
                DocumentIndexNames.state, in: DocumentIndexNames.collection(of: $0), data: nil)
        }
        do {
            let changes = try documents.changes(
                emptying: migration.emptied, renamed: migration.renamed, in: driver)
            try driver.applyAll(changes + states + [mark])
            setAside?.keep()
        } catch let error as CRUDRepositoryError where error.code != .outcomeUnknown {
            // Nothing has changed. If this write fails too, the next opening discards the record.
            begun.upgrade = nil
            try? note.write(&begun)
            throw error
        } catch {
            // The batch may have been applied.
            setAside?.keep()
            throw error
        }
        try finishCommitted(&begun, rest)
    }

    /// Migrates the documents with a driver that writes the new ones beside the stored ones.
    private func migrate(
        _ opening: SchemaOpening, _ schema: StoreSchema, _ found: StoreDescription,
        _ reporter: MigrationReporter, _ beside: any BesideDriver, _ setAside: SetAsideFile?
    ) throws {
        let documents = DocumentsBeside(beside)
        var migration = try DocumentMigration(
            opening, schema, driver, coder, to: documents,
            in: ScratchSpace { try beside.scratchFile() }, reporter, setAside)
        var begun = found
        var isCommitting = false
        do {
            try migration.run()
            try documents.synchronize()
            try reporter.check()
            let rest = migration.restBeside(
                opening.result, found.revision + 1, documents.tables)
            for collection in rest.newCollections { try beside.requireRoom(for: collection) }
            try setAside?.publish()
            begun.upgrade = rest
            try beside.placing(rest.collections) {
                isCommitting = true
                // From here on, the migration may be committed.
                setAside?.keep()
                try note.write(&begun)
                _ = try place(&begun, rest, beside)
            }
        } catch {
            // If the write of the description has failed, it decides at the next opening whether
            // the migration is committed.
            if !isCommitting { try? beside.removeBeside() }
            throw error
        }
        // What remains is removed at the next opening.
        try? beside.removeBeside()
    }

    /// Puts the documents of a committed migration in place and does the rest. Can be repeated
    /// after an interruption.
    ///
    /// - Returns: the description afterwards.
    private func place(
        _ description: inout StoreDescription, _ unfinished: UnfinishedUpgrade,
        _ beside: any BesideDriver
    ) throws -> StoreDescription? {
        var rest = unfinished
        if let cleared = rest.cleared, !cleared.isEmpty, rest.isCleared != true {
            for collection in cleared { try beside.clear(collection) }
            // From here on, the collections may have new documents.
            rest.isCleared = true
            description.upgrade = rest
            try note.write(&description)
        }
        try moveExternalData(&description, &rest)
        try moveCollections(rest)
        for table in rest.placed ?? [] {
            try beside.removeDocuments(namedIn: BesideNames.gone(table), from: table)
            try beside.moveDocuments(of: BesideNames.new(table), to: table)
        }
        rest.result[0].revision = description.revision
        return try complete(rest)
    }

    /// Completes a committed migration whose documents lie beside the stored ones.
    ///
    /// - Returns: the description afterwards.
    private func finishPlacing(
        _ found: StoreDescription, _ rest: UnfinishedUpgrade
    ) throws -> StoreDescription? {
        guard let beside = driver as? any BesideDriver else {
            throw CRUDRepositoryError.unsupported(
                "completing the migration of another kind of store", by: name)
        }
        if rest.placed?.isEmpty == false, try !beside.hasBeside() {
            throw CRUDRepositoryError(
                .databaseError,
                "The documents that an interrupted migration wrote into \(name) are not there. Restore the whole store, with its own folder, from a copy."
            )
        }
        var description = found
        let result = try beside.placing(rest.collections) {
            // The write by which the migration was committed may not be durable.
            try note.write(&description)
            return try place(&description, rest, beside)
        }
        // What remains is removed at the next opening.
        try? beside.removeBeside()
        return result
    }

    /// Removes the documents of a migration that was not committed.
    private func removeBeside() throws {
        guard let beside = driver as? any BesideDriver, try beside.hasBeside() else { return }
        try beside.removeBeside()
    }

    /// Completes or discards an interrupted migration.
    ///
    /// - Returns: the description afterwards.
    func finishMigration(_ found: StoreDescription?) throws -> StoreDescription? {
        guard var description = found, let rest = description.upgrade, !rest.result.isEmpty else {
            try removeBeside()
            return found
        }
        if rest.placed != nil { return try finishPlacing(description, rest) }
        let mark = try driver.get(DocumentIndexNames.rewriting, in: markCollection)
        if mark == Data("\(rest.token)".utf8) { return try finishCommitted(&description, rest) }
        description.upgrade = nil
        // The next attempt has to recognize the file that this one may have written.
        let earlier = description.set(rest.set)?.discardedAt
        description.setDiscarded(earlier ?? rest.token - 1, of: rest.set)
        try note.write(&description)
        return description
    }

    /// Does what remains after the batch of a migration. Can be repeated after an interruption.
    ///
    /// - Returns: the description afterwards.
    @discardableResult
    private func finishCommitted(
        _ description: inout StoreDescription, _ unfinished: UnfinishedUpgrade
    ) throws -> StoreDescription? {
        var rest = unfinished
        try moveExternalData(&description, &rest)
        try moveCollections(rest)
        rest.result[0].revision = description.revision
        return try complete(rest)
    }

    /// Moves the external data of renamed tables and removes that of removed ones. Can be repeated
    /// after an interruption.
    ///
    /// A new name may be the former name of another table. Everything therefore gets a temporary
    /// name first, and the description says when that is done.
    private func moveExternalData(
        _ description: inout StoreDescription, _ rest: inout UnfinishedUpgrade
    ) throws {
        let renamed = rest.renamedExternalData ?? []
        if rest.isExternalDataAside != true {
            // What an interrupted removal has left under a new name is of no table.
            let stray = Set(renamed.map(\.to)).subtracting(renamed.map(\.from))
            for name in stray.union(rest.removedExternalData ?? []).sorted() {
                try driver.remove(collection: ExternalDataNames.collection(of: name))
            }
            for table in renamed {
                try driver.rename(
                    collection: ExternalDataNames.collection(of: table.from),
                    to: ExternalDataNames.aside(of: table.to))
            }
            if renamed.isEmpty { return }
            rest.isExternalDataAside = true
            description.upgrade = rest
            try note.write(&description)
        }
        for table in renamed {
            try driver.rename(
                collection: ExternalDataNames.aside(of: table.to),
                to: ExternalDataNames.collection(of: table.to))
        }
    }

    /// Renames the collection of a table and that of its indexes. Can be repeated after an
    /// interruption: the indexes are then rebuilt.
    func rename(_ table: String, to other: String) throws {
        let indexes = DocumentIndexNames.collection(of: other)
        try driver.remove(collection: indexes)
        try driver.rename(collection: table, to: other)
        try driver.rename(collection: DocumentIndexNames.collection(of: table), to: indexes)
    }

    /// Removes and renames collections. Can be repeated after an interruption.
    private func moveCollections(_ rest: UnfinishedUpgrade) throws {
        for name in rest.removed {
            try driver.remove(collection: name)
            try driver.remove(collection: DocumentIndexNames.collection(of: name))
        }
        for renaming in rest.renamed { try rename(renaming.from, to: renaming.to) }
    }

    /// Removes indexes and writes the new description. Can be repeated after an interruption.
    @discardableResult
    private func complete(_ rest: UnfinishedUpgrade) throws -> StoreDescription? {
        for table in rest.reindexed {
            try driver.remove(collection: DocumentIndexNames.collection(of: table))
        }
        guard var result = rest.result.first else { return nil }
        try note.write(&result)
        try driver.remove(collection: markCollection)
        return result
    }
}

extension UnfinishedUpgrade {
    /// The collections that have no documents yet and get those of others.
    fileprivate var newCollections: [String] {
        let emptied = Set(cleared ?? []).union(removed).union(renamed.map(\.from))
        return renamed.map(\.to).filter { !emptied.contains($0) }
    }

    /// The collections that change once the migration is committed.
    fileprivate var collections: Set<String> {
        Set((placed ?? []) + (cleared ?? []) + removed)
            .union(renamed.flatMap { [$0.from, $0.to] })
    }
}
