/// The records of a table whose ids a version changes.
struct IDChange: Hashable, Sendable {
    /// The number of the version.
    let number: Int
    /// The name of the table in that version.
    let table: String
}

/// The new ids of a migration.
package final class NewIDs {
    private let space: any MigrationSpace
    private var maps: [IDChange: Map] = [:]

    /// The new ids of the records of one table in one version, and the old ids by them.
    private struct Map {
        let new: any MigrationSpaceTable
        let old: any MigrationSpaceTable
    }

    /// Creates an empty collection.
    package init(_ space: any MigrationSpace) { self.space = space }

    /// Records the new id of a record, unless another record has it.
    ///
    /// - Returns: The old id of another record with the same new id; nil if there is none.
    func add(_ old: StoredValue, _ new: StoredValue, to change: IDChange) throws -> StoredValue? {
        let map = try map(of: change)
        let (oldBytes, newBytes) = (StoredBytes.bytes(of: old), StoredBytes.bytes(of: new))
        if let other = try map.old.last(under: newBytes) {
            return try StoredBytes.value(of: other)
        }
        // Documents that were changed by hand can have the same id.
        if try map.new.last(under: oldBytes) != nil { return old }
        try map.new.add(newBytes, under: oldBytes)
        try map.old.add(oldBytes, under: newBytes)
        return nil
    }

    /// Returns the new id of a record; nil if no record has the old one.
    func newID(of old: StoredValue, in change: IDChange) throws -> StoredValue? {
        try maps[change]?.new.last(under: StoredBytes.bytes(of: old))
            .map { try StoredBytes.value(of: $0) }
    }

    private func map(of change: IDChange) throws -> Map {
        if let map = maps[change] { return map }
        let map = Map(new: try space.makeTable(), old: try space.makeTable())
        maps[change] = map
        return map
    }
}
