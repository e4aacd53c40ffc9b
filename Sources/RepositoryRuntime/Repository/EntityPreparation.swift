/// What happens to an entity before a store sees it, the same for every store.
enum EntityPreparation {
    /// Stamps, rounds and validates an entity, and gives a new one its first version.
    static func prepare<E: Entity>(_ entity: E, for write: WriteContext) throws -> E {
        var prepared = entity
        try check(entity.id)
        do {
            try E.Mapper.prepare(&prepared, for: write)
            try ItemRules.check(prepared)
            if write.operation == .create { E.Mapper.setVersion(1, of: &prepared) }
            try testChecks(of: prepared)
            return prepared
        } catch var error as CRUDRepositoryError {
            error.id = error.id ?? entity.id.description
            error.table = error.table ?? E.Mapper.table.name
            throw error
        }
    }

    /// Tests the checks of the table on what is about to be stored.
    private static func testChecks<E: Entity>(of entity: E) throws {
        let table = E.Mapper.table
        if table.checks.isEmpty { return }
        let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
        try table.testChecks(of: row, id: entity.id.description)
    }

    /// Checks that a record can be stored under an id.
    ///
    /// - Throws: `invalidIdentifier`.
    static func check<ID: EntityIdentifier>(_ id: ID) throws {
        guard let defect = id.defect else { return }
        throw CRUDRepositoryError.invalidIdentifier(id.description, reason: defect)
    }
}
