internal import Foundation
internal import StoredSchema
internal import Synchronization

/// Opening a set: comparison with the stored description, and upgrade of the documents.
///
/// An upgrade that changes documents is a migration, whether or not the set has versions. If its
/// process ends before it completes, the next program that opens the store completes or discards
/// it.
extension DocumentStore {
    /// The note that contains the description.
    var note: DescriptionNote { DescriptionNote(driver: driver) }

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
            known.withLock { $0.schemas = state.sets.schemas }
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
    /// 1. Complete or discard a migration that was interrupted, and complete the resets that have
    ///    begun.
    /// 2. Compare the set with the description, and throw if they do not fit.
    /// 3. If collections must be renamed or records rewritten, migrate the documents.
    /// 4. Otherwise check that the stored records satisfy new unique indexes, and write the new
    ///    description.
    ///
    /// - Returns: Whether the description or the documents changed.
    /// - Throws: `schemaMismatch` if the stored documents do not fit the set; `unsupported` if
    ///   records must be rewritten and the schema does not name its entities.
    private func upgrade(to schema: StoreSchema, _ state: State) throws -> Bool {
        let found = try finishResets(finishMigration(note.read(for: schema.name)))
        let opening = try opening(schema, found, Set(state.sets.schemas.keys))
        guard opening.messages.isEmpty else {
            throw CRUDRepositoryError.schemaMismatch(store: name, differences: opening.messages)
        }
        coder.fills.take(schema, from: opening.result)
        if opening.isDone { return false }
        let reporter = try prepare(opening, schema)
        if schema.entities.isEmpty, let table = opening.rewrites.keys.min() {
            throw CRUDRepositoryError.unsupported(
                "rewriting the records of '\(table)' for a schema that does not name its entities",
                by: name)
        }
        if let found, opening.changesDocuments {
            try marked { try migrate(opening, schema, found, reporter) }
            return true
        }
        try checkNewIndexes(opening, schema)
        var result = opening.result
        try note.write(&result)
        return true
    }

    /// Checks that the stored records satisfy the new unique indexes, before anything changes.
    /// Reads every record of the tables with new indexes.
    ///
    /// - Throws: `schemaMismatch` with the violations.
    private func checkNewIndexes(_ opening: SchemaOpening, _ schema: StoreSchema) throws {
        var tables: Set<String> = []
        for case .createIndex(let table, _) in opening.steps { tables.insert(table) }
        if tables.isEmpty { return }
        let looking = StoreTables()
        try looking.add(
            schema,
            from: DocumentSource(driver: driver, coder: coder, staged: StagedChanges()))
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
        return try driver.note(DescriptionNote.name) == seen.data
    }

    /// Stores the current description for ``requireFittingDescription()``. The caller holds the
    /// driver's lock.
    func see(_ state: State) throws {
        try (driver as? any WatchedDriver)?.watchDescription()
        let stamp = try driver.stamp(ofNote: DescriptionNote.name)
        let seen = SeenDescription(stamp: stamp, data: try driver.note(DescriptionNote.name))
        state.sets.seen = seen
        known.withLock { $0 = KnownSets(schemas: state.sets.schemas, seen: seen) }
        if let watch { watched.store(watch.value, ordering: .releasing) }
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
        let stamp = try driver.stamp(ofNote: DescriptionNote.name)
        let known = state.withLock { state in
            (seen: state.sets.seen, schemas: state.sets.schemas)
        }
        guard let seen = known.seen else { return }
        if let stamp, stamp == seen.stamp { return }
        let data = try driver.note(DescriptionNote.name)
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
        if description.hasReset(schema) { return try openNow(schema) }
        try requireUnchanged(schema, description)
        coder.fills.take(schema, from: description)
    }

    /// Throws if the tables of an opened set have changed, or are being changed.
    private func requireUnchanged(
        _ schema: StoreSchema, _ description: StoreDescription
    ) throws {
        var misfits = try description.misfits(of: schema, form: .documents).map(\.description)
        if description.isBeingUpgraded(schema) {
            misfits.insert("its upgrade has begun and is not finished", at: 0)
        }
        if !misfits.isEmpty { throw CRUDRepositoryError.schemaChanged(in: name, misfits) }
    }

    /// Whether any process has changed the description since it was found to fit. Takes as long as
    /// reading two variables.
    @inline(__always)
    var isDescriptionChanged: Bool {
        guard let watch else { return false }
        return watch.value != watched.load(ordering: .relaxed)
    }

    /// Runs a read of the records of a table on a thread that may block.
    ///
    /// - Throws: `schemaMismatch` if another program has changed the set of the table: the body may
    ///   have read it between two states, or under a name that it no longer has.
    func readingRecords<R: Sendable>(
        of table: EntityTable, _ body: @escaping @Sendable () throws -> R
    ) async throws -> R {
        try await reading.run { [self] in
            let result = Result { try body() }
            // The check comes last: a migration changes documents only after the description.
            if isDescriptionChanged { try requireReadable(table) }
            return try result.get()
        }
    }

    /// Checks, without a lock, that the description still fits the opened sets that have a table. A
    /// set that was reset has no records, which is no change of its tables.
    ///
    /// A change of another set is no reason to refuse the read. What was found is kept until the
    /// description changes again.
    func requireReadable(_ table: EntityTable) throws {
        let value = watch?.value ?? 0
        let known = known.withLock(\.self)
        guard let seen = known.seen else { return }
        var changed = known.changed
        if changed?.value != value {
            let sets = try changedSets(known.schemas, since: seen)
            if sets.isEmpty { return watched.store(value, ordering: .releasing) }
            changed = (value, sets)
            self.known.withLock { [changed] in $0.changed = changed }
        }
        if let set = changed?.sets.first(where: { $0.schema.table(table.name) != nil }) {
            throw set.error
        }
    }

    /// Returns the sets that no longer fit the stored description, each with the reason.
    private func changedSets(
        _ schemas: [String: StoreSchema], since seen: SeenDescription
    ) throws -> [KnownSets.Changed] {
        guard let data = try driver.note(DescriptionNote.name), data != seen.data else { return [] }
        let description = try StoreDescription(json: data, store: name)
        return schemas.values.sorted { $0.name < $1.name }.compactMap { schema in
            if description.hasReset(schema) { return nil }
            do {
                try requireUnchanged(schema, description)
                return nil
            } catch {
                return (schema, error)
            }
        }
    }
}

extension StoreDescription {
    /// Returns whether another program has reset a set, or is resetting it. Tables that another set
    /// lists, too, have stayed then. A set that has got another name has kept its history.
    fileprivate func hasReset(_ schema: StoreSchema) -> Bool {
        if let set = set(schema.name), set.isBeingReset != true { return false }
        let fingerprint = DeclaredSchema.of(schema, .documents).fingerprint
        let isRenamed = sets.contains { set in
            set.isBeingReset != true && set.history.contains(fingerprint)
        }
        return !isRenamed && schema.tables.contains { owners(ofTable: $0.name).isEmpty }
    }
}

/// What a reader compares a changed description with.
struct KnownSets: Sendable {
    /// A set that no longer fits the description, and why.
    typealias Changed = (schema: StoreSchema, error: any Error)

    /// The schemas of the opened sets, by name.
    var schemas: [String: StoreSchema] = [:]
    /// The description that was last found to fit the sets.
    var seen: SeenDescription?
    /// The sets that no longer fit, if the watch has a certain value.
    var changed: (value: UInt64, sets: [Changed])?
}

/// The sets that a store has opened.
final class OpenedSets {
    /// The schemas of the sets, by name.
    var schemas: [String: StoreSchema] = [:]
    /// The description that was last found to fit the sets.
    var seen: SeenDescription?
}

/// A description as last read.
struct SeenDescription: Sendable {
    /// The stamp of its note; nil if the driver has none.
    var stamp: DocumentStamp?
    /// The bytes of its note; nil if the note does not exist.
    var data: Data?
}

extension SchemaOpening {
    /// Whether the opening renames collections or rewrites records.
    fileprivate var changesDocuments: Bool {
        mustMigrate || !rewrites.isEmpty
            || steps.contains { if case .renameTable = $0 { true } else { false } }
    }
}
