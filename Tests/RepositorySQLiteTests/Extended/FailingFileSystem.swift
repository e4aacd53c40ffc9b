import CSQLite
import Synchronization

/// A file system of SQLite's of which one call fails, or all from one on.
///
/// It hands every call to the one SQLite uses otherwise. `sqlite3_vfs` and `sqlite3_io_methods` are described at
/// https://www.sqlite.org/vfs.html.
final class FailingFileSystem: Sendable {
    /// What fails.
    enum Fault: String, CaseIterable {
        /// There is no room.
        case full
        /// The disk reports an error.
        case broken
        /// Half is written before the disk reports an error.
        case half
    }

    /// A call that may fail.
    enum Call: Sendable {
        case open, read, write, truncate, synchronize, size, remove
    }

    private struct State {
        var count = 0
        var failing = 0
        var hasFailed = false
    }

    /// What a connection is told to use.
    let name: String
    private let fault: Fault
    private let isForEver: Bool
    private let state = Mutex(State())
    /// The functions that SQLite calls.
    private let table: FailingFileSystemTable

    init(_ fault: Fault, forEver: Bool = false) throws {
        self.fault = fault
        isForEver = forEver
        table = try FailingFileSystemTable()
        name = table.name
        table.register(self)
    }

    /// Lets a call fail, counted from this moment; none for 0.
    func arm(failing number: Int) {
        state.withLock { $0 = State(failing: number) }
    }

    /// Whether a call has failed since then.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// No connection is opened with it any more.
    func unregister() { table.unregister() }

    /// What is returned in place of the call; nil where it goes through.
    func failure(of call: Call) -> Int32? {
        let fails = state.withLock { state in
            guard state.failing > 0 else { return false }
            state.count += 1
            let fails = isForEver ? state.count >= state.failing : state.count == state.failing
            if fails { state.hasFailed = true }
            return fails
        }
        guard fails else { return nil }
        switch call {
        case .open: return SQLITE_CANTOPEN
        case .read: return Self.error(1)
        case .write: return fault == .full ? SQLITE_FULL : Self.error(3)
        case .synchronize: return Self.error(4)
        case .truncate: return Self.error(6)
        case .size: return Self.error(7)
        case .remove: return Self.error(10)
        }
    }

    /// Whether a write that fails leaves half of its bytes.
    var leavesHalf: Bool { fault == .half }

    /// The extended codes of `SQLITE_IOERR`, whose macros Swift does not see.
    private static func error(_ number: Int32) -> Int32 { SQLITE_IOERR | number << 8 }
}
