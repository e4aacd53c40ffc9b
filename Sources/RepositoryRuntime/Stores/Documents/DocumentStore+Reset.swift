internal import StoredSchema
internal import Synchronization

/// Resetting sets and rebuilding indexes.
extension DocumentStore {
    /// Removes the set from the description, and the records of its tables. A table that is also
    /// part of another set keeps its records.
    ///
    /// The reset is not atomic. If it is interrupted, the next opening or reset of a set completes
    /// it.
    ///
    /// - Throws: `schemaMismatch` if a newer program has changed the set: this one knows neither
    ///   all of its records nor all of its tables.
    public func reset(_ schema: StoreSchema) async throws {
        try await alone { [self] in
            // Recovery of an unfinished batch would restore documents that are removed here.
            try driver.recover()
            try state.withLock { state in
                let found = try finishResets(finishMigration(note.read(for: schema.name)))
                if var description = found {
                    try requireNoNewerProgram(schema, description, state)
                    description.change(set: schema.name) { $0.isBeingReset = true }
                    // From here on the set is considered removed, even if the process ends before
                    // the following lines.
                    if description.set(schema.name) != nil { try note.write(&description) }
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

    /// Throws if a newer program has changed a set that is to be removed.
    private func requireNoNewerProgram(
        _ schema: StoreSchema, _ description: StoreDescription, _ state: State
    ) throws {
        let opening = try opening(schema, description, Set(state.sets.schemas.keys))
        guard opening.isOfNewerProgram else { return }
        // The program wants data removed that no released version has written.
        let plan = opening.plan(of: name)
        if schema.opening == .resetIfUnreleased, plan.isUnreleased { return }
        let reasons = opening.messages
        throw CRUDRepositoryError.schemaMismatch(
            store: name,
            differences: reasons.isEmpty
                ? [
                    "a newer program has changed the data, and a reset would remove what this one does not know"
                ]
                : reasons)
    }

    /// Completes the resets that have begun, and returns the description without the removed sets.
    func finishResets(_ found: StoreDescription?) throws -> StoreDescription? {
        guard var description = found else { return nil }
        let sets = description.sets.filter { $0.isBeingReset == true }.map(\.name)
        if sets.isEmpty { return description }
        for set in sets {
            for table in description.tables(onlyOf: set).map(\.table.name) {
                try driver.remove(collection: table)
                try driver.remove(collection: DocumentIndexNames.collection(of: table))
                try driver.remove(collection: ExternalDataNames.collection(of: table))
            }
            description.remove(set: set)
        }
        try note.write(&description)
        return description.sets.isEmpty ? nil : description
    }

    /// Rebuilds all indexes, and removes external data that no record has. Reads every record, and
    /// skips records that cannot be read.
    public func rebuildIndexes() async throws {
        try await alone { [self] in
            try driver.recover()
            try requireFittingDescription()
            try state.withLock { state in
                for table in state.tables.all {
                    try table.rebuildIndexes()
                    try table.removeStrayChunks()
                }
            }
        }
    }
}
