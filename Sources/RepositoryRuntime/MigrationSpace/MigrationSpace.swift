/// The place where a migration keeps what it needs later: new ids, records between two passes, and
/// the places of records by their values.
///
/// A store implements it where it has space: in temporary tables, in a temporary file, or in
/// memory. The bytes are opaque to it, and nothing of it remains after the migration. All calls are
/// from one thread.
package protocol MigrationSpace: AnyObject {
    /// Creates an empty table.
    func makeTable() throws -> any MigrationSpaceTable
    /// Creates an empty list.
    func makeList() throws -> any MigrationSpaceList
}

/// Values under keys, in a ``MigrationSpace``.
package protocol MigrationSpaceTable: AnyObject {
    /// Adds a value under a key, which can have others already.
    func add(_ value: [UInt8], under key: [UInt8]) throws
    /// Returns the value that was added last under a key; nil if there is none.
    func last(under key: [UInt8]) throws -> [UInt8]?
    /// Returns a closure that returns the values under a key one after another, in any order.
    func values(under key: [UInt8]) throws -> () throws -> [UInt8]?
    /// Returns a closure that returns all values one after another, in any order. Nothing is added
    /// meanwhile.
    func values() throws -> () throws -> [UInt8]?
}

/// Values in the order in which they were added, in a ``MigrationSpace``.
package protocol MigrationSpaceList: AnyObject {
    /// Adds a value at the end.
    func append(_ value: [UInt8]) throws
    /// Returns a closure that returns the values one after another. Nothing is added meanwhile.
    func values() throws -> () throws -> [UInt8]?
}

extension MigrationSpaceList {
    /// Calls a closure with each value.
    package func forEach(_ body: ([UInt8]) throws -> Void) throws {
        let next = try values()
        while let value = try next() { try body(value) }
    }
}

/// A ``MigrationSpace`` in memory.
package final class MemorySpace: MigrationSpace {
    /// Creates an empty space.
    package init() {}

    package func makeTable() -> any MigrationSpaceTable { MemorySpaceTable() }

    package func makeList() -> any MigrationSpaceList { MemorySpaceList() }
}

private final class MemorySpaceTable: MigrationSpaceTable {
    private var rows: [[UInt8]: [[UInt8]]] = [:]

    func add(_ value: [UInt8], under key: [UInt8]) { rows[key, default: []].append(value) }

    func last(under key: [UInt8]) -> [UInt8]? { rows[key]?.last }

    func values(under key: [UInt8]) -> () throws -> [UInt8]? {
        var values = rows[key, default: []][...]
        return { values.popFirst() }
    }

    func values() -> () throws -> [UInt8]? {
        var values = rows.values.lazy.flatMap { $0 }.makeIterator()
        return { values.next() }
    }
}

private final class MemorySpaceList: MigrationSpaceList {
    private var rows: [[UInt8]] = []

    func append(_ value: [UInt8]) { rows.append(value) }

    func values() -> () throws -> [UInt8]? {
        var rows = rows[...]
        return { rows.popFirst() }
    }
}
