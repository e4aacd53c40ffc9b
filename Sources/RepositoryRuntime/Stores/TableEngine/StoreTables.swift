/// The tables of the schema a store was opened with, and who refers to whom.
///
/// It is used by one thread at a time.
final class StoreTables {
    /// The transaction that is open.
    var running: RunningWrite?
    /// How many transactions were begun.
    var lastNumber = 0
    /// The sets that are open, by name, in a store that keeps no description elsewhere.
    var schemas: [String: StoreSchema] = [:]
    /// The names of all tables, whether or not their entities are known.
    private(set) var names: Set<String> = []
    private var source: (any TableStorageSource)?
    private var byType: [ObjectIdentifier: any AnyStoreTable] = [:] {
        didSet { last = nil }
    }
    /// The table that was asked for last: often it is asked for again.
    private var last: (type: ObjectIdentifier, table: any AnyStoreTable)?
    private var byName: [String: any AnyStoreTable] = [:]
    private var referrers:
        [String: [(table: any AnyStoreTable, field: Int, reference: TableReference)]] = [:]

    /// All tables.
    var all: [any AnyStoreTable] { Array(byName.values) }

    /// Adds the tables of a schema. A table of the same name in another Swift type gives way.
    ///
    /// - Throws: `unsupported` where that type is in use by an open transaction.
    func add(_ schema: StoreSchema, from source: any TableStorageSource) throws {
        self.source = source
        for entity in schema.entities { try register(entity, source) }
        for table in schema.tables { names.insert(table.name) }
        findReferrers()
    }

    private func findReferrers() {
        referrers = [:]
        for table in all {
            for (field, reference) in table.description.keptReferences {
                referrers[reference.table, default: []].append((table, field, reference))
            }
        }
    }

    private func register<E: Entity>(
        _ type: E.Type, _ source: any TableStorageSource
    ) throws {
        _ = try registered(type, source)
    }

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

    /// Checks that a schema can be kept.
    ///
    /// - Throws: `unsupported` for a schema of tables alone in which one refers to another.
    static func check(_ schema: StoreSchema, for store: String) throws {
        if let name = schema.tables.map(\.name).first(where: {
            DocumentIndexNames.table(of: $0) != nil
        }) {
            throw CRUDRepositoryError.unsupported("a table of the name '\(name)'", by: store)
        }
        guard schema.entities.isEmpty,
            schema.tables.contains(where: { !$0.keptReferences.isEmpty })
        else { return }
        throw CRUDRepositoryError.unsupported(
            "references in a schema that does not name its entities", by: store)
    }

    /// Forgets the tables of a schema that others do not have.
    func remove(_ schema: StoreSchema, except others: some Sequence<StoreSchema>) {
        let kept = Set(others.flatMap { $0.tables.map(\.name) })
        let gone = Set(schema.tables.map(\.name)).subtracting(kept)
        byType = byType.filter { !gone.contains($0.value.description.name) }
        byName = byName.filter { !gone.contains($0.key) }
        names.subtract(gone)
        findReferrers()
    }

    /// The table of an entity.
    ///
    /// - Throws: `unsupported` for an entity that is not of the schema the store was opened with.
    func table<E: Entity>(_ type: E.Type) throws -> StoreTable<E> {
        // What stands under a type is its table: see `registered`. A cast would look that up for every read.
        if let last, last.type == ObjectIdentifier(type) {
            return unsafeDowncast(last.table, to: StoreTable<E>.self)
        }
        if let table = byType[ObjectIdentifier(type)] {
            last = (ObjectIdentifier(type), table)
            return unsafeDowncast(table, to: StoreTable<E>.self)
        }
        guard let source, names.contains(E.Mapper.table.name) else {
            throw CRUDRepositoryError.unsupported(
                "the entity \(E.Mapper.table.entity), which is not of the schema it was opened with",
                by: "The store")
        }
        // The schema was made of tables alone.
        let table = try registered(type, source)
        findReferrers()
        return table
    }

    /// The table of a name.
    func table(named name: String) -> (any AnyStoreTable)? { byName[name] }

    /// The fields that refer to a table and the rules they keep.
    func referrers(
        to name: String
    ) -> [(table: any AnyStoreTable, field: Int, reference: TableReference)] {
        referrers[name] ?? []
    }
}
