internal import Foundation

extension QueryPlanner {
    /// The access by the declared index of which most leading fields must equal a value.
    func indexPlan() -> QueryPlan? {
        guard capabilities.has(.finders) else { return nil }
        var best: (position: Int, values: [StoredValue], isUnique: Bool)?
        for (position, index) in table.indexes.enumerated() {
            let values = prefix(of: index)
            let isUnique =
                index.isUnique && values.count == index.keys.count && !values.contains(.null)
            guard values.count > (best?.values.count ?? 0) || isUnique && best?.isUnique == false
            else { continue }
            best = (position, values, isUnique)
        }
        guard let best, !best.values.isEmpty else { return nil }
        let keys = table.indexes[best.position].keys
        let covered = zip(keys, best.values).map { key, value in
            ConditionTree.compare(FieldPath(key.field), .equal, value)
        }
        // What is found stands in the order of the index's other fields, then of the id.
        let isInIDOrder = best.values.count == keys.count
        return QueryPlan(
            .index([IndexScan(best.position, equal: best.values)]),
            remainder: conjuncts.filter { !covered.contains($0) },
            sortsInRuntime: !(isInIDOrder && sortsByID),
            maximumReads: best.isUnique ? 1 : nil)
    }

    /// What the leading fields of an index must equal, as far as the condition says.
    private func prefix(of index: TableIndex) -> [StoredValue] {
        var values: [StoredValue] = []
        for key in index.keys {
            guard let value = required(key.field) else { break }
            values.append(value)
        }
        return values
    }

    private func required(_ field: Int) -> StoredValue? {
        for case .compare(FieldPath(field), .equal, let value) in conjuncts
        where isStorable(value, as: table.layout.fields[field].type) {
            return value
        }
        return nil
    }

    /// Whether a store can be asked for the value; no record holds one that it cannot.
    private func isStorable(_ value: StoredValue, as type: StoredType) -> Bool {
        switch (value, type) {
        case (.double(let value), _): value.isFinite
        case (.date(let value), _): StoredDate.canStore(value)
        case (.decimal(let value), .decimal(scale: let scale?)):
            StoredDecimal.scaledInteger(value, scale: scale) != nil
        case (.decimal(let value), _): value.isFinite
        case (.text(let value), _): !value.utf8.contains(0)
        case (.list, _): false
        case (.object, .composite): true
        case (.object, _): false
        default: true
        }
    }
}
