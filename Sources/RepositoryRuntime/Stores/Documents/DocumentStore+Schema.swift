internal import Foundation
internal import StoredSchema
internal import Synchronization

/// Opening a set: comparison with the stored description, and upgrade of the documents.
///
/// An upgrade that renames collections or rewrites records, unless it is a migration, first records
/// its start in the description. If its process ends before it completes, a program with the same
/// schema continues it when it opens the set. No other program can open the set until then.
extension DocumentStore {
    /// The notes that contain the description.
    var notes: DescriptionNotes { DescriptionNotes(driver: driver) }

    /// Compares the stored description with a set, upgrades the documents if necessary, and writes
    /// the description.
    ///
    /// Opening the same set again does nothing.
    ///
    /// - Throws: `schemaMismatch` if the stored documents do not fit the set; `keyNotFound` for a
    ///   set with encrypted fields if the transformer of the store does not encrypt documents.
    public func open(_ schema: StoreSchema) async throws {
        try StoreTables.check(schema, for: name)
        try schema.requireExternalData(of: self)
        try requireEncryption(for: schema)
        let cancellation = CancellationFlag()
        var control = schema.control
        control.isCancelled = { cancellation.isCancelled }
        let cancellable = schema.controlled(by: control)
        try await withTaskCancellationHandler {
            try await alone { [self] in
                try driver.recover()
                try openNow(cancellable)
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Throws if a set has encrypted fields and documents are stored in plain form.
    private func requireEncryption(for schema: StoreSchema) throws {
        guard let table = schema.tables.first(where: \.hasEncryptedFields) else { return }
        if (driver as? any WrappedDocuments)?.wrapping.layers.keyed != nil { return }
        throw CRUDRepositoryError.keysMissing(for: table, in: name)
    }

    /// Opens a set. The caller holds the driver's lock.
    func openNow(_ schema: StoreSchema) throws {
        try requireWhole()
        try state.withLock { state in
            let fits = try fitsKnownDescription(state)
            let isChanged = try upgrade(to: schema, state)
            state.sets.schemas[schema.name] = schema
            if fits { try see(state) }
            try state.tables.add(
                schema,
                from: DocumentSource(driver: driver, coder: coder, staged: state.staged))
            // An open transaction has noted its own chunks.
            guard state.tables.running == nil else { return }
            for table in schema.tables {
                if table.externalFields.isEmpty {
                    guard isChanged, driver.holdsLargeDocuments else { continue }
                    let collection = ExternalDataNames.collection(of: table.name)
                    if try driver.keys(in: collection).isEmpty { continue }
                    try driver.remove(collection: collection)
                } else if isChanged {
                    try state.tables.table(named: table.name)?.removeStrayChunks()
                } else {
                    try state.tables.table(named: table.name)?.settleEarlier()
                }
            }
        }
    }

    /// Upgrades the documents to a set and writes the description.
    ///
    /// 1. Complete the resets that have begun.
    /// 2. Compare the set with the description, and throw if they do not fit.
    /// 3. Check that the stored records satisfy new unique indexes.
    /// 4. If collections must be renamed or records rewritten, record the start in the description,
    ///    then rename and rewrite.
    /// 5. Write the new description, and remove the indexes of rewritten tables, so that they are
    ///    rebuilt.
    ///
    /// - Returns: Whether the description or the documents changed.
    /// - Throws: `schemaMismatch` if the stored documents do not fit the set, or if another upgrade
    ///   is unfinished; `unsupported` if records must be rewritten and the schema does not name its
    ///   entities.
    private func upgrade(to schema: StoreSchema, _ state: State) throws -> Bool {
        let found = try finishResets(finishMigration(notes.read(for: schema.name)))
        let opening = try opening(schema, found, Set(state.sets.schemas.keys))
        let fingerprint = opening.result.set(schema.name)?.history.last ?? ""
        var earlierNames: [String: String] = [:]
        for case .renameTable(let old, let new) in opening.steps { earlierNames[new] = old }
        let mustBegin =
            !earlierNames.isEmpty || !opening.rewrites.isEmpty || opening.mustMigrate
        if let upgrade = found?.upgrade,
            upgrade.set != schema.name || upgrade.fingerprint != fingerprint,
            mustBegin || found?.isBeingUpgraded(schema) == true
        {
            throw CRUDRepositoryError.schemaMismatch(
                store: name,
                differences: [
                    "the upgrade of the set '\(upgrade.set)' by a newer program was interrupted: that program must open the store first"
                ])
        }
        guard opening.messages.isEmpty else {
            throw CRUDRepositoryError.schemaMismatch(store: name, differences: opening.messages)
        }
        coder.fills.take(schema, from: opening.result)
        if opening.isDone, try driver.note(DescriptionNotes.name) != nil {
            try notes.mark(schema.name)
            return false
        }
        let reporter = try prepare(opening, schema)
        if schema.entities.isEmpty, let table = opening.rewrites.keys.min() {
            throw CRUDRepositoryError.unsupported(
                "rewriting the records of '\(table)' for a schema that does not name its entities",
                by: name)
        }
        let isBeside = driver is any BesideDriver && found?.upgrade == nil
        if opening.mustMigrate || (isBeside && !opening.rewrites.isEmpty), let found {
            try marked { try migrate(opening, schema, found, fingerprint, reporter) }
            return true
        }
        // The indexes were checked before an interrupted upgrade began.
        if found?.upgrade?.set != schema.name {
            try checkNewIndexes(opening, schema, earlierNames)
        }
        var result = opening.result
        if mustBegin, let found {
            result.revision = try marked {
                try change(found, opening, schema, fingerprint, earlierNames, reporter)
            }
        }
        if result.upgrade?.set == schema.name { result.upgrade = nil }
        try notes.write(&result)
        for table in opening.rewrites.keys.sorted() {
            try driver.remove(collection: DocumentIndexNames.collection(of: table))
        }
        return true
    }

    /// Renames collections and rewrites records in place.
    ///
    /// - Returns: The revision of the description afterwards.
    private func change(
        _ found: StoreDescription, _ opening: SchemaOpening, _ schema: StoreSchema,
        _ fingerprint: String, _ earlierNames: [String: String], _ reporter: MigrationReporter
    ) throws -> Int {
        var changes: [DocumentChange]?
        if found.upgrade == nil {
            // A cancelled task ends here, where nothing has changed.
            changes = try rewritten(opening.rewrites, schema, earlierNames, reporter)
            try reporter.check()
        }
        var begun = found
        let upgrade = try begin(&begun, schema.name, fingerprint)
        try rename(earlierNames)
        if opening.rewrites.isEmpty { return begun.revision }
        let marks = marks(of: opening.rewrites, upgrade)
        if try driver.get(marks[0].key, in: marks[0].collection) == marks[0].data {
            return begun.revision
        }
        do {
            let new = try changes ?? rewritten(opening.rewrites, schema, [:], reporter)
            try driver.applyAll(new + marks)
        } catch let error as CRUDRepositoryError
            where error.code != .outcomeUnknown && earlierNames.isEmpty
        {
            // Nothing has changed, so that other programs may continue to use the set. If this
            // write fails too, the next opening by this program continues the upgrade.
            begun.upgrade = nil
            try? notes.write(&begun)
            throw error
        }
        return begun.revision
    }

    /// Records in the description that an upgrade has begun.
    ///
    /// If the process ends during the upgrade, it may have renamed some collections or rewritten
    /// the records. No other program opens the set until the upgrade has been completed.
    ///
    /// - Returns: The upgrade; the existing one if an interrupted upgrade is being continued.
    private func begin(
        _ description: inout StoreDescription, _ set: String, _ fingerprint: String
    ) throws -> UnfinishedUpgrade {
        if let upgrade = description.upgrade { return upgrade }
        let upgrade = UnfinishedUpgrade(
            set: set, fingerprint: fingerprint, token: description.revision + 1)
        description.upgrade = upgrade
        try notes.write(&description)
        return upgrade
    }

    /// Returns the documents next to the indexes that mark the rewriting of tables as done. They
    /// are written in the same atomic batch, so that a repeated call detects it and does nothing.
    ///
    /// - Parameters:
    ///   - rewrites: How to read the existing records, by table.
    ///   - upgrade: The upgrade, whose token is the contents of the marks.
    private func marks(
        of rewrites: [String: EarlierFields], _ upgrade: UnfinishedUpgrade
    ) -> [DocumentChange] {
        rewrites.keys.sorted().flatMap { table in
            let collection = DocumentIndexNames.collection(of: table)
            return [
                DocumentChange(
                    DocumentIndexNames.rewriting, in: collection,
                    data: Data("\(upgrade.token ?? 0)".utf8)),
                // Without their state, the indexes are rebuilt. A renamed field may have the former
                // name of another field.
                DocumentChange(DocumentIndexNames.state, in: collection, data: nil),
            ]
        }
    }

    /// Returns the rewritten records of tables, which are built in memory.
    ///
    /// - Parameters:
    ///   - rewrites: How to read the existing records, by table.
    ///   - schema: The set that is being opened.
    ///   - earlierNames: The names of the collections that are not renamed yet, by table.
    ///   - reporter: Counts the records.
    private func rewritten(
        _ rewrites: [String: EarlierFields], _ schema: StoreSchema,
        _ earlierNames: [String: String], _ reporter: MigrationReporter
    ) throws -> [DocumentChange] {
        if rewrites.isEmpty { return [] }
        let looking = StoreTables()
        try looking.add(
            schema,
            from: DocumentSource(
                driver: driver, coder: coder, staged: StagedChanges(), earlierNames: earlierNames,
                readings: rewrites))
        return try rewrites.keys.sorted().flatMap { table in
            try reporter.begin(table)
            let storage = looking.table(named: table)?.anyStorage as? any RewritableStorage
            let changes = try storage?.rewritten { try reporter.next() } ?? []
            reporter.flush()
            return changes.map { DocumentChange($0.key, in: table, data: $0.data) }
        }
    }

    /// Renames collections and those of their indexes. Can be repeated after an interruption.
    private func rename(_ earlierNames: [String: String]) throws {
        for (new, old) in earlierNames.sorted(by: { $0.key < $1.key }) {
            try rename(old, to: new)
        }
    }

    /// Checks that the stored records satisfy the new unique indexes, before anything changes.
    /// Reads every record of the tables with new indexes.
    ///
    /// - Throws: `schemaMismatch` with the violations.
    private func checkNewIndexes(
        _ opening: SchemaOpening, _ schema: StoreSchema, _ earlierNames: [String: String]
    ) throws {
        var tables: Set<String> = []
        for case .createIndex(let table, _) in opening.steps { tables.insert(table) }
        if tables.isEmpty { return }
        let looking = StoreTables()
        try looking.add(
            schema,
            from: DocumentSource(
                driver: driver, coder: coder, staged: StagedChanges(), earlierNames: earlierNames,
                readings: opening.rewrites))
        let broken = try tables.sorted().flatMap {
            try looking.table(named: $0)?.brokenUniqueIndexes() ?? []
        }
        if broken.isEmpty { return }
        throw CRUDRepositoryError.schemaMismatch(store: name, differences: broken)
    }

    /// Returns whether the stored description is known to fit the opened sets.
    ///
    /// If another program has changed it since, the next write compares it with every opened set.
    private func fitsKnownDescription(_ state: State) throws -> Bool {
        guard let seen = state.sets.seen, !state.sets.schemas.isEmpty else { return true }
        return try driver.note(DescriptionNotes.name) == seen.data
    }

    /// Stores the current description for ``requireFittingDescription()``. The caller holds the
    /// driver's lock.
    func see(_ state: State) throws {
        let stamp = try driver.stamp(ofNote: DescriptionNotes.name)
        state.sets.seen = SeenDescription(
            stamp: stamp, data: try driver.note(DescriptionNotes.name))
    }
}

/// Detection of schema changes by other programs.
extension DocumentStore {
    /// Checks that the stored description still fits the opened sets. Every write calls it. The
    /// caller holds the driver's lock.
    ///
    /// A set that another program has reset is opened again. If the stamp of the note is unchanged,
    /// the call takes constant time.
    ///
    /// - Throws: `schemaMismatch` if another program has changed the tables of an opened set.
    func requireFittingDescription() throws {
        let stamp = try driver.stamp(ofNote: DescriptionNotes.name)
        let known = state.withLock { state in
            (seen: state.sets.seen, schemas: state.sets.schemas)
        }
        guard let seen = known.seen else { return }
        if let stamp, stamp == seen.stamp { return }
        let data = try driver.note(DescriptionNotes.name)
        if data == seen.data {
            state.withLock { $0.sets.seen = SeenDescription(stamp: stamp, data: data) }
            return
        }
        let description = try data.map { try StoreDescription(json: $0, store: name) }
        for schema in known.schemas.values.sorted(by: { $0.name < $1.name }) {
            try requireFit(of: schema, description ?? StoreDescription())
        }
        try state.withLock { try see($0) }
    }

    /// Checks that a changed description fits an opened set, and opens the set again after a reset.
    private func requireFit(of schema: StoreSchema, _ description: StoreDescription) throws {
        if description.set(schema.name)?.isBeingReset ?? true,
            schema.tables.allSatisfy({ table in
                description.owners(ofTable: table.name).isEmpty
            })
        {
            return try openNow(schema)
        }
        var misfits = try description.misfits(of: schema, form: .documents).map(\.description)
        if description.isBeingUpgraded(schema) {
            misfits.insert("its upgrade has begun and is not finished", at: 0)
        }
        if misfits.isEmpty { return coder.fills.take(schema, from: description) }
        throw CRUDRepositoryError.schemaChanged(in: name, misfits)
    }
}

/// The sets that a store has opened.
final class OpenedSets {
    /// The schemas of the sets, by name.
    var schemas: [String: StoreSchema] = [:]
    /// The description that was last found to fit the sets.
    var seen: SeenDescription?
}

/// A description as last read.
struct SeenDescription {
    /// The stamp of its note; nil if the driver has none.
    var stamp: DocumentStamp?
    /// The bytes of its note; nil if the note does not exist.
    var data: Data?
}
