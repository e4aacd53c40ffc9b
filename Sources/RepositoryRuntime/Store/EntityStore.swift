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
    /// The entities whose leading fields of a declared index have these values, in the order of the index's remaining
    /// fields, then of the id.
    ///
    /// - Parameters:
    ///   - index: the position in `E.Mapper.table.indexes`.
    ///   - values: one for each of the leading fields, at least one.
    func find<E: Entity>(_ type: E.Type, index: Int, values: [StoredValue]) async throws -> [E]

    /// How the records of a query are found; the runtime's own planner answers where a store does not.
    ///
    /// A store may choose another access than the runtime would. Whatever it chooses, the runtime tests every record
    /// that is found against the whole condition, so that an access which finds too much stays right; one that
    /// finds too little is wrong.
    func plan<E: Entity>(_ query: Query<E>) -> QueryPlan

    /// Removes everything of this schema: every record, and every trace of the schema itself.
    func reset() async throws
}
