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
