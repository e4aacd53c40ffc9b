internal import Foundation
internal import RepositoryRuntime

/// A freshly made store while one behaviour is checked; its repositories are members: `trial.notes`.
@dynamicMemberLookup
struct StoreTrial: Sendable {
    /// The store.
    let store: any EntityStore
    /// Where it is.
    let place: StorePlace
    /// How it was made.
    let harness: StoreHarness
    /// The clock and the ids of the trial: both count, so that a behaviour gives the same results each time.
    let defaults: EntityDefaults.Source
    /// The repositories.
    let repositories: Conformance

    init(store: any EntityStore, place: StorePlace, harness: StoreHarness) {
        self.store = store
        self.place = place
        self.harness = harness
        let clock = TrialClock()
        defaults = EntityDefaults.Source(now: clock.now, uuid: clock.uuid)
        repositories = Conformance(
            context: RepositoryContext(
                store: store, schema: Self.schema(for: store.capabilities), defaults: defaults,
                fullScans: .allow))
    }

    subscript<Repository>(dynamicMember path: KeyPath<Conformance, Repository>) -> Repository {
        repositories[keyPath: path]
    }

    /// A trial of a store made anew at the same place.
    func reopened() async throws -> StoreTrial {
        StoreTrial(store: try await harness.make(place), place: place, harness: harness)
    }

    /// The repositories over the same store with another clock.
    func repositories(now: @escaping @Sendable () -> Date) -> Conformance {
        Conformance(
            context: RepositoryContext(
                store: store, schema: repositories.context.schema,
                defaults: EntityDefaults.Source(now: now, uuid: defaults.uuid),
                fullScans: .allow))
    }

    /// The repositories over the same store with another answer to queries that read everything.
    func repositories(fullScans: FullScanPolicy) -> Conformance {
        Conformance(
            context: RepositoryContext(
                store: store, schema: repositories.context.schema, defaults: defaults,
                fullScans: fullScans))
    }

    /// Damages what is stored for a record.
    func damage<E: Entity>(_ type: E.Type, _ id: E.ID) async throws {
        try await harness.damage?(place, E.Mapper.table, id.description)
    }

    /// The tables that ask of a store no more than it declares.
    static func schema(for capabilities: StoreCapabilities) -> StoreSchema {
        let all = zip(Conformance.schema.entities, Conformance.schema.tables)
        let entities = all.filter { _, table in
            if table.versionField != nil, !capabilities.has(.versions) { return false }
            if table.indexes.contains(where: \.isUnique), !capabilities.has(.uniqueIndexes) {
                return false
            }
            let refers = table.fields.contains { $0.reference != nil }
            return !refers || capabilities.has(.references)
        }
        return StoreSchema(Conformance.schema.name, entities.map(\.0))
    }
}
