/// A record in an in-memory table. It is allocated once, with its index keys, and shared by all
/// snapshots that contain it.
///
/// `@unchecked Sendable` is safe: the object is immutable, and its only subclass adds an entity,
/// which is `Sendable`.
class MemoryRecord: @unchecked Sendable {
    /// The key in each index; nil for a partial index that does not cover the record. Empty in a
    /// table whose indexes are not needed yet.
    final let keys: [IndexKey?]

    init(keys: [IndexKey?]) {
        self.keys = keys
    }
}

/// A record in an in-memory table of one entity type.
///
/// `@unchecked Sendable` must be repeated by a subclass of ``MemoryRecord``; this one adds only a
/// constant.
final class MemoryRecordOf<E: Entity>: MemoryRecord, @unchecked Sendable {
    /// The entity, which never changes.
    let entity: E

    init(_ entity: E, keys: [IndexKey?]) {
        self.entity = entity
        super.init(keys: keys)
    }
}

extension MemoryRecord {
    /// Returns the entity. The record must belong to a table of this type, which contains no other
    /// records: the cast is not checked.
    @inline(__always)
    final func entity<E: Entity>(_ type: E.Type) -> E {
        unsafeDowncast(self, to: MemoryRecordOf<E>.self).entity
    }
}

extension ContiguousArray where Element == MemoryRecord {
    /// Returns all entities. The records must belong to a table of this type.
    func entities<E: Entity>(_ type: E.Type) -> [E] {
        // Without capacity, the initializer would write to the empty array that all threads share.
        if isEmpty { return [] }
        return [E](unsafeUninitializedCapacity: count) { entities, initialized in
            for place in indices {
                entities.initializeElement(at: place, to: self[place].entity(type))
                initialized += 1
            }
        }
    }
}
