internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Finds the records that share the values of a unique index.
struct UniqueValues<E: Entity> {
    private let session: Session
    private let plan: TablePlan

    init(_ session: Session, _ plan: TablePlan) {
        self.session = session
        self.plan = plan
    }

    /// Returns the unique index in which a stored record has the same values as another one; nil if
    /// there is none. Nulls never collide.
    ///
    /// - Parameters:
    ///   - row: the values of the record, by field.
    ///   - id: the id of the record.
    ///   - isLeftOut: whether a stored record does not count.
    func conflict(
        _ row: [StoredValue], of id: E.ID, except isLeftOut: (E.ID) -> Bool = { _ in false }
    ) throws -> TableIndex? {
        for index in plan.table.entity.indexes where index.isUnique {
            guard let key = key(of: row, index) else { continue }
            let conditions = zip(index.keys, key).map {
                ConditionTree.compare(plan.table.entity.comparable($0.path), .equal, $1)
            }
            let (selection, _) = plan.table.selection(conditions, plan.dialect)
            guard let query = plan.table.select(selection, plan.dialect) else { continue }
            for other in try RecordRows.all(
                E.self, session.query(query), plan.table, session)
            where other.id != id && !isLeftOut(other.id) {
                let values = try StoredValueEncoder.values(of: other, E.Mapper.self)
                if self.key(of: values, index) == key { return index }
            }
        }
        return nil
    }

    /// Returns the first entity of a call that shares the values of a unique index with an earlier
    /// one or with a stored record that the call does not replace, and the index; nil if there is
    /// none.
    func collision(_ entities: [E]) throws -> (entity: E, index: TableIndex)? {
        // If several entities have the same id, the last one is stored.
        let last = Dictionary(entities.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        var seen: [TableIndex: [[StoredValue]: E.ID]] = [:]
        for entity in entities {
            guard let stored = last[entity.id] else { continue }
            let row = try StoredValueEncoder.values(of: stored, E.Mapper.self)
            for index in plan.table.entity.indexes where index.isUnique {
                guard let key = key(of: row, index) else { continue }
                if let other = seen[index]?[key], other != stored.id { return (entity, index) }
                seen[index, default: [:]][key] = stored.id
            }
            if let index = try conflict(row, of: stored.id, except: { last[$0] != nil }) {
                return (entity, index)
            }
        }
        return nil
    }

    /// Returns the values of an index, folded where it ignores case; nil if the index does not
    /// contain the record, or if one of them is null.
    private func key(of row: [StoredValue], _ index: TableIndex) -> [StoredValue]? {
        guard index.covers(row) else { return nil }
        let key = index.keys.map { key in
            let value = key.path.value(in: row)
            guard plan.table.entity.ignoresCase(key.field), case .text(let text) = value else {
                return value
            }
            return StoredValue.text(CaseFolding.folded(text))
        }
        return key.contains(.null) ? nil : key
    }
}
