internal import RepositoryRuntime

/// The operations that ``ReferenceStore`` and ``ReferenceTransaction`` share.
protocol ReferenceOperations: EntityStore {
    /// Calls a closure with the tables.
    func inspect<R: Sendable>(_ body: @Sendable (ReferenceTables) throws -> R) throws -> R
    /// Calls a closure that modifies the tables. If it throws, the tables are unchanged.
    func change<R: Sendable>(
        _ body: @Sendable (inout ReferenceTables) throws -> R
    ) async throws -> R
}

extension ReferenceOperations {
    func create<E: Entity>(_ entity: E) async throws {
        try await change { try $0.create(entity) }
    }

    func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        let table = E.Mapper.table
        let key = try StoredValue(encoding: id)
        guard let row = try inspect({ $0.rows[table.name]?[key] }) else {
            throw CRUDRepositoryError.recordNotFound(id: id.description, table: table.name)
        }
        return try ReferenceTables.entity(row)
    }

    func update<E: Entity>(_ entity: E) async throws -> E {
        try await change { try $0.update(entity) }
    }

    func save<E: Entity>(_ entity: E) async throws -> E {
        try await change { try $0.save(entity) }
    }

    func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws {
        try await change { tables in
            guard try tables.delete(type, id) else {
                throw CRUDRepositoryError.recordNotFound(
                    id: id.description, table: E.Mapper.table.name)
            }
        }
    }

    func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        let key = try StoredValue(encoding: id)
        return try inspect { $0.rows[E.Mapper.table.name]?[key] != nil }
    }

    func createAll<E: Entity>(_ entities: [E]) async throws {
        try await change { tables in for entity in entities { try tables.create(entity) } }
    }

    func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] {
        try await change { tables in try entities.map { try tables.save($0) } }
    }

    func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        try await change { tables in
            // A record deleted by a cascade of an earlier one counts as deleted, too.
            var seen: Set<E.ID> = []
            let there = try ids.filter { try seen.insert($0).inserted && tables.contains(type, $0) }
            for id in there { _ = try tables.delete(type, id) }
            return there.count
        }
    }

    func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int {
        let ids = try await ids(type)
        return try await deleteAll(type, ids: ids)
    }

    func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try inspect { $0.rows[E.Mapper.table.name]?.count ?? 0 }
    }

    func ids<E: Entity>(_ type: E.Type) async throws -> [E.ID] {
        try all(type).map(\.id)
    }

    func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        let entities = try all(type)
        guard let id else { return Array(entities.prefix(limit)) }
        return Array(entities.drop { !(id < $0.id) }.prefix(limit))
    }

    func find<E: Entity>(_ type: E.Type, _ scan: IndexScan, limit: Int) async throws -> [E] {
        let walk = ReferenceScan(scan, E.Mapper.table)
        let found = try all(type).compactMap { entity -> (place: [StoredValue], entity: E)? in
            let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
            return walk.contains(row) ? (walk.place(of: row), entity) : nil
        }
        return found.sorted { walk.precedes($0.place, $1.place) }.prefix(limit).map(\.entity)
    }

    /// All entities of a type, in id order.
    private func all<E: Entity>(_ type: E.Type) throws -> [E] {
        let rows = try inspect { $0.rows[E.Mapper.table.name] ?? [:] }
        return try rows.values.map { try ReferenceTables.entity($0) as E }
            .sorted { $0.id < $1.id }
    }
}
