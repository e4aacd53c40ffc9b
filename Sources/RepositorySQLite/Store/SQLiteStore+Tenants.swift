public import RepositoryRuntime

extension SQLiteStore {
    /// Returns the store of a tenant: a database of its own in the folder `<path>.tenants`, beside the
    /// file of this store.
    ///
    /// It has the options of this store, and shares nothing with it or with other tenants. No
    /// transaction and no backup includes two of them, and closing this store does not close them.
    /// The file is `<name>.sqlite`, with each byte of the name outside `a-z 0-9 _ -` as `%XX`.
    /// Opening the tenant's store creates it; to remove a tenant, close its stores in all programs and
    /// delete the file with its `-wal` and `-shm`.
    ///
    /// Each call creates a store with connections of its own: keep it while the tenant is active. For
    /// a database in memory, the same name returns the same store as long as this store exists.
    ///
    /// - Parameter name: the name of the tenant: any text of 1 to 60 bytes of UTF-8. Names are
    ///   different if their bytes are, also on file systems that ignore case.
    /// - Throws: `invalidIdentifier` for another length.
    public func tenant(_ name: String) throws(CRUDRepositoryError) -> SQLiteStore {
        let own = database.location
        if own.isInMemory {
            return try tenantStores.store(of: name) {
                var location = SQLiteLocation.inMemory()
                location.trace = own.trace
                location.encryption = own.encryption
                return SQLiteStore(location)
            }
        }
        var location = SQLiteLocation.file(
            try TenantFolder(of: own.name, ending: ".sqlite").path(of: name),
            busyTimeout: .milliseconds(Int(own.busyTimeout)), makesFolder: true)
        location.writerTimeout = own.writerTimeout
        location.fileSystem = own.fileSystem
        location.trace = own.trace
        location.encryption = own.encryption
        return SQLiteStore(location)
    }

    /// Returns the tenants whose files exist, sorted by their bytes; for a database in memory, the
    /// names for which ``tenant(_:)`` was called. Other files are ignored.
    ///
    /// - Throws: `databaseError` if the folder cannot be read.
    public func tenants() throws(CRUDRepositoryError) -> [String] {
        if database.location.isInMemory { return tenantStores.names }
        return try TenantFolder(of: database.location.name, ending: ".sqlite").names()
    }
}
