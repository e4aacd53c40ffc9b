internal import Foundation
internal import Synchronization

extension DocumentStore {
    private var notes: DescriptionNotes { DescriptionNotes(driver: driver) }

    /// Compares what is stored with a set, renames collections, and writes the description.
    public func open(_ schema: StoreSchema) async throws {
        try StoreTables.check(schema, for: name)
        try await alone { [self] in
            try driver.recover()
            try openNow(schema)
        }
    }

    /// Opens a set; the lock is held.
    func openNow(_ schema: StoreSchema) throws {
        try state.withLock { state in
            try upgrade(to: schema, state)
            state.sets.schemas[schema.name] = schema
            try see(state)
            try state.tables.add(
                schema,
                from: DocumentSource(driver: driver, coder: coder, staged: state.staged))
        }
    }

    private func upgrade(to schema: StoreSchema, _ state: State) throws {
        let found = try finishResets(notes.read(for: schema.name))
        let opening = SchemaOpening(
            schema, in: found, form: .documents, recordFormat: coder.transformer.formatExtension,
            openSets: Set(state.sets.schemas.keys))
        let fingerprint = opening.result.set(schema.name)?.history.last ?? ""
        var earlierNames: [String: String] = [:]
        for case .renameTable(let old, let new) in opening.steps { earlierNames[new] = old }
        let mustBegin = !earlierNames.isEmpty || !opening.rewrites.isEmpty
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
        guard opening.differences.isEmpty else {
            throw CRUDRepositoryError.schemaMismatch(
                store: name, differences: opening.differences)
        }
        if opening.isDone, try driver.note(DescriptionNotes.name) != nil {
            return try notes.mark(schema.name)
        }
        if schema.entities.isEmpty, let table = opening.rewrites.keys.min() {
            throw CRUDRepositoryError.unsupported(
                "rewriting the records of '\(table)' for a schema that does not name its entities",
                by: name)
        }
        // An upgrade that was interrupted has been checked before it began.
        if found?.upgrade?.set != schema.name {
            try checkNewIndexes(opening, schema, earlierNames)
        }
        var result = opening.result
        if mustBegin, var begun = found {
            let upgrade = try begin(&begun, schema.name, fingerprint)
            result.revision = begun.revision
            try rename(earlierNames)
            do {
                try rewrite(opening.rewrites, schema, upgrade)
            } catch let error as CRUDRepositoryError
                where error.code != .outcomeUnknown && earlierNames.isEmpty
            {
                // Nothing has changed, so that other programs may go on. If this fails too, the next opening
                // by this program goes on instead.
                begun.upgrade = nil
                try? notes.write(&begun)
                throw error
            }
        }
        if result.upgrade?.set == schema.name { result.upgrade = nil }
        try notes.write(&result)
        for table in opening.rewrites.keys.sorted() {
            try driver.remove(collection: DocumentIndexNames.collection(of: table))
        }
    }

    /// Says in the description that an upgrade has begun. A program that ends in the middle may have renamed collections
    /// or rewritten records; until it has finished, no other program opens the set.
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

    /// Rewrites the records of tables, all or none. A document beside the indexes, written in the same step, says that it
    /// has happened.
    private func rewrite(
        _ rewrites: [String: EarlierFields], _ schema: StoreSchema, _ upgrade: UnfinishedUpgrade
    ) throws {
        if rewrites.isEmpty { return }
        let marks = rewrites.keys.sorted().flatMap { table in
            let collection = DocumentIndexNames.collection(of: table)
            return [
                DocumentChange(
                    DocumentIndexNames.rewriting, in: collection,
                    data: Data("\(upgrade.token ?? 0)".utf8)),
                // Without their state the indexes are rebuilt: a field may have the name of another one.
                DocumentChange(DocumentIndexNames.state, in: collection, data: nil),
            ]
        }
        if try driver.get(marks[0].key, in: marks[0].collection) == marks[0].data { return }
        let looking = StoreTables()
        try looking.add(
            schema,
            from: DocumentSource(
                driver: driver, coder: coder, staged: StagedChanges(), readings: rewrites))
        let changes = try rewrites.keys.sorted().flatMap { table in
            let storage = looking.table(named: table)?.anyStorage as? any RewritableStorage
            return try storage?.rewritten() ?? []
        }
        try driver.applyAll(changes + marks)
    }

    private func rename(_ earlierNames: [String: String]) throws {
        for (new, old) in earlierNames.sorted(by: { $0.key < $1.key }) {
            try driver.rename(collection: old, to: new)
            try driver.remove(collection: DocumentIndexNames.collection(of: old))
        }
    }

    /// Whether stored records keep a unique index that is new, looked at before anything is changed.
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

    /// Remembers the description as it is now; the lock is held.
    private func see(_ state: State) throws {
        let stamp = try driver.stamp(ofNote: DescriptionNotes.name)
        state.sets.seen = SeenDescription(
            stamp: stamp, data: try driver.note(DescriptionNotes.name))
    }
}

extension DocumentStore {
    /// Checks that the description is the one that the sets were opened with, or one that fits them;
    /// the lock is held.
    ///
    /// A set that another program has reset is opened again.
    /// - Throws: `schemaMismatch` where another program has changed the tables of an open set.
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

    private func requireFit(of schema: StoreSchema, _ description: StoreDescription) throws {
        if description.set(schema.name)?.isBeingReset ?? true,
            schema.tables.allSatisfy({ table in
                description.owners(ofTable: table.name).isEmpty
            })
        {
            return try openNow(schema)
        }
        var misfits = description.misfits(of: schema, form: .documents)
        if description.isBeingUpgraded(schema) {
            misfits.insert("its upgrade has begun and is not finished", at: 0)
        }
        if misfits.isEmpty { return }
        throw CRUDRepositoryError.schemaChanged(in: name, misfits)
    }
}

extension DocumentStore {
    /// Removes the records of the set's tables, and the set from the description. A table that another
    /// set lists too stays with its records.
    public func reset(_ schema: StoreSchema) async throws {
        try await alone { [self] in
            // A note of an unfinished batch would bring back what is removed here.
            try driver.recover()
            try state.withLock { state in
                if var description = try notes.read(for: schema.name) {
                    description.change(set: schema.name) { $0.isBeingReset = true }
                    // From here on the set is gone, also where the program ends before the next lines.
                    if description.set(schema.name) != nil { try notes.write(&description) }
                    _ = try finishResets(description)
                }
                let others = state.sets.schemas.values.filter { $0.name != schema.name }
                state.tables.remove(schema, except: others)
                state.sets.schemas[schema.name] = nil
                try see(state)
                changes.send(.anything)
            }
        }
    }

    /// Removes what is left of the sets whose reset has begun, and returns the description without them.
    private func finishResets(_ found: StoreDescription?) throws -> StoreDescription? {
        guard var description = found else { return nil }
        let sets = description.sets.filter { $0.isBeingReset == true }.map(\.name)
        if sets.isEmpty { return description }
        for set in sets {
            for table in description.tables(onlyOf: set).map(\.table.name) {
                try driver.remove(collection: table)
                try driver.remove(collection: DocumentIndexNames.collection(of: table))
            }
            description.remove(set: set)
        }
        try notes.write(&description)
        return description.sets.isEmpty ? nil : description
    }

    /// Rebuilds the indexes: reads every record, and passes over those that cannot be read.
    public func rebuildIndexes() async throws {
        try await alone { [self] in
            try driver.recover()
            try requireFittingDescription()
            try state.withLock { state in
                for table in state.tables.all { try table.rebuildIndexes() }
            }
        }
    }
}

/// The sets that a store has open.
final class OpenedSets {
    /// The sets by name.
    var schemas: [String: StoreSchema] = [:]
    /// The description that fits them.
    var seen: SeenDescription?
}

/// A description as it was last read.
struct SeenDescription {
    /// The stamp of its note; nil where the driver keeps none.
    var stamp: DocumentStamp?
    /// The bytes of its note; nil where there is none.
    var data: Data?
}
