internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import Synchronization

/// The connections of one database.
///
/// One connection writes. A few connections serve short reads on the caller's thread, and a few
/// serve long reads on threads that may block.
///
/// With a write-ahead log, a reader never waits for a writer, in this process or another.
///
/// A database in memory has a single connection. Reads and writes share it, one at a time.
final class SQLiteDatabase: DescriptorKeeper {
    /// The database and the options of its connections.
    let location: SQLiteLocation
    /// Runs writes and transactions, on the only connection that writes.
    private let writer: SQLiteWriter
    /// The connections for short reads.
    private let readers: [Guarded<LazyConnection>]
    /// The connections for long reads.
    private let scans: SQLiteScanPool
    /// All connections, those for reading first.
    private let connections: [Guarded<LazyConnection>]
    /// Whether the store is open, and the connections of its own that it has lent.
    let life = StoreLife()
    /// Whether a read can wait for a writer, because the database has no write-ahead log. Reads
    /// then run on threads that may block.
    let readsCanWait = Atomic(false)
    /// The queries that run on the caller's thread.
    let quickQueries = SQLiteQuickQueries()

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
        writer = SQLiteWriter(writing, changes, location)
        if location.isInMemory {
            // A database in memory has a single connection, which all operations share.
            readers = [writing]
            connections = readers
            scans = SQLiteScanPool([writing], limit: location.turnLimit)
        } else {
            let count = Self.readerCount
            readers = (0..<count).map { _ in Guarded(LazyConnection(location, .reading)) }
            let scanning = (0..<count).map { _ in Guarded(LazyConnection(location, .reading)) }
            scans = SQLiteScanPool(scanning, limit: location.turnLimit)
            connections = readers + scanning + [writing]
            OpenDescriptors.shared.add(self)
        }
    }

    /// Closes the connections after the operations that have begun. Operations that have not begun
    /// throw `storeClosed`.
    ///
    /// - Parameter refuse: is called when the database counts as closed.
    func close(_ refuse: () -> Void = {}) async {
        await life.close {
            refuse()
            writer.refuse()
            scans.refuse()
            // Short reads hold these locks for microseconds.
            for reader in readers { reader.use { $0.refuseReads() } }
        } releasing: {
            await writer.close()
            await scans.close()
        }
    }

    func closeIdleDescriptors(sparing: Bool) {
        for connection in connections where connection.takeIfFree() {
            connection.useTaken { $0.closeIfIdle(sparing: sparing) }
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

    /// Runs a query on the caller's thread, with the limits of ``SQLiteQuickLimit``.
    ///
    /// It leaves the first reading connection to the lookups of keys, which therefore never wait for
    /// queries, and it does not wait for a connection itself.
    ///
    /// - Returns: nil if no connection is free, if reads can wait for writers, or if the query
    ///   exceeded the limits.
    func readQuickly<R>(_ body: (SQLiteConnection) throws -> R) throws -> R? {
        guard !location.isInMemory, !readsCanWait.load(ordering: .acquiring),
            let reader = readers.dropFirst().first(where: { $0.takeIfFree() })
        else { return nil }
        return try reader.useTaken { reader in
            let connection = try reader.openForReading()
            return try SQLiteQuickLimit.run(on: connection, for: quickQueries.time) {
                try body(connection)
            }
        }
    }

    /// Returns a number that is different after each commit of any connection; nil if reads can wait
    /// for writers, or for a database in memory.
    ///
    /// It is always asked of the same reading connection: the numbers of two cannot be compared.
    func changeState() throws -> UInt64? {
        guard !location.isInMemory, !readsCanWait.load(ordering: .acquiring) else { return nil }
        return try readers[0].use { reader in
            let connection = try reader.openForReading()
            let statement = try connection.statement("PRAGMA data_version")
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            return UInt64(bitPattern: statement.integer(at: 0)) ^ connection.number << 32
        }
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
    ///
    /// The database is not closed before the snapshot.
    func snapshot() async throws -> SQLiteSnapshotConnection {
        try await scan { [location, life] connection in
            try life.enter()
            do {
                // A snapshot of a database in memory is a copy of its committed content.
                guard location.isInMemory else {
                    return try SQLiteSnapshotConnection(SQLiteConnection(location, .reading), life)
                }
                // The copy was created here, and nothing else refers to it.
                nonisolated(unsafe) let copy = try connection.copy()
                return try SQLiteSnapshotConnection(copy, life)
            } catch {
                life.leave()
                throw error
            }
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
