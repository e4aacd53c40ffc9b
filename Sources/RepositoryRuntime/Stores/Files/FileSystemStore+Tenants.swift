internal import Foundation

extension FileSystemStore {
    /// Returns the store of a tenant: a folder of its own in `<directory>.tenants`, beside the folder
    /// of this store.
    ///
    /// It has the format and the time limits of this store, and shares nothing with it or with other
    /// tenants. No transaction and no backup includes two of them, and closing this store does not
    /// close them. The name of the folder is the name of the tenant, with each byte outside
    /// `a-z 0-9 _ -` as `%XX`. Opening the tenant's store creates the folder; to remove a tenant,
    /// close its stores in all programs and delete the folder.
    ///
    /// Each call creates a store with locks and descriptors of its own: keep it while the tenant is
    /// active.
    ///
    /// - Parameter name: the name of the tenant: any text of 1 to 60 bytes of UTF-8. Names are
    ///   different if their bytes are, also on file systems that ignore case.
    /// - Throws: `invalidIdentifier` for another length.
    public func tenant(_ name: String) throws(CRUDRepositoryError) -> FileSystemStore {
        let path = try TenantFolder(of: root).path(of: name)
        return FileSystemStore(
            directory: URL(filePath: path, directoryHint: .isDirectory), transformer: transformer,
            busyTimeout: busyTimeout, writerTimeout: writerTimeout)
    }

    /// Returns the tenants whose folders exist, sorted by their bytes. Other folders are ignored.
    ///
    /// - Throws: `databaseError` if the folder cannot be read.
    public func tenants() throws(CRUDRepositoryError) -> [String] {
        try TenantFolder(of: root).names()
    }
}
