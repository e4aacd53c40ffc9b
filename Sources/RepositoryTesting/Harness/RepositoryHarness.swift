public import RepositoryRuntime

/// How the suite makes a four-method repository, and what that repository does without.
public struct RepositoryHarness: Sendable {
    /// Makes a repository of the table `place.table` at a place.
    public typealias Make = @Sendable (StorePlace) async throws -> any CRUDRepository
    /// Overwrites what is stored for one id with bytes that no format reads.
    public typealias Damage = @Sendable (_ place: StorePlace, _ id: String) async throws -> Void

    let make: Make
    let damage: Damage?
    let cleanUp: (@Sendable (StorePlace) async throws -> Void)?
    let capabilities: StoreCapabilities

    /// Describes how the suite makes a repository.
    ///
    /// - Parameters:
    ///   - lacks: what it does without, of ``RepositoryBehaviour/capabilities``.
    ///   - damage: overwrites what is stored for an id with bytes that no format reads; the behaviours of damaged items
    ///     are left out when nil.
    ///   - cleanUp: removes what it left outside the folder of its place.
    ///   - make: makes a repository at a place; called again with the same place to open the same data.
    public init(
        lacks: Set<StoreCapability> = [], damage: Damage? = nil,
        cleanUp: (@Sendable (StorePlace) async throws -> Void)? = nil, make: @escaping Make
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
    /// Several four-method repositories, told apart by `place.table`, may be at one place.
    public static let namedTables = Self(rawValue: "namedTables")
    /// Items pass through a format, which reads bytes as any type of like shape and refuses what it cannot hold.
    public static let formattedItems = Self(rawValue: "formattedItems")
}
