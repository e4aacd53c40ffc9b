import RepositoryRuntime
import RepositorySchema
import Testing

/// The generator says of stores what they declare.
@Suite("The stores that a schema can name")
struct KnownStoreTests {
    /// What the capability table calls each store; nil for one that is planned.
    private static func name(of store: KnownStore) -> String? {
        switch store {
        case .sqlite: "`SQLiteStore`"
        case .postgresql: nil
        case .files: "`FileSystemStore`"
        case .userDefaults: "`UserDefaultsStore`"
        case .memory: "`InMemoryStore`"
        case .fourMethods: "four methods"
        }
    }

    @Test("lack what they declare to lack", arguments: KnownStore.allCases)
    func lacks(store: KnownStore) throws {
        guard let name = Self.name(of: store) else { return }
        let capabilities = try #require(
            CapabilityTable.stores.first { $0.name == name }?.capabilities)
        for demand in KnownStore.Demand.allCases {
            let capability = StoreCapability(rawValue: demand.rawValue)
            #expect(StoreCapability.all.contains(capability))
            #expect(store.lacks.contains(demand) == !capabilities.has(capability), "\(demand)")
        }
    }
}
