package import RepositoryRuntime

extension Conformance {
    /// The entities with external data, and those that they refer to. They form a set of their own,
    /// so that stores without external data can open the other one.
    static let pictures: [any Entity.Type] = [Album.self, Photo.self, Slide.self]

    /// The repositories of the entities with external data. The others throw.
    package static func gallery(
        _ store: any EntityStore, defaults: EntityDefaults.Source = .system
    ) -> Conformance {
        Conformance(
            context: RepositoryContext(
                store: store, schema: StoreSchema("Gallery", pictures), defaults: defaults,
                fullScans: .allow))
    }

    /// The repositories of the other entities, for stores without external data. Those of the
    /// entities with external data throw.
    package static func plain(
        _ store: any EntityStore, fullScans: FullScanPolicy = .automatic
    ) -> Conformance {
        let pictures = Set(pictures.map { $0.linkedTable })
        let entities = zip(schema.entities, schema.tables)
            .filter { !pictures.contains($1.name) }
            .map(\.0)
        return Conformance(
            context: RepositoryContext(
                store: store, schema: StoreSchema(schema.name, entities), fullScans: fullScans))
    }
}
