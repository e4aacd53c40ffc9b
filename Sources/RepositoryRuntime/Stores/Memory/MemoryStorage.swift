/// The records of one table as they are.
final class MemoryStorage<E: Entity>: TableStorage {
    private var records: [E.ID: E] = [:]
    /// The ids in their order; nil while that is not known.
    private var sorted: [E.ID]?

    func record(_ id: E.ID) -> E? { records[id] }
    func contains(_ id: E.ID) -> Bool { records[id] != nil }
    func ids() -> [E.ID] { Array(records.keys) }
    func count() -> Int { records.count }

    func indexes(_ forms: TableIndexForms) -> any CommittedIndexes {
        MemoryCommittedIndexes(self, forms)
    }

    func stage(_ changes: [E.ID: E?], isNew: Set<E.ID>) {
        for (id, record) in changes {
            if records.updateValue(record, forKey: id) == nil || record == nil { sorted = nil }
        }
    }

    /// All ids, in id order.
    func sortedIDs() -> [E.ID] {
        if let sorted { return sorted }
        let ids = records.keys.sorted()
        sorted = ids
        return ids
    }
}

extension Dictionary {
    /// Puts a value under a key, or takes it away; returns what was there.
    fileprivate mutating func updateValue(_ value: Value?, forKey key: Key) -> Value? {
        if let value { return updateValue(value, forKey: key) }
        return removeValue(forKey: key)
    }
}

/// Gives each table a storage in memory.
struct MemorySource: TableStorageSource {
    func storage<E: Entity>(_ type: E.Type) -> any TableStorage<E> { MemoryStorage<E>() }
}
