/// The tables of the schema a store was opened with, and who refers to whom.
///
/// It is used by one thread at a time.
final class StoreTables {
    private var byType: [ObjectIdentifier: any AnyStoreTable] = [:]
    private var byName: [String: any AnyStoreTable] = [:]
    private var referrers:
        [String: [(table: any AnyStoreTable, field: Int, reference: TableReference)]] = [:]

    /// All tables.
    var all: [any AnyStoreTable] { Array(byName.values) }

    /// Adds the tables of a schema; a table of the same name gives way.
    func add(_ schema: StoreSchema, from source: some TableStorageSource) {
        for entity in schema.entities { add(entity, source) }
        referrers = [:]
        for table in all {
            for (field, reference) in table.description.keptReferences {
                referrers[reference.table, default: []].append((table, field, reference))
            }
        }
    }

    private func add<E: Entity>(_ type: E.Type, _ source: some TableStorageSource) {
        if byType[ObjectIdentifier(type)] != nil { return }
        let table = StoreTable<E>(source.storage(type))
        byType = byType.filter { $0.value.description.name != E.Mapper.table.name }
        byType[ObjectIdentifier(type)] = table
        byName[E.Mapper.table.name] = table
    }

    /// Checks that a schema can be kept.
    ///
    /// - Throws: `unsupported` for a schema of tables without entities.
    static func check(_ schema: StoreSchema, for store: String) throws {
        guard schema.entities.isEmpty, !schema.tables.isEmpty else { return }
        throw CRUDRepositoryError.unsupported("a schema that does not name its entities", by: store)
    }

    /// Forgets all tables.
    func removeAll() {
        byType = [:]
        byName = [:]
        referrers = [:]
    }

    /// The table of an entity.
    ///
    /// - Throws: `unsupported` for an entity that is not of the schema the store was opened with.
    func table<E: Entity>(_ type: E.Type) throws -> StoreTable<E> {
        guard let table = byType[ObjectIdentifier(type)] as? StoreTable<E> else {
            throw CRUDRepositoryError.unsupported(
                "the entity \(E.Mapper.table.entity), which is not of the schema it was opened with",
                by: "The store")
        }
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

    /// Runs a body that changes records, all or none.
    ///
    /// - Parameter commit: makes the changes that were staged last; until then nothing is stored.
    func write<R>(
        _ body: (StoreWrite) throws -> R, commit: () throws -> Void
    ) throws -> R {
        let write = StoreWrite(self)
        do {
            let result = try body(write)
            try write.checkReferences()
            for table in all { try table.stage() }
            try commit()
            for table in all { table.finish() }
            return result
        } catch {
            write.undoAll()
            for table in all { table.abandon() }
            throw error
        }
    }

    /// Runs a body that looks at indexes.
    func look<R>(_ body: () throws -> R) rethrows -> R {
        defer { for table in all { table.abandon() } }
        return try body()
    }
}
