#if PostgreSQL
    internal import CPostgreSQL
    internal import Foundation
    internal import Synchronization

    /// Cancels the statement of a leased connection.
    ///
    /// The request goes over a connection of its own, which blocks, and may arrive when the
    /// statement has ended. The lease therefore waits for the end of the request.
    ///
    /// The conformance to `Sendable` is unchecked: libpq allows every thread to use the object,
    /// which does not change after its creation.
    final class PostgreSQLCancel: @unchecked Sendable {
        private enum State {
            case idle
            case sending(CheckedContinuation<Void, Never>?)
            case over
        }
        private let handle: OpaquePointer?
        private let state = Mutex(State.idle)

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
                PQcancel(self.handle, &buffer, 256)
                let waiting: CheckedContinuation<Void, Never>? = self.state.withLock { state in
                    defer { state = .over }
                    guard case .sending(let waiting) = state else { return nil }
                    return waiting
                }
                waiting?.resume()
            }
            thread.start()
        }

        /// Waits for the end of a request that was sent, and prevents a later one.
        func finish() async {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    if case .sending = state {
                        state = .sending(continuation)
                        return true
                    }
                    state = .over
                    return false
                }
                if !waits { continuation.resume() }
            }
        }
    }
#endif
