public import RepositoryRuntime

/// How the suite makes a store, and what it may do to it from outside.
public struct StoreHarness: Sendable {
    /// Makes a store at a place.
    public typealias Make = @Sendable (StorePlace) async throws -> any EntityStore
    /// Overwrites what is stored for one record with bytes that are no record.
    public typealias Damage =
        @Sendable (_ place: StorePlace, _ table: EntityTable, _ id: String) async throws -> Void

    let make: Make
    let damage: Damage?
    let cleanUp: (@Sendable (StorePlace) async throws -> Void)?

    /// Describes how the suite makes a store.
    ///
    /// - Parameters:
    ///   - damage: overwrites the stored record of an id (its text form) of a table with bytes that are no record; the
    ///     behaviours of damaged records are left out when nil.
    ///   - cleanUp: removes what a store left outside the folder of its place.
    ///   - make: makes a store at a place; called again with the same place to open the same data.
    public init(
        damage: Damage? = nil, cleanUp: (@Sendable (StorePlace) async throws -> Void)? = nil,
        make: @escaping Make
    ) {
        self.make = make
        self.damage = damage
        self.cleanUp = cleanUp
    }
}
