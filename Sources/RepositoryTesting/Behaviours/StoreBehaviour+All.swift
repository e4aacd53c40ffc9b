extension StoreBehaviour {
    /// All behaviours, by area.
    public static let all: [StoreBehaviour] = [
        records, ids, listing, streams, batches, finders, indexes, partialIndexes, innerIndexes,
        idScans,
        versions, unique,
        references, batchReferences, relations, relatives, validation, checks, ignoringCase,
        batchChecks,
        stamps, types,
        kinds, queries, projections, groups, updates,
        updatedFields, refusedUpdates, replacing, conflicts, merging, hostileIDs, reset, opening,
        sets, evolution,
        errors, damage, cancellation, concurrency, transactions, observation, random,
    ].flatMap { $0 }
}
