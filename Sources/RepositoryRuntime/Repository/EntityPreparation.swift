/// What happens to an entity before a store sees it, the same for every store.
enum EntityPreparation {
    /// Stamps, rounds and validates an entity, and gives a new one its first version.
    static func prepare<E: Entity>(_ entity: E, for write: WriteContext) throws -> E {
        var prepared = entity
        do {
            try E.Mapper.prepare(&prepared, for: write)
            try ItemRules.check(prepared)
            if write.operation == .create { E.Mapper.setVersion(1, of: &prepared) }
            return prepared
        } catch var error as CRUDRepositoryError {
            error.id = error.id ?? entity.id.description
            error.table = error.table ?? E.Mapper.table.name
            throw error
        }
    }
}
