internal import Foundation
internal import RepositoryRuntime

/// A new store on which one behaviour is checked. Its repositories are available as members:
/// `trial.notes`.
@dynamicMemberLookup
struct StoreTrial: Sendable {
    /// The store.
    let store: any EntityStore
    /// The place of the store.
    let place: StoreLocation
    /// The harness that created the store.
    let harness: StoreHarness
    /// The clock and the source of ids. Both count upwards, so that a behaviour is deterministic.
    let defaults: EntityDefaults.Source
    /// The repositories of the tables without external data.
    let repositories: Conformance
    /// The repositories of the tables with external data.
    let gallery: Conformance

    /// The names of the tables that the behaviour uses; nil if it may use all.
    let tables: Set<String>?

    init(
        store: any EntityStore, place: StoreLocation, harness: StoreHarness, tables: Set<String>?
    ) {
        self.store = store
        self.place = place
        self.harness = harness
        self.tables = tables
        let clock = TrialClock()
        defaults = EntityDefaults.Source(now: clock.now, uuid: clock.uuid)
        repositories = Conformance(
            context: RepositoryContext(
                store: store, schema: Self.schema(of: tables, for: store.capabilities),
                defaults: defaults, fullScans: .allow))
        gallery = .gallery(store, defaults: defaults)
    }

    var albums: AlbumRepository { gallery.albums }
    var photos: PhotoRepository { gallery.photos }
    var slides: SlideRepository { gallery.slides }

    /// A repository of the set.
    subscript<Repository>(dynamicMember path: KeyPath<Conformance, Repository>) -> Repository {
        repositories[keyPath: path]
    }

    /// A trial with a new store instance at the same place.
    func reopened() async throws -> StoreTrial {
        StoreTrial(
            store: try await harness.make(place), place: place, harness: harness, tables: tables)
    }

    /// Calls a closure with a trial of a store at another place.
    func fresh<R>(_ body: (StoreTrial) async throws -> R) async throws -> R {
        try await StoreLocation.withNew(cleanUp: harness.cleanUp) { place in
            try await body(
                StoreTrial(
                    store: harness.make(place), place: place, harness: harness, tables: tables))
        }
    }

    /// The repositories over the same store, with another clock.
    func repositories(now: @escaping @Sendable () -> Date) -> Conformance {
        Conformance(
            context: RepositoryContext(
                store: store, schema: repositories.context.schema,
                defaults: EntityDefaults.Source(now: now, uuid: defaults.uuid),
                fullScans: .allow))
    }

    /// The repositories over the same store, with another full-scan policy.
    func repositories(fullScans: FullScanPolicy) -> Conformance {
        Conformance(
            context: RepositoryContext(
                store: store, schema: repositories.context.schema, defaults: defaults,
                fullScans: fullScans))
    }

    /// Overwrites the stored bytes of a record with bytes that cannot be decoded.
    func damage<E: Entity>(_ type: E.Type, _ id: E.ID) async throws {
        try await harness.damage?(place, E.Mapper.table, id.description)
    }

    /// The schema with those of some tables that need only the declared capabilities.
    static func schema(
        of tables: Set<String>?, for capabilities: StoreCapabilities
    ) -> StoreSchema {
        let all = zip(Conformance.schema.entities, Conformance.schema.tables)
        let pictures = Set(Conformance.pictures.map { $0.linkedTable })
        let entities = all.filter { _, table in
            if pictures.contains(table.name) { return false }
            if let tables, !tables.contains(table.name) { return false }
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
