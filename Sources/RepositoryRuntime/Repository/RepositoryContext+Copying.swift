/// What a copy of all records needs besides the records.
extension RepositoryContext {
    /// Returns an entity as the store holds it: rounded and checked, with its own dates and version.
    ///
    /// - Throws: `invalidItem` or `invalidIdentifier` if the store does not take it.
    package func rounded<E: Entity>(_ entity: E) throws -> E {
        let write = WriteContext(
            .update, now: defaults.now(), roundsToSeconds: roundsToSeconds, keepsDates: true)
        return try EntityPreparation.prepare(entity, for: write)
    }

    /// Returns the greatest id that the store has given for each table that has a counter of them.
    package func idCounters() async throws -> [String: Int64] {
        var counters: [String: Int64] = [:]
        for table in schema.countedTables {
            let id = IDCounter.ID(table.name)
            counters[table.name] = try await store.readIfThere(IDCounter.self, id: id)?.last
        }
        return counters
    }

    /// Raises the counters to the given ones, so that no id up to them is given again. A greater
    /// counter stays.
    ///
    /// - Parameter store: a transaction of the store.
    package func raise(
        _ counters: [String: Int64], in store: any EntityStore
    ) async throws {
        let known = Set(schema.countedTables.map(\.name))
        for (name, last) in counters where known.contains(name) {
            let id = IDCounter.ID(name)
            let stored = try await store.readIfThere(IDCounter.self, id: id)
            guard stored.map({ $0.last < last }) ?? true else { continue }
            _ = try await store.save(IDCounter(id: id, last: last))
        }
    }
}
