internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import Synchronization

/// The connections of one database.
///
/// One connection writes. A few connections serve short reads on the caller's thread, and a few
/// serve long reads on threads that may block.
///
/// With a write-ahead log, a reader never waits for a writer, in this process or another.
///
/// A database in memory has a single connection. Reads and writes share it, one at a time.
final class SQLiteDatabase: Sendable {
    /// The database and the options of its connections.
    let location: SQLiteLocation
    /// Runs writes and transactions, on the only connection that writes.
    private let writer: SQLiteWriter
    /// The connections for short reads.
    private let readers: [Guarded<LazyConnection>]
    /// The connections for long reads.
    private let scans: SQLiteScanPool
    /// Whether a read can wait for a writer, because the database has no write-ahead log. Reads
    /// then run on threads that may block.
    let readsCanWait = Atomic(false)

    /// The number of connections for short reads, and also the number for long reads.
    static let readerCount = max(2, min(8, ProcessInfo.processInfo.activeProcessorCount))

    /// Creates the connections. Each is opened when it is first used.
    ///
    /// - Parameters:
    ///   - location: the database.
    ///   - changes: receives the changes of each commit.
    init(_ location: SQLiteLocation, _ changes: StoreChanges? = nil) {
        self.location = location
        let writing = Guarded(LazyConnection(location, .writing))
        writer = SQLiteWriter(writing, changes, limit: location.turnLimit)
        if location.isInMemory {
            // A database in memory has a single connection, which all operations share.
            readers = [writing]
            scans = SQLiteScanPool([writing], limit: location.turnLimit)
        } else {
            let count = Self.readerCount
            readers = (0..<count).map { _ in Guarded(LazyConnection(location, .reading)) }
            scans = SQLiteScanPool(
                (0..<count).map { _ in Guarded(LazyConnection(location, .reading)) },
                limit: location.turnLimit)
        }
    }

    /// Runs a short read on the caller's thread. It must be no more than the lookup of one key.
    ///
    /// The lock of a reading connection is held while `body` runs, so `body` must not call this
    /// method.
    @inline(__always)
    func read<R>(_ body: (SQLiteConnection) throws -> R) throws -> R {
        try takeReader().useTaken { try body($0.openForReading()) }
    }

    /// Acquires the lock of a reading connection, preferably of one that is free.
    private func takeReader() -> Guarded<LazyConnection> {
        for reader in readers where reader.takeIfFree() { return reader }
        // All are in use, for microseconds each.
        readers[0].take()
        return readers[0]
    }

    /// Runs a read that may take long. It throws `CancellationError` as soon as the task is
    /// cancelled.
    func scan<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await scans.run(body)
    }

    /// Runs a write in a transaction, and returns when its changes are synced to disk.
    func write<R: Sendable>(
        _ isolation: SQLiteWriter.Isolation,
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await writer.run(isolation, body)
    }

    /// Waits for the writing connection and begins a transaction on it.
    ///
    /// - Parameter defersReferences: whether references are checked by the commit.
    func lease(defersReferences: Bool) async throws -> SQLiteLease {
        try await writer.lease(defersReferences: defersReferences)
    }

    /// Opens a separate connection that reads a snapshot of the database.
    func snapshot() async throws -> SQLiteSnapshotConnection {
        try await scan { [location] connection in
            // A snapshot of a database in memory is a copy of its committed content.
            guard location.isInMemory else {
                return try SQLiteSnapshotConnection(SQLiteConnection(location, .reading))
            }
            // The copy was created here, and nothing else refers to it.
            nonisolated(unsafe) let copy = try connection.copy()
            return try SQLiteSnapshotConnection(copy)
        }
    }
}

extension SQLiteConnection {
    /// Switches the database to a write-ahead log.
    ///
    /// Readers then see the last commit and never wait, and a commit is one write and one `fsync`.
    /// The journal mode is a property of the file and set once.
    ///
    /// - Throws: `SQLiteError`, also if the file system does not support the shared memory of the
    ///   log.
    func enableWriteAheadLog(_ location: SQLiteLocation) throws {
        guard !location.isInMemory else { return }
        location.file?.forgetLog()
        // SQLite does not call the busy handler when two connections change the journal mode at
        // once, so this loop waits.
        let deadline = lockWait.nextDeadline
        var attempt = 0
        while true {
            do {
                let statement = try SQLiteStatement(
                    "PRAGMA journal_mode = WAL", on: handle, isKept: false)
                defer { statement.reset() }
                guard try statement.step(), statement.text(at: 0) == "wal" else {
                    throw SQLiteError(
                        code: SQLITE_CANTOPEN,
                        message: "the database cannot keep a write-ahead log at this place")
                }
                return
            } catch let error as SQLiteError
                where error.isRetryable && lockWait.wait(attempt: attempt, until: deadline)
            {
                attempt += 1
            }
        }
    }
}
