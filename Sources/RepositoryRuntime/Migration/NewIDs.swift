/// The new ids of the records whose ids a version changes, and records between two passes of a
/// migration.
///
/// A store implements it where it has space: in a temporary table, or in memory. The bytes are
/// opaque to it. All calls are from one thread.
package protocol MigrationSpace: AnyObject {
    /// Records the new id of a record.
    ///
    /// - Parameters:
    ///   - old: the id before the version.
    ///   - new: the id after it.
    ///   - map: the number of the map.
    /// - Returns: The old id of another record with the same new id; nil if there is none.
    func add(_ old: [UInt8], _ new: [UInt8], to map: Int) throws -> [UInt8]?
    /// Returns the new id of a record; nil if no record has the old one.
    func newID(of old: [UInt8], in map: Int) throws -> [UInt8]?
    /// Appends a record to a list.
    func append(_ record: [UInt8], to list: Int) throws
    /// Calls a closure with each record of a list, in order.
    func forEach(in list: Int, _ body: ([UInt8]) throws -> Void) throws
    /// Removes the records of a list.
    func removeAll(in list: Int) throws
}

/// A ``MigrationSpace`` in memory.
package final class NewIDsInMemory: MigrationSpace {
    private var ids: [Int: [[UInt8]: [UInt8]]] = [:]
    private var owners: [Int: [[UInt8]: [UInt8]]] = [:]
    private var lists: [Int: [[UInt8]]] = [:]

    /// Creates an empty space.
    package init() {}

    /// Records the new id of a record, unless another record has it.
    package func add(_ old: [UInt8], _ new: [UInt8], to map: Int) throws -> [UInt8]? {
        if let owner = owners[map, default: [:]][new] { return owner }
        owners[map, default: [:]][new] = old
        ids[map, default: [:]][old] = new
        return nil
    }

    /// Returns the new id of a record.
    package func newID(of old: [UInt8], in map: Int) throws -> [UInt8]? { ids[map]?[old] }

    /// Appends a record to a list.
    package func append(_ record: [UInt8], to list: Int) throws {
        lists[list, default: []].append(record)
    }

    /// Calls a closure with each record of a list.
    package func forEach(in list: Int, _ body: ([UInt8]) throws -> Void) throws {
        for record in lists[list] ?? [] { try body(record) }
    }

    /// Removes a list.
    package func removeAll(in list: Int) throws { lists[list] = nil }
}

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
    private var maps: [IDChange: Int] = [:]

    /// Creates an empty collection.
    package init(_ space: any MigrationSpace) { self.space = space }

    /// Records the new id of a record.
    ///
    /// - Returns: The old id of another record with the same new id; nil if there is none.
    func add(_ old: StoredValue, _ new: StoredValue, to change: IDChange) throws -> StoredValue? {
        let other = try space.add(
            StoredBytes.bytes(of: old), StoredBytes.bytes(of: new), to: number(of: change))
        return try other.map { try StoredBytes.value(of: $0) }
    }

    /// Returns the new id of a record; nil if no record has the old one.
    func newID(of old: StoredValue, in change: IDChange) throws -> StoredValue? {
        guard let map = maps[change] else { return nil }
        return try space.newID(of: StoredBytes.bytes(of: old), in: map)
            .map { try StoredBytes.value(of: $0) }
    }

    private func number(of change: IDChange) -> Int {
        if let number = maps[change] { return number }
        maps[change] = maps.count
        return maps.count - 1
    }
}
