/// The tables of the schemas with which a store was opened, and the references between them.
///
/// The registry also holds the open transaction, of which there is at most one. It is not
/// thread-safe: the store uses it from one thread at a time.
final class StoreTables {
    /// The open transaction.
    var running: RunningWrite?
    /// The number of transactions begun so far. It is also the number of the latest transaction.
    var lastNumber = 0
    /// The open schemas by name, for stores that keep no schema description elsewhere.
    var schemas: [String: StoreSchema] = [:]
    /// Whether the store was closed.
    private(set) var isClosed = false
    /// Whether a store in memory is being closed: reads throw, but not those of its transaction.
    var refusesReads = false
    /// The names of all tables, whether or not their entity types are known.
    private(set) var names: Set<String> = []
    /// Creates the storage of a table on demand; nil until the first schema is added.
    private var source: (any TableStorageSource)?
    /// The registered tables by entity type. A change invalidates the cached last lookup.
    private var byType: [ObjectIdentifier: any AnyStoreTable] = [:] {
        didSet { (last, found) = (nil, [:]) }
    }
    /// The table returned by the last lookup. Consecutive calls often use the same table.
    private var last: FoundTable?
    /// The tables returned by earlier lookups.
    private var found: [ObjectIdentifier: FoundTable] = [:]
    /// The registered tables by name.
    private var byName: [String: any AnyStoreTable] = [:]
    /// For each table name, the reference fields of all tables that refer to it. Derived from the
    /// registered tables.
    private var referrers:
        [String: [(table: any AnyStoreTable, field: Int, reference: TableReference)]] = [:]

    /// All registered tables.
    var all: [any AnyStoreTable] { Array(byName.values) }

    /// Adds the tables of a schema. A table registered under the same name with another Swift type
    /// is replaced.
    ///
    /// - Throws: `unsupported` if a transaction is open and the name is registered with another
    ///   Swift type.
    func add(_ schema: StoreSchema, from source: any TableStorageSource) throws {
        self.source = source
        for entity in schema.entities { try register(entity, source) }
        for table in schema.tables { names.insert(table.name) }
        findReferrers()
    }

    /// Recomputes `referrers` after the set of registered tables has changed.
    private func findReferrers() {
        referrers = [:]
        for table in all {
            for (field, reference) in table.description.keptReferences {
                referrers[reference.table, default: []].append((table, field, reference))
            }
        }
    }

    /// Registers the table of an entity type. A separate function opens the existential of
    /// ``StoreSchema/entities``.
    private func register<E: Entity>(
        _ type: E.Type, _ source: any TableStorageSource
    ) throws {
        _ = try registered(type, source)
    }

    /// Returns the registered table of an entity type, and registers it first if necessary.
    ///
    /// The type-erased entry in `byType` under an entity type is always a `StoreTable` of that
    /// type; ``table(_:)`` relies on it.
    private func registered<E: Entity>(
        _ type: E.Type, _ source: any TableStorageSource
    ) throws -> StoreTable<E> {
        if let table = byType[ObjectIdentifier(type)] as? StoreTable<E> { return table }
        if byName[E.Mapper.table.name] != nil, running != nil {
            throw CRUDRepositoryError.unsupported(
                "the table '\(E.Mapper.table.name)' in two Swift types within one transaction",
                by: "The store")
        }
        let table = StoreTable<E>(source.storage(type))
        byType = byType.filter { $0.value.description.name != E.Mapper.table.name }
        byType[ObjectIdentifier(type)] = table
        byName[E.Mapper.table.name] = table
        return table
    }

    /// Checks that the engine can store a schema.
    ///
    /// - Throws: `unsupported` if a table name is reserved for the collections of indexes,
    ///   external data and migrations, or if the schema has tables only, without entities, and one table refers to
    ///   another.
    static func check(_ schema: StoreSchema, for store: String) throws {
        if let name = schema.tables.map(\.name).first(where: {
            DocumentIndexNames.table(of: $0) != nil || BesideNames.isBeside($0)
                || ExternalDataNames.table(of: $0) != nil
        }) {
            throw CRUDRepositoryError.unsupported("a table of the name '\(name)'", by: store)
        }
        guard schema.entities.isEmpty,
            schema.tables.contains(where: { !$0.keptReferences.isEmpty })
        else { return }
        throw CRUDRepositoryError.unsupported(
            "references in a schema that does not name its entities", by: store)
    }

    /// Removes the tables of a schema, except those that other schemas also contain.
    ///
    /// The storage of a removed table is released, and its records with it if they are in memory.
    func remove(_ schema: StoreSchema, except others: some Sequence<StoreSchema>) {
        let kept = Set(others.flatMap { $0.tables.map(\.name) })
        let gone = Set(schema.tables.map(\.name)).subtracting(kept)
        byType = byType.filter { !gone.contains($0.value.description.name) }
        byName = byName.filter { !gone.contains($0.key) }
        names.subtract(gone)
        findReferrers()
    }

    /// Throws if the store is being closed.
    ///
    /// - Throws: `storeClosed`.
    @inline(__always)
    func requireOpen() throws { if refusesReads { throw CRUDRepositoryError.storeClosed } }

    /// Removes all tables, because the store is closed.
    ///
    /// A store in memory releases its records.
    func close() {
        isClosed = true
        (byType, byName, referrers) = ([:], [:], [:])
        (names, schemas, source) = ([], [:], nil)
    }

    /// Returns the table of an entity.
    ///
    /// If the schema was given without entity types, the table is registered on first use.
    ///
    /// - Throws: `unsupported` if the entity is not part of the schema with which the store was
    ///   opened; `storeClosed`.
    func table<E: Entity>(_ type: E.Type) throws -> StoreTable<E> {
        // `registered` guarantees that the entry under a type is the table of that type. A checked
        // cast would look the type up on every read.
        if let found = foundTable(ObjectIdentifier(type)) {
            return unsafeDowncast(found.table, to: StoreTable<E>.self)
        }
        guard let source, names.contains(E.Mapper.table.name) else {
            if isClosed { throw CRUDRepositoryError.storeClosed }
            throw CRUDRepositoryError.unsupported(
                "the entity \(E.Mapper.table.entity), which is not of the schema it was opened with",
                by: "The store")
        }
        // The schema lists tables without entities, so the table is registered on first use.
        let table = try registered(type, source)
        findReferrers()
        return table
    }

    /// Returns the registered table of an entity type, in code that is not generic over the type;
    /// nil if there is none.
    @inline(__always)
    func foundTable(_ type: ObjectIdentifier) -> FoundTable? {
        if let last, last.type == type { return last }
        last = found[type] ?? newlyFound(type)
        return last
    }

    /// Returns the registered table of an entity type at its first lookup.
    private func newlyFound(_ type: ObjectIdentifier) -> FoundTable? {
        guard let table = byType[type] else { return nil }
        let new = FoundTable(type, table)
        found[type] = new
        return new
    }

    /// Returns the table with a name; nil if no entity is registered for it.
    func table(named name: String) -> (any AnyStoreTable)? { byName[name] }

    /// Returns the fields that refer to a table, each with its table and its reference rule.
    func referrers(
        to name: String
    ) -> [(table: any AnyStoreTable, field: Int, reference: TableReference)] {
        referrers[name] ?? []
    }
}

/// A table that was looked up, with what reads in memory need of it.
///
/// It is an object, so that a lookup retains it alone.
final class FoundTable {
    /// The entity type.
    let type: ObjectIdentifier
    /// The table.
    let table: any AnyStoreTable
    /// Its committed storage.
    let storage: AnyObject
    /// The key layouts of its indexes.
    let forms: TableIndexForms

    init(_ type: ObjectIdentifier, _ table: any AnyStoreTable) {
        self.type = type
        self.table = table
        storage = table.anyStorage
        forms = table.forms
    }
}
