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
    /// request. A thread that waits for a server which does not answer ends with that server.
    final class PostgreSQLCancel: Sendable {
        private enum State {
            case idle
            /// Requests are sent until the semaphore is signalled.
            case sending(DispatchSemaphore, CheckedContinuation<Bool, Never>?)
            case over
        }

        /// What has become of the requests.
        enum End { case unsent, sent, unanswered }

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
                self.resume(true)
            }
            thread.start()
        }

        /// Resumes the task that waits for the end of the requests, if it still does.
        private func resume(_ isAnswered: Bool) {
            let waiting: CheckedContinuation<Bool, Never>? = state.withLock { state in
                guard case .sending(_, let waiting) = state else { return nil }
                state = .over
                return waiting
            }
            waiting?.resume(returning: isAnswered)
        }

        /// Sends one request for a statement on a connection that is not used any more. Nobody
        /// waits for it.
        func abandon() {
            Thread { [canceller] in canceller.send() }.start()
        }

        /// Waits for the end of a request that was sent, and prevents a later one. Called once, when
        /// the statement has ended.
        ///
        /// - Parameter limit: the time to wait. A thread that still waits for the server is left
        ///   alone.
        func finish(within limit: Duration) async -> End {
            let ended: DispatchSemaphore? = state.withLock { state in
                if case .sending(let ended, _) = state { return ended }
                state = .over
                return nil
            }
            guard let ended else { return .unsent }
            let timer = Task { [self] in
                try await Task.sleep(for: limit)
                resume(false)
            }
            defer { timer.cancel() }
            let isAnswered = await withCheckedContinuation { continuation in
                // The thread ends only after the signal, but the time may be over already.
                let isWaiting = state.withLock { state in
                    guard case .sending = state else { return false }
                    state = .sending(ended, continuation)
                    return true
                }
                ended.signal()
                if !isWaiting { continuation.resume(returning: false) }
            }
            return isAnswered ? .sent : .unanswered
        }
    }
#endif
