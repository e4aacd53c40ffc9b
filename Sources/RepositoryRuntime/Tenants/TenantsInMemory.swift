internal import Synchronization

/// The stores of the tenants of a store in memory, which live as long as that store.
package final class TenantsInMemory<Store: Sendable>: Sendable {
    private struct State {
        /// By the forms of the names: equal strings may differ in their bytes.
        var stores: [String: Store] = [:]
    }

    private let state = Mutex(State())

    /// Creates an empty collection.
    package init() {}

    /// Returns the store of a tenant, the same one each time.
    ///
    /// - Throws: `invalidIdentifier`.
    package func store(
        of tenant: String, making make: () -> Store
    ) throws(CRUDRepositoryError) -> Store {
        let form = try TenantName(tenant).encoded
        return state.withLock { state in
            if let store = state.stores[form] { return store }
            let store = make()
            state.stores[form] = store
            return store
        }
    }

    /// The tenants that have a store, sorted by their bytes.
    package var names: [String] {
        state.withLock { state in state.stores.keys.compactMap { TenantName.decode($0) } }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
