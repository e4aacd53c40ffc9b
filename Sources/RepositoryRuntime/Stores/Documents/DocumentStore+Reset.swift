internal import StoredSchema
internal import Synchronization

/// Resetting sets and rebuilding indexes.
extension DocumentStore {
    /// Removes the set from the description, and the records of its tables. A table that is also
    /// part of another set keeps its records.
    ///
    /// The reset is not atomic. If it is interrupted, the next opening or reset of a set completes
    /// it.
    public func reset(_ schema: StoreSchema) async throws {
        try await alone { [self] in
            // Recovery of an unfinished batch would restore documents that are removed here.
            try driver.recover()
            try state.withLock { state in
                if var description = try note.read(for: schema.name) {
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
