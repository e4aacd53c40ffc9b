/// Prepares entities for a write. It runs in front of every store, so that all stores write the
/// same values.
enum EntityPreparation {
    /// Sets timestamps, rounds and validates an entity. A new entity gets its first version.
    ///
    /// - Throws: `invalidItem` or `invalidIdentifier` with all broken rules of the entity.
    static func prepare<E: Entity>(_ entity: E, for write: WriteContext) throws -> E {
        let rules = TableRules(E.Mapper.table)
        do {
            return try prepareFirst(entity, for: write, rules)
        } catch let error as CRUDRepositoryError {
            throw error.listing(rulesBrokenBy: CollectionOfOne(entity), from: 0, for: write, rules)
        }
    }

    /// Prepares several entities.
    ///
    /// - Throws: `invalidItem` or `invalidIdentifier` with all broken rules of all entities.
    static func prepareAll<E: Entity>(
        _ entities: some Collection<E>, for write: WriteContext
    ) throws -> [E] {
        let rules = TableRules(E.Mapper.table)
        var prepared: [E] = []
        prepared.reserveCapacity(entities.count)
        do {
            for entity in entities { prepared.append(try prepareFirst(entity, for: write, rules)) }
            return prepared
        } catch let error as CRUDRepositoryError {
            let valid = prepared.count
            throw error.listing(
                rulesBrokenBy: entities.dropFirst(valid), from: valid, for: write, rules)
        }
    }

    /// Prepares a stored entity that a call changes, with the rules of its table, which the caller
    /// has built once for several entities.
    ///
    /// - Throws: `invalidItem` or `invalidIdentifier` with all broken rules of the entity.
    static func prepare<E: Entity>(
        _ entity: E, for write: WriteContext, _ rules: TableRules
    ) throws -> E {
        do {
            return try prepareFirst(entity, for: write, rules)
        } catch let error as CRUDRepositoryError {
            throw error.listing(
                rulesBrokenBy: CollectionOfOne(entity), from: nil, for: write, rules)
        }
    }

    /// Prepares an entity. Throws the first broken rule.
    private static func prepareFirst<E: Entity>(
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

    /// Returns the errors of all broken rules of an entity, in the order in which
    /// ``prepareFirst(_:for:_:)`` finds them.
    fileprivate static func brokenRules<E: Entity>(
        of entity: E, for write: WriteContext, _ rules: TableRules
    ) -> [CRUDRepositoryError] {
        var found: [CRUDRepositoryError] = []
        /// Keeps a broken rule. The error of a user's type says nothing about a rule; it is thrown
        /// alone when no rule is broken any more.
        func collect(_ body: () throws -> Void) {
            do {
                try body()
            } catch {
                if let error = error as? CRUDRepositoryError { found.append(error) }
            }
        }
        collect { try check(entity.id) }
        let hasInvalidID = !found.isEmpty
        var prepared = entity
        let collector = ViolationCollector()
        collect {
            try E.Mapper.prepare(
                &prepared, for: WriteContext(write, collecting: collector))
        }
        found.insert(contentsOf: collector.all, at: hasInvalidID ? 1 : 0)
        collect {
            let table = E.Mapper.table
            let key = hasInvalidID && table.key.count == 1 ? table.layout.fields[table.key[0]] : nil
            let broken = try rules.items.violations(of: prepared)
            // The id has been reported already.
            found += broken.filter { key == nil || $0.field != key?.name }
            if broken.isEmpty, try rules.items.check(prepared) {
                prepared = try withoutNegativeZero(prepared)
            }
        }
        if write.operation == .create { E.Mapper.setVersion(1, of: &prepared) }
        collect { found += try rules.brokenChecks(of: prepared) }
        return found
    }

    /// The entity with zero wherever it holds negative zero.
    private static func withoutNegativeZero<E: Entity>(_ entity: E) throws -> E {
        let values = try StoredValueEncoder.values(of: entity, E.Mapper.self)
        var fields = StoredValueDecoder(
            values.map(\.withoutNegativeZero), layout: E.Mapper.layout)
        return try E.Mapper.decode(from: &fields).withBytes(of: entity)
    }

    /// Checks that a record can be stored under an id.
    ///
    /// - Throws: `invalidIdentifier`.
    static func check<ID: EntityIdentifier>(_ id: ID) throws {
        guard let reason = id.invalidReason else { return }
        throw CRUDRepositoryError.invalidIdentifier(id.description, reason: reason)
    }
}

extension CRUDRepositoryError {
    /// Returns this error with all broken rules of the items of a call.
    ///
    /// - Parameters:
    ///   - entities: the items, starting with the one that this error is about.
    ///   - first: the position of the first item in the call; nil if the items were not passed in
    ///     the call.
    ///   - write: the write.
    ///   - rules: the rules of the table.
    func listing<E: Entity>(
        rulesBrokenBy entities: some Collection<E>, from first: Int?, for write: WriteContext,
        _ rules: TableRules
    ) -> Self {
        guard code == .invalidItem || code == .invalidIdentifier else { return self }
        let table = E.Mapper.table
        var all: [Violation] = []
        for (offset, entity) in entities.enumerated() {
            for error in EntityPreparation.brokenRules(of: entity, for: write, rules) {
                all.append(
                    error.violation(
                        at: first.map { $0 + offset }, id: entity.id.description, in: table))
            }
        }
        return listing(all)
    }

    /// Returns the violation that this error is about.
    private func violation(at index: Int?, id: String, in table: EntityTable) -> Violation {
        if var violation = violations.first {
            violation.index = index
            violation.id = id
            return violation
        }
        let key = table.key.count == 1 ? table.layout.fields[table.key[0]].name : nil
        return Violation(
            index: index, id: id, field: code == .invalidIdentifier ? key : field,
            rule: code == .invalidIdentifier ? .id : .storable, message: message)
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

    /// Returns the errors of all checks that an entity violates.
    func brokenChecks<E: Entity>(of entity: E) throws -> [CRUDRepositoryError] {
        guard let checked else { return [] }
        let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
        return checked.checks.filter { !$0.condition.matches(row) }.map {
            checked.broken($0, id: entity.id.description)
        }
    }
}
