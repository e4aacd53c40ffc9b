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

    /// The problem with the id, as a clause.
    package var clause: String {
        MigrationFailures.words(reason, 1, id.map { [$0] } ?? [])
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

/// Counts the records of a stored table that a function reads one after another, and ends the
/// migration between two records if it was cancelled.
///
/// Each record counts once, even if the function reads the table several times. Records that the
/// function finds by values do not count.
struct CountedMigrationSource: MigrationSource {
    private let source: any MigrationSource
    private let count: ReadCount

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - source: the stored records.
    ///   - count: counts the records.
    init(_ source: any MigrationSource, _ count: ReadCount) {
        self.source = source
        self.count = count
    }

    func scan() throws -> () throws -> MigrationSourceRecord? {
        let next = try source.scan()
        var position = 0
        return { [count] in
            try count.check()
            guard let record = try next() else {
                count.isComplete = true
                return nil
            }
            position += 1
            try count.reach(position)
            return record
        }
    }

    func values(at place: [StoredValue]) throws -> [StoredValue]? {
        try count.check()
        return try source.values(at: place)
    }

    func find(
        _ fields: [Int], _ values: [StoredValue]
    ) throws -> (() throws -> MigrationSourceRecord?)? {
        try count.check()
        return try source.find(fields, values)
    }

    func setAside(_ place: [StoredValue], _ reason: String) throws -> Bool {
        try source.setAside(place, reason)
    }
}

/// How many records of a stored table a function has read.
final class ReadCount {
    private let table: String
    private let reporter: MigrationReporter
    private var records = 0
    /// Whether all records have been read.
    var isComplete = false

    /// Creates the count of a table.
    ///
    /// - Parameters:
    ///   - table: the stored name of the table.
    ///   - reporter: gets the progress.
    init(_ table: String, _ reporter: MigrationReporter) {
        self.table = table
        self.reporter = reporter
    }

    /// - Throws: `CancellationError` if the migration was cancelled.
    func check() throws { try reporter.check() }

    /// Notes that so many records have been read one after another.
    func reach(_ position: Int) throws {
        guard position > records else { return }
        if records == 0 { try reporter.begin(table) }
        records = position
        try reporter.next(of: table)
    }

    /// Counts the records that the function did not read.
    func end() { reporter.endReading(table, records) }
}
