/// A stored record that a function reads: where it is, and its values in the order of the stored
/// fields.
package typealias MigrationSourceRecord = (place: [StoredValue], values: [StoredValue])

/// The stored records of a table that a function reads.
///
/// A record that cannot be read is set aside and skipped, if the migration sets records aside.
/// Otherwise reading it throws ``MigrationRecordFailure``.
package protocol MigrationSource {
    /// Reads all records.
    ///
    /// - Returns: a closure that returns the next record; nil after the last one.
    func scan() throws -> () throws -> MigrationSourceRecord?
    /// Returns the record at a place that ``scan()`` returned; nil if it is gone.
    func values(at place: [StoredValue]) throws -> [StoredValue]?
    /// Reads the records with certain values.
    ///
    /// - Parameters:
    ///   - fields: the fields, as positions among the stored ones.
    ///   - values: their values.
    /// - Returns: a closure that returns the next record; nil if the source can only find them by
    ///   reading all records.
    func find(
        _ fields: [Int], _ values: [StoredValue]
    ) throws -> (() throws -> MigrationSourceRecord?)?
    /// Sets the record at a place aside. It is not read again.
    ///
    /// - Parameters:
    ///   - place: the place that the source returned.
    ///   - reason: the problem, as a clause.
    /// - Returns: false if the migration sets no records aside, or if the record is not a stored
    ///   one.
    func setAside(_ place: [StoredValue], _ reason: String) throws -> Bool
}

extension MigrationSource {
    /// Sets nothing aside.
    package func setAside(_ place: [StoredValue], _ reason: String) -> Bool { false }
}

/// Records that are kept between two functions of a migration.
package protocol MigrationStage: MigrationSource {
    /// Adds a record.
    ///
    /// - Parameter values: the values in the order of the fields of the table.
    /// - Returns: whether it is the first one with its id.
    func insert(_ values: [StoredValue]) throws -> Bool
}

/// A stored record that a migration cannot read or convert.
package struct MigrationRecordFailure: Error, Sendable {
    /// The problem as a clause without a final period and without stored values.
    package var reason: String
    /// The id as text; nil if it cannot be read or must not be named.
    package var id: String?

    /// Describes a failure.
    package init(_ reason: String, id: String?) {
        self.reason = reason
        self.id = id
    }

    /// Describes a stored record that cannot be read.
    ///
    /// - Parameters:
    ///   - table: the stored name of the table.
    ///   - path: the path of the field; empty for the whole record.
    ///   - id: the id as text; nil if it cannot be read.
    package init(unreadable table: String, _ path: String, id: String?) {
        self.init(Self.unreadable(table, path), id: id)
    }

    /// The problem of a stored record that cannot be read, as a clause.
    package static func unreadable(_ table: String, _ path: String) -> String {
        "a record of '\(table)' cannot be read" + (path.isEmpty ? "" : " (\(path))")
    }
}

/// A table without records: data that is older than the table does not have it.
struct NoMigrationSource: MigrationSource {
    func scan() -> () throws -> MigrationSourceRecord? { { nil } }

    func values(at place: [StoredValue]) -> [StoredValue]? { nil }

    func find(_ fields: [Int], _ values: [StoredValue]) -> (() throws -> MigrationSourceRecord?)? {
        { nil }
    }
}
