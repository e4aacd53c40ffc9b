internal import Foundation

extension UserDefaultsStore {
    /// Returns the store of a tenant: a suite of its own, `<suite>.tenants.<name>`.
    ///
    /// It has the format and the time limits of this store, and shares nothing with it or with other
    /// tenants. No transaction and no backup includes two of them, and closing this store does not
    /// close them. In the name of the suite, each byte of the tenant's name outside `a-z 0-9 _ -` is
    /// written as `%XX`. Suites cannot be listed on all platforms: the program keeps the names.
    ///
    /// - Parameter name: the name of the tenant: any text of 1 to 60 bytes of UTF-8. Names are
    ///   different if their bytes are, also on file systems that ignore case.
    /// - Throws: `invalidIdentifier` for another length.
    public func tenant(_ name: String) throws(CRUDRepositoryError) -> UserDefaultsStore {
        let form = try TenantName(name).encoded
        let parent =
            suiteName ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return UserDefaultsStore(
            suiteName: "\(parent).tenants.\(form)", transformer: transformer,
            busyTimeout: busyTimeout, writerTimeout: writerTimeout)
    }
}
