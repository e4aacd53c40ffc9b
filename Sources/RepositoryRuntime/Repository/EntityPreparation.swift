/// Prepares entities for a write. It runs in front of every store, so that all stores write the
/// same values.
enum EntityPreparation {
    /// Sets timestamps, rounds and validates an entity. A new entity gets its first version.
    static func prepare<E: Entity>(_ entity: E, for write: WriteContext) throws -> E {
        try prepare(entity, for: write, TableRules(E.Mapper.table))
    }

    /// Prepares several entities.
    static func prepareAll<E: Entity>(
        _ entities: some Collection<E>, for write: WriteContext
    ) throws -> [E] {
        let rules = TableRules(E.Mapper.table)
        return try entities.map { try prepare($0, for: write, rules) }
    }

    /// Prepares an entity with the rules of its table, which the caller has built once for several
    /// entities.
    static func prepare<E: Entity>(
        _ entity: E, for write: WriteContext, _ rules: TableRules
    ) throws -> E {
        var prepared = entity
        try check(entity.id)
        do {
            try E.Mapper.prepare(&prepared, for: write)
            // SQLite keeps no sign of zero.
            if try rules.items.check(prepared) { prepared = try withoutNegativeZero(prepared) }
            if write.operation == .create { E.Mapper.setVersion(1, of: &prepared) }
            try rules.testChecks(of: prepared)
            return prepared
        } catch var error as CRUDRepositoryError {
            error.id = error.id ?? entity.id.description
            error.table = error.table ?? E.Mapper.table.name
            throw error
        }
    }

    /// The entity with zero wherever it holds negative zero.
    private static func withoutNegativeZero<E: Entity>(_ entity: E) throws -> E {
        let values = try StoredValueEncoder.values(of: entity, E.Mapper.self)
        var fields = StoredValueDecoder(
            values.map(\.withoutNegativeZero), layout: E.Mapper.layout)
        return try E.Mapper.decode(from: &fields)
    }

    /// Checks that a record can be stored under an id.
    ///
    /// - Throws: `invalidIdentifier`.
    static func check<ID: EntityIdentifier>(_ id: ID) throws {
        guard let reason = id.invalidReason else { return }
        throw CRUDRepositoryError.invalidIdentifier(id.description, reason: reason)
    }
}

/// The rules that a table imposes on its records. Building them has a cost, so a batch builds them
/// once.
struct TableRules: Sendable {
    /// The rules of the fields.
    let items: ItemRules
    /// The table, if it has checks; nil otherwise.
    private let checked: EntityTable?

    init(_ table: EntityTable) {
        items = ItemRules(table)
        checked = table.checks.isEmpty ? nil : table
    }

    /// Evaluates the checks of the table on an entity that is about to be stored.
    func testChecks<E: Entity>(of entity: E) throws {
        guard let checked else { return }
        let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
        try checked.testChecks(of: row, id: entity.id.description)
    }
}
