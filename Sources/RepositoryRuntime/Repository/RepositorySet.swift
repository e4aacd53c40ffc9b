public import Foundation

/// A generated set of repositories over one store, with one repository per entity.
public protocol RepositorySet: Sendable {
    /// The schema of the set.
    static var schema: StoreSchema { get }
    /// The type of the functions that migrate data of earlier versions: ``NoMigrations``, unless
    /// the program has to pass them to the initializer.
    associatedtype Migrations: Sendable = NoMigrations
    /// Returns the functions by name.
    static func functions(of migrations: Migrations) -> MigrationFunctions
    /// The context that the repositories share.
    var context: RepositoryContext { get }
    /// Creates a set that uses a context.
    init(context: RepositoryContext)
}

/// The functions of a set whose migrations need none, or whose settings name the type that
/// implements them.
public struct NoMigrations: Sendable {
    /// Creates the value.
    public init() {}
}

extension RepositorySet where Migrations == NoMigrations {
    /// No functions.
    public static func functions(of migrations: NoMigrations) -> MigrationFunctions {
        MigrationFunctions()
    }

    /// Creates a set over a store. The store is opened by the first operation or by ``open()``.
    ///
    /// - Parameters:
    ///   - store: the store for the entities.
    ///   - opening: how data of an earlier schema is treated.
    ///   - now: the clock. The default is the system clock.
    ///   - uuid: the source of ids. The default creates version 7 UUIDs.
    ///   - fullScans: how queries are treated that read every record because no index serves them.
    public init(
        _ store: any EntityStore,
        opening: OpeningMode = .migrate,
        now: @escaping @Sendable () -> Date = EntityDefaults.Source.system.now,
        uuid: @escaping @Sendable () -> UUID = EntityDefaults.Source.system.uuid,
        fullScans: FullScanPolicy = .automatic
    ) {
        self.init(
            context: RepositoryContext(
                store: store, schema: Self.schema.opening(opening),
                defaults: EntityDefaults.Source(now: now, uuid: uuid), fullScans: fullScans))
    }
}

extension RepositorySet {
    /// Creates a set over a store, with the functions that migrate data of earlier versions. The
    /// store is opened by the first operation or by ``open()``.
    ///
    /// - Parameters:
    ///   - store: the store for the entities.
    ///   - migrations: the functions.
    ///   - opening: how data of an earlier schema is treated.
    ///   - now: the clock. The default is the system clock.
    ///   - uuid: the source of ids. The default creates version 7 UUIDs.
    ///   - fullScans: how queries are treated that read every record because no index serves them.
    public init(
        _ store: any EntityStore, migrations: Migrations,
        opening: OpeningMode = .migrate,
        now: @escaping @Sendable () -> Date = EntityDefaults.Source.system.now,
        uuid: @escaping @Sendable () -> UUID = EntityDefaults.Source.system.uuid,
        fullScans: FullScanPolicy = .automatic
    ) {
        self.init(
            context: RepositoryContext(
                store: store,
                schema: Self.schema.migrating(with: Self.functions(of: migrations))
                    .opening(opening),
                defaults: EntityDefaults.Source(now: now, uuid: uuid), fullScans: fullScans))
    }

    /// Opens the store now instead of in the first operation.
    ///
    /// - Throws: `schemaMismatch` if the stored data was written with a schema that the program
    ///   cannot use.
    public func open() async throws { try await context.open() }

    /// Removes the records of this set from the store, and its schema.
    ///
    /// Other sets in the store keep their tables. A table that another set declares too stays with
    /// its records.
    public func reset() async throws { try await context.reset() }

    /// Rebuilds the indexes and all other derived data. Call it if another program has modified the
    /// store's files.
    public func rebuildIndexes() async throws {
        try await context.open()
        try await context.store.rebuildIndexes()
    }

    /// Calls a closure, in which new entities use this set's clock and source of ids.
    public func withDefaults<R>(_ body: () throws -> R) rethrows -> R {
        try EntityDefaults.$source.withValue(context.defaults, operation: body)
    }
}
