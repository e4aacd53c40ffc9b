/// The tables of the schema a store was opened with, and who refers to whom.
///
/// It is used by one thread at a time.
final class StoreTables {
    /// The transaction that is open.
    var running: RunningWrite?
    /// How many transactions were begun.
    var lastNumber = 0
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

    /// Adds the tables of a schema; a table of the same name gives way.
    func add(_ schema: StoreSchema, from source: any TableStorageSource) {
        self.source = source
        for table in schema.tables { names.insert(table.name) }
        for entity in schema.entities { register(entity, source) }
        referrers = [:]
        for table in all {
            for (field, reference) in table.description.keptReferences {
                referrers[reference.table, default: []].append((table, field, reference))
            }
        }
    }

    private func register<E: Entity>(_ type: E.Type, _ source: any TableStorageSource) {
        _ = registered(type, source)
    }

    private func registered<E: Entity>(
        _ type: E.Type, _ source: any TableStorageSource
    ) -> StoreTable<E> {
        if let table = byType[ObjectIdentifier(type)] as? StoreTable<E> { return table }
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

    /// Forgets all tables.
    func removeAll() {
        byType = [:]
        byName = [:]
        referrers = [:]
        names = []
        source = nil
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
        return registered(type, source)
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
