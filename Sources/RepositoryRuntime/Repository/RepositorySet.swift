public import Foundation

/// A generated set: one repository for each entity, over one store.
public protocol RepositorySet: Sendable {
    /// The schema of the set.
    static var schema: StoreSchema { get }
    /// What its repositories share.
    var context: RepositoryContext { get }
    /// Makes the set over a context.
    init(context: RepositoryContext)
}

extension RepositorySet {
    /// Makes the set over a store. The store is opened by the first operation, or by ``open()``.
    ///
    /// - Parameters:
    ///   - store: where entities are stored.
    ///   - now: the clock; the system's when left out.
    ///   - uuid: the source of ids; version 7 UUIDs when left out.
    ///   - fullScans: what becomes of queries that read every record because no index serves them.
    public init(
        _ store: any EntityStore,
        now: @escaping @Sendable () -> Date = EntityDefaults.Source.system.now,
        uuid: @escaping @Sendable () -> UUID = EntityDefaults.Source.system.uuid,
        fullScans: FullScanPolicy = .automatic
    ) {
        self.init(
            context: RepositoryContext(
                store: store, schema: Self.schema,
                defaults: EntityDefaults.Source(now: now, uuid: uuid), fullScans: fullScans))
    }

    /// Opens the store now rather than with the first operation.
    ///
    /// - Throws: `schemaMismatch` when the store holds another schema.
    public func open() async throws { try await context.open() }

    /// Removes the records of this set from the store, and its schema.
    ///
    /// Other sets in the store keep their tables. A table that another set declares too stays with its records.
    public func reset() async throws { try await context.reset() }

    /// Makes everything that is derived from the records anew: for stores whose files somebody else may have written.
    public func rebuildIndexes() async throws {
        try await context.open()
        try await context.store.rebuildIndexes()
    }

    /// Runs a body in which new entities take their moments and ids from this set's clock and source.
    public func withDefaults<R>(_ body: () throws -> R) rethrows -> R {
        try EntityDefaults.$source.withValue(context.defaults, operation: body)
    }
}
