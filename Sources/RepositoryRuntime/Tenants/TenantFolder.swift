internal import Foundation

/// The folder beside a store that contains the stores of its tenants.
package struct TenantFolder {
    private let path: String
    private let ending: String

    /// Describes the folder of a store.
    ///
    /// - Parameters:
    ///   - path: the path of the store's file or folder.
    ///   - ending: what follows the form of the name in the name of a tenant's store.
    package init(of path: String, ending: String = "") {
        self.path = path + ".tenants"
        self.ending = ending
    }

    /// Returns the path of a tenant's store.
    ///
    /// - Throws: `invalidIdentifier`.
    package func path(of tenant: String) throws(CRUDRepositoryError) -> String {
        "\(path)/\(try TenantName(tenant).encoded)\(ending)"
    }

    /// Returns the tenants that have a store, sorted by their bytes.
    ///
    /// - Throws: `databaseError` if the folder cannot be read.
    package func names() throws(CRUDRepositoryError) -> [String] {
        let manager = FileManager.default
        guard manager.fileExists(atPath: path) else { return [] }
        let files: [String]
        do {
            files = try manager.contentsOfDirectory(atPath: path)
        } catch {
            throw CRUDRepositoryError(
                .databaseError, "The folder '\(path)' of the tenants cannot be read.",
                underlyingError: error)
        }
        return files.filter { $0.hasSuffix(ending) }
            .compactMap { TenantName.decode($0.dropLast(ending.count)) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
