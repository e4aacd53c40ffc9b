/// A record where a table in memory keeps it: once, with its id, its keys and every snapshot leading to it.
///
/// `@unchecked`: nothing of it ever changes, and what the only subclass adds is a record, which is `Sendable`.
class MemoryRecord: @unchecked Sendable {
    /// Its key in each index, nil where the index does not cover it; none as long as nobody needs the indexes.
    final let keys: [IndexKey?]

    init(keys: [IndexKey?]) {
        self.keys = keys
    }
}

/// A record of one entity.
///
/// `@unchecked`: as ``MemoryRecord``, which a subclass must repeat; it adds a constant.
final class MemoryRecordOf<E: Entity>: MemoryRecord, @unchecked Sendable {
    let entity: E

    init(_ entity: E, keys: [IndexKey?]) {
        self.entity = entity
        super.init(keys: keys)
    }
}

extension MemoryRecord {
    /// The entity, in a table of such entities, which has no other records.
    @inline(__always)
    final func entity<E: Entity>(_ type: E.Type) -> E {
        unsafeDowncast(self, to: MemoryRecordOf<E>.self).entity
    }
}

extension ContiguousArray where Element == MemoryRecord {
    /// The entities, in a table of such entities.
    func entities<E: Entity>(_ type: E.Type) -> [E] {
        // Of no capacity it would write to the one empty array that all threads share.
        if isEmpty { return [] }
        return [E](unsafeUninitializedCapacity: count) { entities, initialized in
            for place in indices {
                entities.initializeElement(at: place, to: self[place].entity(type))
                initialized += 1
            }
        }
    }
}
