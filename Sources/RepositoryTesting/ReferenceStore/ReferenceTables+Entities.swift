internal import RepositoryRuntime

extension ReferenceTables {
    /// The entity of a row.
    static func entity<E: Entity>(_ row: Row) throws -> E {
        var fields = StoredValueDecoder(row, layout: E.Mapper.layout)
        return try E.Mapper.decode(from: &fields)
    }

    /// Stores a new entity.
    mutating func create<E: Entity>(_ entity: E) throws {
        let table = E.Mapper.table
        guard rows[table.name]?[try StoredValue(encoding: entity.id)] == nil else {
            throw CRUDRepositoryError.recordAlreadyExists(
                id: entity.id.description, table: table.name)
        }
        try put(entity)
    }

    /// Replaces an entity; returns what is stored.
    mutating func update<E: Entity>(_ entity: E) throws -> E {
        let table = E.Mapper.table
        guard let row = rows[table.name]?[try StoredValue(encoding: entity.id)] else {
            throw CRUDRepositoryError.recordNotFound(id: entity.id.description, table: table.name)
        }
        var changed = entity
        if let read = E.Mapper.version(of: entity) {
            let stored: E = try Self.entity(row)
            let version = E.Mapper.version(of: stored) ?? 0
            guard read == version else {
                throw CRUDRepositoryError.versionConflict(
                    id: entity.id.description, table: table.name, expected: read, stored: version)
            }
            E.Mapper.setVersion(version + 1, of: &changed)
        }
        try put(changed)
        return changed
    }

    /// Creates or replaces an entity; returns what is stored.
    mutating func save<E: Entity>(_ entity: E) throws -> E {
        guard rows[E.Mapper.table.name]?[try StoredValue(encoding: entity.id)] == nil else {
            return try update(entity)
        }
        var new = entity
        E.Mapper.setVersion(1, of: &new)
        try put(new)
        return new
    }

    /// Whether there is an entity of this id.
    func contains<E: Entity>(_ type: E.Type, _ id: E.ID) throws -> Bool {
        rows[E.Mapper.table.name]?[try StoredValue(encoding: id)] != nil
    }

    /// Deletes an entity; returns whether it was there.
    mutating func delete<E: Entity>(_ type: E.Type, _ id: E.ID) throws -> Bool {
        let table = E.Mapper.table
        let key = try StoredValue(encoding: id)
        guard rows[table.name]?[key] != nil else { return false }
        try remove(table, key, id: id.description)
        return true
    }

    private mutating func put<E: Entity>(_ entity: E) throws {
        try put(
            StoredValueEncoder.values(of: entity, E.Mapper.self),
            tables[E.Mapper.table.name] ?? E.Mapper.table,
            id: entity.id.description)
    }
}
