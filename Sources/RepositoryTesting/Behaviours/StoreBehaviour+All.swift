extension StoreBehaviour {
    /// All behaviours, by area.
    public static let all: [StoreBehaviour] = [
        records, ids, listing, streams, batches, finders, indexes, partialIndexes, innerIndexes,
        idScans,
        versions, unique, uniqueExchanges,
        references, batchReferences, relations, relatives, searches, validation, violations,
        checks,
        ignoringCase,
        batchChecks,
        stamps, creationDates, types,
        kinds, queries, projections, groups, updates,
        updatedFields, refusedUpdates, patches, drafts, assignedIDs, replacing, conflicts, merging,
        softDeletion, distribution, externalData, randomExternalData, hostileIDs, reset, opening,
        sets, evolution,
        errors, damage, cancellation, closing, changeStates, upkeep,
        concurrency, transactions, observation, random,
    ].flatMap { $0 }
}
