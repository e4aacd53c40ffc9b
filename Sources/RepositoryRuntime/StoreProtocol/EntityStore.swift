public import Foundation

/// The interface between the runtime and a store of entities.
///
/// This protocol is for implementers of stores. Applications use the generated repositories, which
/// check ids and items, stamp and validate them, and open the store before they call any of these
/// methods.
///
/// Every call is atomic. Errors are ``CRUDRepositoryError``. A store throws `unsupported` for what
/// it does not declare in ``capabilities``.
///
/// Versions: for an entity with a version field, `create` and `createAll` store the version of the
/// given entity. Repositories set it to 1 before they call the store; a copy of a record from
/// another store keeps its version. `save` and `saveAll` store version 1 for a new record.
/// `update`, and a save of an existing record, compare the version of the given entity with the
/// stored version. If they differ, they throw `versionConflict` with both versions; otherwise they
/// store the version increased by 1. The check and the write are one atomic step.
///
/// Unique indexes: they hold at the end of each call, not after each of its records. A record may
/// take a value that a later record of the call releases. A store without the capability
/// ``StoreCapability/uniqueExchange`` throws `unsupported` if records exchange values in a cycle.
public protocol EntityStore: Sendable {
    /// The kind of store, for messages, such as `SQLite`.
    var name: String { get }
    /// The capabilities of the store.
    var capabilities: StoreCapabilities { get }

    /// Prepares the store for a schema: creates missing tables and fields, makes compatible
    /// additions, and applies renames.
    ///
    /// Opening the same schema again has no effect.
    ///
    /// - Throws: `schemaMismatch` with all differences. Nothing is written in this case.
    func open(_ schema: StoreSchema) async throws
    /// Returns what ``open(_:)`` would change. Changes nothing, and does not open the store.
    ///
    /// The default implementation throws `unsupported`. A store that implements it treats
    /// ``StoreSchema/opening`` as documented there.
    func migrationPlan(_ schema: StoreSchema) async throws -> MigrationPlan

    /// Stores a new entity. Throws `recordAlreadyExists` or `constraintViolated`.
    func create<E: Entity>(_ entity: E) async throws
    /// Reads an entity. Throws `recordNotFound` or `invalidRecord`.
    func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E
    /// Replaces an entity and returns the stored entity. Throws `recordNotFound`, `versionConflict`
    /// or `constraintViolated`.
    func update<E: Entity>(_ entity: E) async throws -> E
    /// Creates or replaces an entity and returns the stored entity. Throws `versionConflict` or
    /// `constraintViolated`.
    func save<E: Entity>(_ entity: E) async throws -> E
    /// Deletes an entity. Throws `recordNotFound` or `constraintViolated`.
    func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws
    /// Returns whether there is an entity with an id.
    func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool

    /// Stores new entities: all of them or none.
    func createAll<E: Entity>(_ entities: [E]) async throws
    /// Creates or replaces entities: all of them or none. Returns the stored entities in the given
    /// order.
    func saveAll<E: Entity>(_ entities: [E]) async throws -> [E]
    /// Deletes the entities with the given ids that exist: all of them or none. Returns their
    /// number.
    func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int
    /// Deletes all entities of a type. Returns their number.
    func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int

    /// Returns the number of entities of a type.
    func count<E: Entity>(_ type: E.Type) async throws -> Int
    /// Returns all ids of a type, in id order.
    func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID]
    /// Returns up to `limit` entities after an id, in id order; from the first entity if `id` is
    /// nil.
    func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E]
    /// Returns up to `limit` entities of a scan of a declared index, in the order of the scan.
    func find<E: Entity>(_ type: E.Type, _ scan: IndexScan, limit: Int) async throws -> [E]

    /// Returns the plan by which the records of a query are found. The default implementation uses
    /// the runtime's planner.
    ///
    /// A store may choose another access path than the runtime would. The runtime tests every
    /// record found against the whole condition, so an access path that finds too many records is
    /// still correct. One that finds too few is not.
    func plan<E: Entity>(_ query: Query<E>) -> QueryPlan
    /// Returns the entities of a selection, which the store filters, sorts and limits itself, with
    /// exactly the results of ``QueryEvaluator``. Called only if ``plan(_:)`` returned a selection.
    func select<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [E]
    /// Returns the values at the given paths for each entity of a selection, in its order.
    func values<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, at paths: [FieldPath]
    ) async throws -> [[StoredValue]]
    /// Returns the aggregates of a selection: one row per group, ordered by the grouping values,
    /// which are the first columns of the row. Without grouping, returns one row.
    ///
    /// Returns nil if the store cannot compute the result exactly. The runtime then computes it.
    func summary<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ summary: StoreSummary
    ) async throws -> [[StoredValue]]?

    /// Returns a description of how the store answers a selection, in lines: its statement and the
    /// query plan of its database. The lines contain no values.
    func explain<E: Entity>(_ type: E.Type, _ selection: StoreSelection) async throws -> [String]

    /// Returns the greatest integer id that a record of an unmanaged table has had, including
    /// records that were deleted; nil if the database does not remember it.
    ///
    /// A database that gives ids by itself gives none of the following ones afterwards, if it can.
    ///
    /// Called only for entities whose ids the store gives. The default implementation returns nil.
    ///
    /// - Parameters:
    ///   - type: the type of the entities.
    ///   - count: the number of ids after the returned one that the caller uses.
    func lastRememberedID<E: Entity>(
        _ type: E.Type, reserving count: Int
    ) async throws -> Int64?

    /// Returns the records that the store's search index finds: all of those in which the terms of
    /// a search may be found.
    ///
    /// The default implementation returns nil: the store has no such index, and the runtime reads
    /// every record. A store also returns nil while its index does not fit the schema.
    func search<E: Entity>(_ type: E.Type, _ query: SearchQuery) async throws -> SearchHits?

    /// Changes all entities that match a query in one atomic step, and returns their number.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - change: returns the new entity for a stored entity. It leaves the version unchanged; the
    ///     store increases it. It may be called again if the step is retried. If it throws, nothing
    ///     is changed, and its error takes precedence over constraints that other entities violate.
    func updateAll<E: Entity>(
        _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Int

    /// Stores a chunk of the external data of a record. Called only on transactions, after the
    /// record was stored, for contents that it did not have before.
    ///
    /// When the transaction is committed, the chunks are as durable as the record. The store
    /// removes the chunks of a content as soon as no field of the record has it any more: after a
    /// write, a deletion, a reset, or a rollback. The default implementation throws `unsupported`.
    ///
    /// - Parameters:
    ///   - type: the type of the entity.
    ///   - id: the id of the record.
    ///   - content: the value of the field, which identifies the bytes.
    ///   - index: the number of the chunk, from 0. An existing chunk is replaced.
    ///   - chunk: the bytes.
    func writeExternalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int, _ chunk: Data
    ) async throws
    /// Returns a chunk of the external data of a record; nil if the record does not have the
    /// content or the chunk. The default implementation throws `unsupported`.
    func externalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int
    ) async throws -> Data?

    /// Begins a transaction: a store whose changes no one else sees until it is committed.
    ///
    /// If the store allows only one writer at a time, the call waits while another transaction or
    /// write is running. Waiting does not block a thread of the cooperative pool. Called on a
    /// transaction, the method begins a nested transaction.
    func begin() async throws -> any StoreTransaction
    /// Begins a read-only transaction, which sees one state of the store regardless of later
    /// commits. End it with `rollBack`.
    func snapshot() async throws -> any StoreTransaction

    /// The observers of the store, which are notified of commits. The object stays the same for the
    /// lifetime of the store and is shared by its transactions. It also identifies the store.
    var changes: StoreChanges { get }
    /// Returns a value that changes with each commit by another process; nil if no other process
    /// can write or if such commits cannot be detected. Polled while the store has observers.
    ///
    /// A store that knows which records such commits have changed may send these changes to
    /// ``changes`` itself when it is polled, and return the same value.
    func externalState() async throws -> UInt64?

    /// Returns a value that is different after each commit, by this process or another one; nil
    /// while no such value is known. Two equal values mean that nothing was committed in between.
    ///
    /// It takes much less time than a query. The default implementation throws `unsupported`. A
    /// store that implements it declares ``StoreCapability/changeState``.
    func changeState() async throws -> UInt64?

    /// The instrument that receives what the store does; nil if it has none. The default
    /// implementation returns nil.
    var instrument: (any StoreInstrument)? { get }

    /// Rebuilds everything that is derived from the records, including records that other programs
    /// wrote.
    func rebuildIndexes() async throws

    /// Removes a schema: the records of its tables and all stored traces of the schema.
    ///
    /// Other schemas in the store keep their tables. A table that another schema also declares is
    /// kept with its records. If a reset throws, it can be called again and completes the work. If
    /// the process ends during a reset, the next opening of the schema completes it.
    ///
    /// - Parameter schema: the schema, with which the store was opened.
    func reset(_ schema: StoreSchema) async throws

    /// Closes the store: waits for what runs, and releases its threads and file descriptors.
    ///
    /// Operations, transactions and snapshots that have begun are waited for. Operations that wait
    /// for their turn throw `storeClosed`, as does every later call. The store calls
    /// ``StoreChanges/finish()`` on ``changes``. A second call waits for the first one and has no
    /// other effect. The wait does not end when the task is cancelled.
    ///
    /// The default implementation throws `unsupported`. A store that implements the method declares
    /// ``StoreCapability/closing``.
    func close() async throws

    /// Writes a backup of the whole store to a file or folder: one committed state of all tables,
    /// verified, synced to disk, and complete or absent.
    ///
    /// The default implementation throws `unsupported`. A store that implements this method and
    /// ``restore(from:)`` declares ``StoreCapability/backups``.
    ///
    /// - Throws: `databaseError` if the name exists or cannot be written; `CancellationError`.
    func backup(to url: URL) async throws
    /// Restores a backup into the store, which is empty and has opened no schema.
    ///
    /// The default implementation throws `unsupported`.
    ///
    /// - Throws: `storeNotEmpty`; `invalidBackup`; `databaseError`.
    func restore(from url: URL) async throws
    /// Releases disk space and removes what killed processes left.
    ///
    /// The default implementation throws `unsupported`. A store that implements it declares
    /// ``StoreCapability/compaction``.
    func compact() async throws
    /// Checks the records of a schema, which the store has opened, their references and indexes.
    ///
    /// The default implementation uses the other methods of the store.
    ///
    /// - Parameters:
    ///   - schema: the tables to check.
    ///   - repair: whether what is derived from the records is rebuilt if there are problems.
    func check(_ schema: StoreSchema, repair: Bool) async throws -> StoreCheck
}

extension EntityStore {
    /// Returns nil: the store has no search index.
    public func search<E: Entity>(
        _ type: E.Type, _ query: SearchQuery
    ) async throws -> SearchHits? { nil }

    /// Throws `unsupported`: the store has no external data.
    public func writeExternalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int, _ chunk: Data
    ) async throws {
        throw CRUDRepositoryError.unsupported("external data", by: name)
    }

    /// Throws `unsupported`: the store has no external data.
    public func externalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int
    ) async throws -> Data? {
        throw CRUDRepositoryError.unsupported("external data", by: name)
    }

    /// Throws `unsupported`.
    public func changeState() async throws -> UInt64? {
        throw CRUDRepositoryError.unsupported("the state of its changes", by: name)
    }

    /// Throws `unsupported`.
    public func migrationPlan(_ schema: StoreSchema) async throws -> MigrationPlan {
        throw CRUDRepositoryError.unsupported("migration plans", by: name)
    }
}
