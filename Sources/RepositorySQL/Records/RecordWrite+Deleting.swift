internal import RepositoryRuntime
internal import RepositorySQLCore

/// Deletions, and the rules of the references to what they delete.
extension RecordWrite {
    /// A record that a call has deleted.
    private struct Removed {
        let plan: TablePlan
        let key: [SQLValue]
        let id: String
    }

    /// Deletes an entity and applies the rules of the references to it.
    ///
    /// - Returns: whether it existed.
    func delete<E: Entity>(_ type: E.Type, _ id: E.ID) throws -> Bool {
        let plan = try plans.plan(E.Mapper.table.name)
        return try delete(try RecordEncoder.parameters(of: id, plan), id.description, plan)
    }

    /// Deletes the entities with ids that exist.
    ///
    /// - Returns: their number.
    func deleteAll<E: Entity>(_ type: E.Type, _ ids: [E.ID]) throws -> Int {
        let plan = try plans.plan(E.Mapper.table.name)
        // Those that a rule deletes with another one count as well.
        let there = try Set(ids).filter { id in
            let key = try RecordEncoder.parameters(of: id, plan)
            return try !session.query(plan.texts.exists, key).isEmpty
        }
        for id in there { _ = try delete(type, id) }
        return there.count
    }

    /// Deletes all entities of a type.
    ///
    /// - Returns: their number.
    func deleteAll<E: Entity>(_ type: E.Type) throws -> Int {
        let plan = try plans.plan(E.Mapper.table.name)
        guard !plan.referrers.isEmpty else {
            let count = Int(try session.integer(plan.texts.count) ?? 0)
            try session.execute(plan.texts.deleteAll)
            if let chunks = plan.chunks { try session.execute(chunks.deleteAll) }
            if count > 0 { pending.log.addUnknown(plan.table.name) }
            return count
        }
        // A deletion may reach others of the same table, which count as well.
        let keys = try session.query(plan.texts.ids)
        for key in keys { _ = try delete(key, idText(key, plan), plan) }
        return keys.count
    }

    private func delete(_ key: [SQLValue], _ id: String, _ plan: TablePlan) throws -> Bool {
        guard try !session.query(plan.texts.exists, key).isEmpty else { return false }
        try remove(key, id, plan)
        // A list instead of recursion, so that a long chain of references needs no deep stack.
        var removed = [Removed(plan: plan, key: key, id: id)]
        while let record = removed.popLast() {
            for referrer in record.plan.referrers {
                let other = try plans.plan(referrer.table)
                switch referrer.reference.onDelete {
                case .none: break
                case .restrict:
                    pending.freed.append(
                        PendingChecks.Freed(
                            table: record.plan.table.name, key: record.key, id: record.id,
                            referrer: referrer))
                case .cascade:
                    for key in try keys(referrer.reference, to: record.key, other) {
                        let id = idText(key, other)
                        try remove(key, id, other)
                        removed.append(Removed(plan: other, key: key, id: id))
                    }
                case .setNull: try clear(referrer.reference, to: record, other)
                }
            }
        }
        return true
    }

    /// Deletes a record with its external data.
    private func remove(_ key: [SQLValue], _ id: String, _ plan: TablePlan) throws {
        try session.execute(plan.texts.delete, key)
        if let chunks = plan.chunks { try session.execute(chunks.deleteRecord, key) }
        pending.log.add(plan.table.name, id: id)
    }

    /// Returns the ids of the records that refer to a target.
    private func keys(
        _ reference: SQLReference, to target: [SQLValue], _ plan: TablePlan
    ) throws -> [[SQLValue]] {
        let dialect = plan.dialect
        return try session.query(
            "SELECT \(dialect.list(plan.table.keyNames)) FROM \(dialect.quoted(plan.table.name)) WHERE \(condition(reference.columns, from: 1, dialect))",
            target)
    }

    /// Returns the condition that columns have the values of consecutive parameters.
    private func condition(
        _ columns: [String], from number: Int, _ dialect: DriverDialect
    ) -> String {
        columns.enumerated().map {
            "\(dialect.quoted($1)) = \(dialect.placeholder(number + $0))"
        }.joined(separator: " AND ")
    }

    /// Sets a reference to null in all records in which it leads to a target.
    ///
    /// - Throws: `constraintViolated` if a record without the reference breaks a check or a unique
    ///   index.
    private func clear(
        _ reference: SQLReference, to record: Removed, _ plan: TablePlan
    ) throws {
        let dialect = plan.dialect
        let values = reference.columns.map { "\(dialect.quoted($0)) = NULL" }
        let update =
            "UPDATE \(dialect.quoted(plan.table.name)) SET \(values.joined(separator: ", ")) WHERE \(condition(plan.table.keyNames, from: 1, dialect))"
        for key in try keys(reference, to: record.key, plan) {
            let id = idText(key, plan)
            do {
                if let type = plan.entity {
                    try requireClearable(type, reference.field, key, id, plan)
                }
            } catch let error as CRUDRepositoryError where error.constraint != nil {
                throw CRUDRepositoryError.held(
                    record.id, in: record.plan.table.name, by: error, through: reference.field,
                    of: plan.table.entity)
            }
            try session.execute(update, key)
            pending.log.add(plan.table.name, id: id)
        }
    }

    /// Checks that a record without a reference breaks no check and no unique index.
    private func requireClearable<E: Entity>(
        _ type: E.Type, _ field: Int, _ key: [SQLValue], _ id: String, _ plan: TablePlan
    ) throws {
        let table = plan.table.entity
        let isUnique = table.indexes.contains { $0.isUnique && $0.condition != nil }
        guard isUnique || !table.checks.isEmpty, let row = try stored(key, plan) else { return }
        let entity: E
        do {
            entity = try RecordRows.entity(type, row, plan.table, session)
        } catch is RecordDecodingError {
            // What cannot be read breaks no rule.
            return
        }
        var values = try StoredValueEncoder.values(of: entity, E.Mapper.self)
        values[field] = .null
        try table.testChecks(of: values, id: id)
        guard isUnique else { return }
        let unique = UniqueValues<E>(session, plan)
        if let index = try unique.conflict(values, of: entity.id) {
            throw table.notUnique(index, id: id)
        }
    }

    /// Returns an id as text.
    private func idText(_ key: [SQLValue], _ plan: TablePlan) -> String {
        let values = zip(plan.table.key, key).map { column, value in
            (try? plan.table.columns[column].form.value(value)) ?? .null
        }
        return values.identifierText
    }
}
