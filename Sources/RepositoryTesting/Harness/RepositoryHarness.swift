public import RepositoryRuntime

/// How the suite creates a four-method repository, and which capabilities the repository lacks.
public struct RepositoryHarness: Sendable {
    /// Creates a repository for the table `place.table` at a place.
    public typealias Make = @Sendable (StoreLocation) async throws -> any CRUDRepository
    /// Overwrites the stored item of an id with bytes that cannot be decoded.
    public typealias Damage = @Sendable (_ place: StoreLocation, _ id: String) async throws -> Void

    let make: Make
    let damage: Damage?
    let cleanUp: (@Sendable (StoreLocation) async throws -> Void)?
    let capabilities: StoreCapabilities

    /// Creates a harness.
    ///
    /// - Parameters:
    ///   - lacks: the capabilities in ``RepositoryBehaviour/capabilities`` that the repository does
    /// not have.
    ///   - damage: overwrites the stored item of an id with bytes that cannot be decoded. If it is
    /// nil, the behaviours of damaged items are skipped.
    ///   - cleanUp: removes the data that a repository stored outside the folder of its place.
    ///   - make: creates a repository at a place. If it is called again with the same place, it
    /// opens the same data.
    public init(
        lacks: Set<StoreCapability> = [], damage: Damage? = nil,
        cleanUp: (@Sendable (StoreLocation) async throws -> Void)? = nil, make: @escaping Make
    ) {
        self.make = make
        self.damage = damage
        self.cleanUp = cleanUp
        let support = RepositoryBehaviour.capabilities.filter { !lacks.contains($0) }
            .map { ($0, StoreSupport.native) }
        capabilities = StoreCapabilities(Dictionary(uniqueKeysWithValues: support))
    }
}

extension StoreCapability {
    /// The repository supports several tables at one place, distinguished by `place.table`.
    public static let namedTables = Self(rawValue: "namedTables")
    /// The repository encodes items in a format, which decodes any type of matching structure and
    /// rejects values that it cannot represent.
    public static let formattedItems = Self(rawValue: "formattedItems")
}
