public import RepositoryRuntime

/// How the suite creates a store, and how it manipulates the stored data from outside.
public struct StoreHarness: Sendable {
    /// Creates a store at a place.
    public typealias Make = @Sendable (StoreLocation) async throws -> any EntityStore
    /// Overwrites the stored bytes of a record with bytes that cannot be decoded.
    public typealias Damage =
        @Sendable (_ place: StoreLocation, _ table: EntityTable, _ id: String) async throws -> Void

    let make: Make
    let damage: Damage?
    let cleanUp: (@Sendable (StoreLocation) async throws -> Void)?

    /// Creates a harness.
    ///
    /// - Parameters:
    ///   - damage: overwrites the record with an id (in its string form) in a table with bytes that
    /// cannot be decoded. If it is nil, the behaviours of damaged records are skipped.
    ///   - cleanUp: removes the data that a store wrote outside the folder of its place.
    ///   - make: creates a store at a place. If it is called again with the same place, it opens
    /// the same data.
    public init(
        damage: Damage? = nil, cleanUp: (@Sendable (StoreLocation) async throws -> Void)? = nil,
        make: @escaping Make
    ) {
        self.make = make
        self.damage = damage
        self.cleanUp = cleanUp
    }
}
