internal import Dispatch
internal import RepositoryRuntime
internal import Synchronization

/// Connections for long reads, each used by one job at a time, on threads that may wait for a disk.
/// Jobs beyond them wait their turn.
final class SQLiteScanPool: Sendable {
    private struct State {
        var idle: [Int]
        var waiting = WaitingLine<@Sendable (SQLiteConnection?, (any Error)?) -> Void>()
    }

    private let connections: [Guarded<LazyConnection>]
    private let state: Mutex<State>
    private let queue = DispatchQueue(
        label: "RepositorySQLite.scans", qos: .userInitiated, attributes: .concurrent)

    init(_ connections: [Guarded<LazyConnection>]) {
        self.connections = connections
        state = Mutex(State(idle: Array(connections.indices)))
    }

    /// Runs a job on the next free connection; who is cancelled before it has one waits no longer.
    func run<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        let interruption = SQLiteInterruption()
        let turn = SQLiteTurn<R>()
        let handover = ResultHandover()
        defer { handover.pass() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard turn.keep(continuation) else {
                    return continuation.resume(throwing: CancellationError())
                }
                submit { connection, error in
                    guard let continuation = turn.take() else { return }
                    let result = Result {
                        guard let connection else { throw error ?? CancellationError() }
                        return try interruption.run(on: connection) { try body(connection) }
                    }
                    handover.pass()
                    continuation.resume(with: result)
                }
            }
        } onCancel: {
            interruption.cancel()
            turn.take()?.resume(throwing: CancellationError())
        }
    }

    private func submit(_ job: @escaping @Sendable (SQLiteConnection?, (any Error)?) -> Void) {
        let free: Int? = state.withLock { state in
            if let index = state.idle.popLast() { return index }
            state.waiting.append(job)
            return nil
        }
        guard let free else { return }
        queue.async { self.work(job, on: free) }
    }

    private func work(
        _ first: @escaping @Sendable (SQLiteConnection?, (any Error)?) -> Void, on index: Int
    ) {
        var job = first
        while true {
            connections[index].use { connection in
                do {
                    job(try connection.openForReading(), nil)
                } catch {
                    job(nil, error)
                }
            }
            let next: (@Sendable (SQLiteConnection?, (any Error)?) -> Void)? = state.withLock {
                if let next = $0.waiting.popFirst() { return next }
                $0.idle.append(index)
                return nil
            }
            guard let next else { return }
            job = next
        }
    }
}
