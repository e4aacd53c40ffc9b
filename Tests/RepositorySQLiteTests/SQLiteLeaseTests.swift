import RepositoryRuntime
import Synchronization
import Testing

@testable import RepositorySQLite

/// The connection of a database in memory, which transactions and reads share.
struct SQLiteLeaseTests {
    @Test("Whoever learns of the end of a transaction reads what it has committed")
    func readsAfterCommit() async throws {
        let connection = Guarded(LazyConnection(.inMemory(), .writing))
        let lease = SQLiteLease(defersReferences: false)
        // Whether reads are served by the connection itself, before each operation.
        let isOwn = Mutex<[Bool]>([])
        let errors = Mutex<[any Error]>([])
        let run: @Sendable (String) -> Void = { text in
            lease.submit { connection in
                do { try connection?.execute(text) } catch {
                    errors.withLock { $0.append(error) }
                }
            }
        }
        async let start: Void = withCheckedThrowingContinuation { continuation in
            #expect(lease.keep(continuation))
            run("CREATE TABLE t (a)")
            run("COMMIT")
            run("SELECT 1")
            lease.submit { _ in lease.end() }
            lease.work(on: connection, isObserved: false) {
                isOwn.withLock { own in
                    own.append(
                        connection.use { (try? $0.openForReading()) === $0.opened })
                }
            }
        }
        try await start
        #expect(errors.withLock(\.count) == 0)
        // A transaction that is open is not read; one that is committed is, from its operation on.
        #expect(isOwn.withLock(\.self) == [false, false, true, true])
    }
}
