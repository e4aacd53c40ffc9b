#if PostgreSQL
    internal import CPostgreSQL
    internal import Dispatch
    internal import Foundation
    internal import Synchronization

    /// Cancels the statement of a leased connection.
    ///
    /// The request goes over a connection of its own, which blocks. It may arrive before the
    /// statement, and has no effect then: it is repeated until the statement has ended. It may also
    /// arrive later: the lease waits for the end of the request.
    ///
    /// The conformance to `Sendable` is unchecked: libpq allows every thread to use the object,
    /// which does not change after its creation.
    final class PostgreSQLCancel: @unchecked Sendable {
        private enum State {
            case idle
            case sending(CheckedContinuation<Bool, Never>?)
            case over
        }
        private let handle: OpaquePointer?
        private let state = Mutex(State.idle)
        /// Ends the pause between two requests.
        private let ended = DispatchSemaphore(value: 0)
        /// The pause between two requests.
        private static let pause = DispatchTimeInterval.milliseconds(20)

        /// Creates a request for the connection.
        init(_ connection: OpaquePointer) { handle = PQgetCancel(connection) }

        deinit { PQfreeCancel(handle) }

        /// Sends the request on a thread of its own.
        func send() {
            let begins = state.withLock { state in
                guard case .idle = state else { return false }
                state = .sending(nil)
                return true
            }
            guard begins else { return }
            let thread = Thread {
                var buffer = [CChar](repeating: 0, count: 256)
                repeat {
                    PQcancel(self.handle, &buffer, 256)
                } while self.ended.wait(timeout: .now() + Self.pause) == .timedOut
                let waiting: CheckedContinuation<Bool, Never>? = self.state.withLock { state in
                    defer { state = .over }
                    guard case .sending(let waiting) = state else { return nil }
                    return waiting
                }
                waiting?.resume(returning: true)
            }
            thread.start()
        }

        /// Waits for the end of a request that was sent, and prevents a later one. The statement has
        /// ended.
        ///
        /// - Returns: whether a request was sent.
        func finish() async -> Bool {
            ended.signal()
            return await withCheckedContinuation { continuation in
                let wasSent: Bool? = state.withLock { state in
                    switch state {
                    case .sending:
                        state = .sending(continuation)
                        return nil
                    case .idle:
                        state = .over
                        return false
                    case .over: return true
                    }
                }
                if let wasSent { continuation.resume(returning: wasSent) }
            }
        }
    }
#endif
