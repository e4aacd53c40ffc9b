internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import Synchronization

/// The identity of the database's files, shared by all connections of one store.
///
/// Another program can remove, replace or rename the files while the store is open. An open
/// connection then continues with files that no longer have a name, while a new connection opens
/// different files. The store detects this before it commits and when it opens a connection. From
/// then on, every operation throws `storeMoved`.
///
/// Any thread may use it.
final class SQLiteFile: Sendable {
    /// The device and inode of a file, which do not depend on its name.
    private struct Identity: Equatable {
        let device: UInt64
        let number: UInt64

        /// Looks up a file by its name. The result is `nil` if there is none.
        init?(_ name: String) {
            var status = stat()
            guard stat(name, &status) == 0 else { return nil }
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    /// The known files. The first one is the database; its log and the log's index follow.
    private struct State {
        /// The files by name: the database, followed by the write-ahead log and its shared-memory
        /// index once they are known.
        var files: [(name: String, identity: Identity)] = []
        /// Whether the log is in ``files``, if the database has one.
        var knowsLog = false
    }

    private let state = Mutex(State())
    /// Whether the files were found removed or replaced. It is never reset.
    private let isMoved = Atomic(false)

    /// Throws if an earlier check found that the files were removed or replaced. It makes no system
    /// call.
    ///
    /// - Throws: `storeMoved`.
    @inline(__always)
    func check() throws {
        if isMoved.load(ordering: .relaxed) { throw SQLiteErrors.moved() }
    }

    /// Checks that a new connection opened the same file as the connections before it.
    ///
    /// - Throws: `storeMoved`.
    func check(opened connection: OpaquePointer) throws {
        try check()
        guard let path = sqlite3_db_filename(connection, "main") else { return }
        let name = String(cString: path)
        var hasMoved: Int32 = 0
        // A VFS that does not support this control leaves the variable unchanged.
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

    /// Checks, before a commit, that the names still refer to the files that the connections have
    /// open.
    ///
    /// It costs one `stat` call per file.
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

    /// Removes the log from ``files``. Called before a database is switched to a write-ahead log.
    func forgetLog() {
        state.withLock { state in
            state.files.removeLast(max(0, state.files.count - 1))
            state.knowsLog = false
        }
    }

    /// Adds the write-ahead log and its index to ``files``, if the database uses one.
    ///
    /// - Throws: `storeMoved` if the database uses a log whose files do not exist.
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

    /// Marks the files as moved and throws `storeMoved`.
    private func stop() throws -> Never {
        isMoved.store(true, ordering: .relaxed)
        throw SQLiteErrors.moved()
    }
}
