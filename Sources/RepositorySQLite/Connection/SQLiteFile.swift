internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import Synchronization

/// The files of the database that the connections of one store have open.
///
/// Another program can remove, replace or rename them meanwhile. A connection then goes on with
/// files that nobody finds any more, while one that is opened later finds other ones. The store
/// notices it before it commits and when it opens a connection; from then on it reads and writes
/// nothing.
final class SQLiteFile: Sendable {
    /// A file, whatever it is called.
    private struct Identity: Equatable {
        let device: UInt64
        let number: UInt64

        /// The file of a name; nil where there is none.
        init?(_ name: String) {
            var status = stat()
            guard stat(name, &status) == 0 else { return nil }
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    private struct State {
        /// The files by their names: the database, and once it is known its log and the index of
        /// that.
        var files: [(name: String, identity: Identity)] = []
        /// Whether the log is among them, where there is one.
        var knowsLog = false
    }

    private let state = Mutex(State())
    private let isMoved = Atomic(false)

    /// Checks that the files have not been found removed or replaced before.
    ///
    /// - Throws: `storeMoved`.
    @inline(__always)
    func check() throws {
        if isMoved.load(ordering: .relaxed) { throw SQLiteErrors.moved() }
    }

    /// Checks that a new connection has the file open that those before it have.
    ///
    /// - Throws: `storeMoved`.
    func check(opened connection: OpaquePointer) throws {
        try check()
        guard let path = sqlite3_db_filename(connection, "main") else { return }
        let name = String(cString: path)
        var hasMoved: Int32 = 0
        // A file system that does not know the question leaves the answer as it is.
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        guard hasMoved == 0, let identity = Identity(name) else { try stop() }
        let isSame = state.withLock { state in
            guard let first = state.files.first else {
                state.files = [(name, identity)]
                return true
            }
            return first.identity == identity
        }
        if !isSame { try stop() }
    }

    /// Checks that the files are those that the connections have open, before something is
    /// committed to them.
    ///
    /// - Throws: `storeMoved`.
    func check(committing connection: SQLiteConnection) throws {
        try check()
        if !state.withLock({ $0.knowsLog }) { try findLog(of: connection) }
        let isSame = state.withLock { state in
            state.files.allSatisfy { Identity($0.name) == $0.identity }
        }
        if !isSame { try stop() }
    }

    /// The error to report where a connection cannot be opened: `storeMoved` if the files are no
    /// longer those of the other connections, otherwise the error of SQLite.
    func explanation(of error: SQLiteError) -> any Error {
        let isSame = state.withLock { state in
            state.files.allSatisfy { Identity($0.name) == $0.identity }
        }
        if isSame { return error }
        isMoved.store(true, ordering: .relaxed)
        return SQLiteErrors.moved(error)
    }

    /// Forgets the log: the database is about to get one.
    func forgetLog() {
        state.withLock { state in
            state.files.removeLast(max(0, state.files.count - 1))
            state.knowsLog = false
        }
    }

    private func findLog(of connection: SQLiteConnection) throws {
        let names = try connection.hasWriteAheadLog() ? ["-wal", "-shm"] : []
        let isThere = state.withLock { state in
            guard let database = state.files.first else { return true }
            for suffix in names {
                let name = database.name + suffix
                guard let identity = Identity(name) else { return false }
                state.files.append((name, identity))
            }
            state.knowsLog = true
            return true
        }
        if !isThere { try stop() }
    }

    private func stop() throws -> Never {
        isMoved.store(true, ordering: .relaxed)
        throw SQLiteErrors.moved()
    }
}
