internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import Synchronization

/// The connections of one database: one that writes, a few for single reads on the caller's thread,
/// a few for long reads on threads that may wait.
///
/// With a write-ahead log none that reads waits for the one that writes, in this process or
/// another.
final class SQLiteDatabase: Sendable {
    let location: SQLiteLocation
    private let writer: SQLiteWriter
    private let readers: [Guarded<LazyConnection>]
    private let scans: SQLiteScanPool
    /// Whether a read can wait for a writer, because the database keeps no write-ahead log: it is then one for threads
    /// that may wait.
    let readsCanWait = Atomic(false)

    /// How many connections there are for single reads, and how many for long ones.
    static let readerCount = max(2, min(8, ProcessInfo.processInfo.activeProcessorCount))

    /// Makes the connections, none of which is opened before it is used.
    ///
    /// - Parameter changes: who is told of commits.
    init(_ location: SQLiteLocation, _ changes: StoreChanges? = nil) {
        self.location = location
        let writing = Guarded(LazyConnection(location, .writing))
        writer = SQLiteWriter(writing, changes)
        if location.isInMemory {
            // The database is its connection: everything takes its turn there.
            readers = [writing]
            scans = SQLiteScanPool([writing])
        } else {
            let count = Self.readerCount
            readers = (0..<count).map { _ in Guarded(LazyConnection(location, .reading)) }
            scans = SQLiteScanPool(
                (0..<count).map { _ in Guarded(LazyConnection(location, .reading)) })
        }
    }

    /// Reads a record on the caller's thread: a search for one key, no more.
    @inline(__always)
    func read<R>(_ body: (SQLiteConnection) throws -> R) throws -> R {
        try takeReader().useTaken { try body($0.openForReading()) }
    }

    private func takeReader() -> Guarded<LazyConnection> {
        for reader in readers where reader.takeIfFree() { return reader }
        // All are in use, for microseconds each.
        readers[0].take()
        return readers[0]
    }

    /// Reads what may take long; ends early with `CancellationError` when the task is cancelled.
    func scan<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await scans.run(body)
    }

    /// Changes data in a transaction, and returns when it is on disk.
    func write<R: Sendable>(
        _ isolation: SQLiteWriter.Isolation,
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await writer.run(isolation, body)
    }

    /// Waits for the writing connection and begins a transaction on it.
    func lease(defersReferences: Bool) async throws -> SQLiteLease {
        try await writer.lease(defersReferences: defersReferences)
    }

    /// A connection of its own that reads one state of the database.
    func snapshot() async throws -> SQLiteSnapshotConnection {
        try await scan { [location] connection in
            // In memory the state is a copy of what everybody reads.
            guard location.isInMemory else {
                return try SQLiteSnapshotConnection(SQLiteConnection(location, .reading))
            }
            // Made here, and nobody else has it.
            nonisolated(unsafe) let copy = try connection.copy()
            return try SQLiteSnapshotConnection(copy)
        }
    }
}

extension SQLiteConnection {
    /// Makes the database keep a write-ahead log: a reader then sees the last commit and waits for
    /// nobody, and a commit is one write and one fsync. It is a property of the file, set once.
    ///
    /// - Throws: `SQLiteError`, also where the file system has no shared memory for it.
    func enableWriteAheadLog(_ location: SQLiteLocation) throws {
        guard !location.isInMemory else { return }
        // SQLite does not wait where two connections change the mode at once, so the waiting is
        // done here.
        let deadline = ContinuousClock.now + .milliseconds(Int(location.busyTimeout))
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
                where error.isRetryable && ContinuousClock.now < deadline
            {
                Thread.sleep(forTimeInterval: 0.005)
            }
        }
    }
}
