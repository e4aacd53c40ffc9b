#if PostgreSQL
    internal import CPostgreSQL
    internal import Dispatch
    internal import Foundation
    internal import Synchronization

    /// What the server needs to find the statement of a connection.
    ///
    /// The conformance to `Sendable` is unchecked: libpq allows every thread to use the object,
    /// which does not change after its creation.
    final class PostgreSQLCanceller: @unchecked Sendable {
        private let handle: OpaquePointer?

        init(_ connection: OpaquePointer) { handle = PQgetCancel(connection) }

        deinit { PQfreeCancel(handle) }

        /// Sends a request over a connection of its own. It blocks.
        func send() {
            var buffer = [CChar](repeating: 0, count: 256)
            PQcancel(handle, &buffer, 256)
        }
    }

    /// The cancellation of one read on a leased connection.
    ///
    /// The request may arrive before the statement, and has no effect then: it is repeated until
    /// the statement has ended. It may also arrive later: the lease waits for the end of the
    /// request.
    final class PostgreSQLCancel: Sendable {
        private enum State {
            case idle
            /// Requests are sent until the semaphore is signalled.
            case sending(DispatchSemaphore, CheckedContinuation<Void, Never>?)
            case over
        }
        private let canceller: PostgreSQLCanceller
        private let state = Mutex(State.idle)
        /// The pause between two requests.
        private static let pause = DispatchTimeInterval.milliseconds(20)

        init(_ canceller: PostgreSQLCanceller) { self.canceller = canceller }

        /// Sends requests on a thread of its own.
        func send() {
            let ended = DispatchSemaphore(value: 0)
            let begins = state.withLock { state in
                guard case .idle = state else { return false }
                state = .sending(ended, nil)
                return true
            }
            guard begins else { return }
            let thread = Thread {
                repeat {
                    self.canceller.send()
                } while ended.wait(timeout: .now() + Self.pause) == .timedOut
                let waiting: CheckedContinuation<Void, Never>? = self.state.withLock { state in
                    defer { state = .over }
                    guard case .sending(_, let waiting) = state else { return nil }
                    return waiting
                }
                waiting?.resume()
            }
            thread.start()
        }

        /// Waits for the end of a request that was sent, and prevents a later one. Called once, when
        /// the statement has ended.
        ///
        /// - Returns: whether a request was sent.
        func finish() async -> Bool {
            let ended: DispatchSemaphore? = state.withLock { state in
                if case .sending(let ended, _) = state { return ended }
                state = .over
                return nil
            }
            guard let ended else { return false }
            await withCheckedContinuation { continuation in
                state.withLock { $0 = .sending(ended, continuation) }
                // The thread ends only after this.
                ended.signal()
            }
            return true
        }
    }
#endif
