/// A place where entities are stored: what a generated set of repositories is made over.
///
/// For implementers. Callers use the generated repositories, which check ids and items, stamp and validate them, and
/// open the store, before anything here is called. Every call is atomic; errors are ``CRUDRepositoryError``. What a
/// store does not declare in ``capabilities`` it refuses with `unsupported`.
///
/// Versions: for an entity with a version field, `create` stores 1, and `update` and a `save` over an existing record
/// compare the version of the entity given with the stored one, throw `versionConflict` with both when they differ, and
/// store it increased by 1. The check and the write are one atomic step.
public protocol EntityStore: Sendable {
    /// The kind of store, for messages: `SQLite`.
    var name: String { get }
    /// What it can do.
    var capabilities: StoreCapabilities { get }

    /// Makes the store ready for a schema: creates what is missing, makes harmless additions, follows renames.
    ///
    /// Called again with the same schema it does nothing.
    /// - Throws: `schemaMismatch` with every difference, having written nothing.
    func open(_ schema: StoreSchema) async throws

    /// Stores a new entity; throws `recordAlreadyExists`, `constraintViolated`.
    func create<E: Entity>(_ entity: E) async throws
    /// Reads an entity; throws `recordNotFound`, `invalidRecord`.
    func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E
    /// Replaces an entity and returns what is stored; throws `recordNotFound`, `versionConflict`, `constraintViolated`.
    func update<E: Entity>(_ entity: E) async throws -> E
    /// Creates or replaces an entity and returns what is stored; throws `versionConflict`, `constraintViolated`.
    func save<E: Entity>(_ entity: E) async throws -> E
    /// Deletes an entity; throws `recordNotFound`, `constraintViolated`.
    func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws
    /// Whether there is an entity of this id.
    func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool

    /// Stores new entities, all or none.
    func createAll<E: Entity>(_ entities: [E]) async throws
    /// Creates or replaces entities, all or none; returns what is stored, in the order given.
    func saveAll<E: Entity>(_ entities: [E]) async throws -> [E]
    /// Deletes those of the ids that are there, all or none; returns how many were.
    func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int
    /// Deletes all entities of a type; returns how many there were.
    func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int

    /// The number of entities of a type.
    func count<E: Entity>(_ type: E.Type) async throws -> Int
    /// All ids of a type, in id order.
    func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID]
    /// The entities after an id, in id order, `limit` at most; from the first when `id` is nil.
    func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E]
    /// The entities that a scan of a declared index finds, in the order of the scan, `limit` at most.
    func find<E: Entity>(_ type: E.Type, _ scan: IndexScan, limit: Int) async throws -> [E]

    /// How the records of a query are found; the runtime's own planner answers where a store does not.
    ///
    /// A store may choose another access than the runtime would. Whatever it chooses, the runtime tests every record
    /// that is found against the whole condition, so that an access which finds too much stays right; one that
    /// finds too little is wrong.
    func plan<E: Entity>(_ query: Query<E>) -> QueryPlan
    /// The entities of a selection, which the store finds, sorts and limits by itself, exactly as ``QueryEvaluator``
    /// would; asked for only where ``plan(_:)`` answered with a selection.
    func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E]
    /// The values at some paths of each entity of a selection, in its order.
    func values<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, at paths: [FieldPath]
    ) async throws -> [[StoredValue]]
    /// The summary of a selection: a row for each group, ordered by the values it is grouped by, which come first in the
    /// row; one row where it is not grouped. Nil where the store cannot compute it exactly: the runtime then does.
    func summary<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]?

    /// How the store answers a selection, in lines: its own statement, its database's plan. They hold no values.
    func explain<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [String]

    /// Changes every entity that a query asks for, in one atomic step, and returns how many there were.
    ///
    /// - Parameter change: makes of a stored entity what is to be stored, the version left as it was, which the store
    ///   increases; it may be called again when the step is tried again. What it throws leaves everything as it was.
    func updateAll<E: Entity>(
        _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Int

    /// Begins a transaction: a store of its own whose changes nobody else sees until it is committed.
    ///
    /// It waits, without holding a thread of Swift's pool, while another transaction or write is under way, where the store lets
    /// only one write at a time. On a transaction it begins a nested one.
    func begin() async throws -> any StoreTransaction
    /// Begins a transaction that only reads: one state of the store, whatever is committed meanwhile. It is ended by
    /// `rollBack`.
    func snapshot() async throws -> any StoreTransaction

    /// Who observes this store, and what was committed to it. One object for the life of the store, which its
    /// transactions share; it is also what tells two stores apart.
    var changes: StoreChanges { get }
    /// A value that differs after a commit by another process; nil where nobody else can write or it cannot be known.
    /// Asked now and then while somebody observes.
    func externalState() async throws -> UInt64?

    /// Makes everything that is derived from the records anew, whoever wrote them.
    func rebuildIndexes() async throws

    /// Removes a set: the records of its tables, and every trace of its schema.
    ///
    /// Other sets of the store keep their tables. A table that another set declares too stays with its records. A reset
    /// that threw can be called again and does what is left; where a program ends in the middle of one, the next opening
    /// of the set finishes it.
    ///
    /// - Parameter schema: the set, which the store was opened with.
    func reset(_ schema: StoreSchema) async throws
}
