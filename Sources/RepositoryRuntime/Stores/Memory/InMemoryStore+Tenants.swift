extension InMemoryStore {
    /// Returns the store of a tenant, which shares nothing with this store and with other tenants.
    ///
    /// The same name returns the same store as long as this store exists. It begins with the seed of
    /// this store. No transaction includes two tenants, and closing this store does not close them.
    ///
    /// - Parameter name: the name of the tenant: any text of 1 to 60 bytes of UTF-8. Names are
    ///   different if their bytes are.
    /// - Throws: `invalidIdentifier` for another length.
    public func tenant(_ name: String) throws(CRUDRepositoryError) -> InMemoryStore {
        try tenantStores.store(of: name) { InMemoryStore(seed: seed, writerTimeout: writerTimeout) }
    }

    /// Returns the names for which ``tenant(_:)`` was called, sorted by their bytes.
    public func tenants() -> [String] { tenantStores.names }
}
