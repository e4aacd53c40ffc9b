/// The progress of a migration.
public struct MigrationProgress: Sendable, Hashable {
    /// The declared name of the table whose records are being rewritten; the stored name of a table
    /// whose records a function over several entities reads.
    public var table: String
    /// The number of records that have been rewritten or read by functions so far, in all tables.
    public var done: Int
    /// The number of records that the migration rewrites or that its functions read, in all tables.
    /// It does not change during a migration.
    public var total: Int

    /// Creates a value.
    public init(table: String, done: Int, total: Int) {
        self.table = table
        self.done = done
        self.total = total
    }

    /// The part of the records that is done, from 0 to 1.
    public var fraction: Double { total == 0 ? 1 : Double(done) / Double(total) }
}

/// Counts the rewritten records of a migration, and checks for cancellation. One thread uses it.
package final class MigrationReporter {
    private let report: (@Sendable (MigrationProgress) -> Void)?
    private let isCancelled: () -> Bool
    /// The number of records between two reports.
    private let stride: Int
    private var progress: MigrationProgress
    /// The number of records at the last report.
    private var reported = 0
    /// The numbers of records in the tables that functions over several entities read, by stored
    /// name.
    private let read: [String: Int]

    /// Creates a reporter.
    ///
    /// - Parameters:
    ///   - report: receives the progress, at most about 200 times and once for each table.
    ///   - total: the number of records that will be rewritten or read by functions.
    ///   - read: the numbers of records in the tables that functions over several entities read, by
    ///     stored name. They are part of the total.
    ///   - isCancelled: whether the migration was cancelled.
    package init(
        _ report: (@Sendable (MigrationProgress) -> Void)?, total: Int, read: [String: Int] = [:],
        isCancelled: @escaping () -> Bool
    ) {
        self.read = read
        self.report = report
        self.isCancelled = isCancelled
        stride = max(1, total / 200)
        progress = MigrationProgress(table: "", done: 0, total: total)
    }

    /// Whether somebody receives the progress.
    package var isObserved: Bool { report != nil }

    /// Begins with a table.
    package func begin(_ table: String) throws {
        try check()
        progress.table = table
        report?(progress)
        reported = progress.done
    }

    /// Counts a record before it is rewritten.
    ///
    /// - Throws: `CancellationError`.
    package func next() throws {
        try check()
        progress.done = min(progress.total, progress.done + 1)
        guard let report, progress.done - reported >= stride else { return }
        reported = progress.done
        report(progress)
    }

    /// Counts a record that a function over several entities has read.
    ///
    /// - Parameter table: the stored name of the table.
    /// - Throws: `CancellationError`.
    package func next(of table: String) throws {
        progress.table = table
        try next()
    }

    /// Ends a table that a function over several entities has read.
    ///
    /// - Parameters:
    ///   - table: the stored name of the table.
    ///   - records: the number of records that it has read.
    package func endReading(_ table: String, _ records: Int) {
        progress.table = table
        progress.done = min(progress.total, progress.done + max(0, (read[table] ?? 0) - records))
        flush()
    }

    /// Ends a table with this number of records.
    package func end(_ records: Int, since start: Int) {
        progress.done = min(progress.total, start + records)
        flush()
    }

    /// Reports what has not been reported yet.
    package func flush() {
        guard let report, reported != progress.done else { return }
        reported = progress.done
        report(progress)
    }

    /// The number of rewritten records so far.
    package var done: Int { progress.done }

    /// - Throws: `CancellationError` if the migration was cancelled.
    package func check() throws { if isCancelled() { throw CancellationError() } }
}
