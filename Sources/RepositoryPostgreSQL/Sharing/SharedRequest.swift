#if PostgreSQL
    internal import RepositoryRuntime

    /// What one task asks of a shared connection: statements that take effect together.
    ///
    /// The conformance to `Sendable` is unchecked: the lock of the shared connection guards what
    /// changes. Before a request is in the inbox, only its task knows it, and nobody changes an
    /// answer that was given.
    final class SharedRequest: @unchecked Sendable {
        /// The statements.
        let steps: [PostgreSQLConnection.Step]
        /// A hash of the record that is written, by which requests that wait for the same lock are
        /// found; `nil` if there is none. Other records may have the same hash.
        let place: Int?
        /// The records that it writes, if other programs are told of them.
        let log: ChangeLog?
        /// The number of bytes of all values.
        let bytes: Int
        /// How the answer is waited for. Whoever waits finds it in ``SharedRequest/answer``.
        enum Waiting {
            /// By the thread of the caller.
            case thread
            /// By a task, which is resumed once: who resumes it sets ``SharedRequest/waiting`` to
            /// `nil` under the lock.
            case task(UnsafeContinuation<Void, Never>)
        }

        /// Who waits; `nil` before anyone does, and after it has left or was answered.
        var waiting: Waiting?
        /// Whether it has left the inbox, from which on the lock guards it.
        var isQueued = false
        /// The answer.
        var answer: Result<[PostgreSQLResult], any Error>?
        /// The results so far.
        var results: [PostgreSQLResult] = []
        /// Whether the task was cancelled.
        var isCancelled = false
        /// Whether the statements were given to the connection, and not undone since.
        var isSent = false
        /// Whether a group in which it was has failed, so that it runs by itself.
        var isAlone = false
        /// The number of times that it ran in vain.
        var failures = 0

        init(_ steps: [PostgreSQLConnection.Step], place: Int?, noting log: ChangeLog? = nil) {
            self.steps = steps
            self.place = place
            self.log = log
            bytes = steps.reduce(0) { $0 + $1.parameters.bytesCount }
        }

        /// Prepares it to be sent again.
        func undo() {
            isSent = false
            results.removeAll()
        }
    }

    /// Why a shared connection has not run a request, or does not know whether it did.
    enum SharedRefusal: Error {
        /// It waits for a lock, or for something that only a leased connection does. Nothing was
        /// changed.
        case needsLease
        /// The statement that precedes each group has failed. Nothing was changed.
        case leading(PostgreSQLError)
        /// There is no connection for the write, and none could be opened. It was not sent.
        case unconnected(any Error)
        /// The connection was lost between the end of the group and the answer. The question, if
        /// there is one, finds out what has become of the group.
        case outcomeUnknown(PostgreSQLError, PostgreSQLWriteQuestion?)
    }

    /// The requests that wait for their turn, in order.
    struct SharedQueue {
        private var requests: [SharedRequest] = []
        private var head = 0
        /// Requests that were sent, and run again before all others.
        private var again: [SharedRequest] = []

        /// The number of requests, of which some may have been cancelled.
        var count: Int { again.count + requests.count - head }

        /// Appends a request.
        mutating func append(_ request: SharedRequest) { requests.append(request) }

        /// Puts requests before all others.
        mutating func putFirst(_ first: [SharedRequest]) {
            if !first.isEmpty { again = first + again }
        }

        /// The first request that is still waited for. Those before it are dropped.
        mutating func first() -> SharedRequest? {
            while let request = again.first {
                if request.waiting != nil { return request }
                again.removeFirst()
            }
            while head < requests.count {
                if requests[head].waiting != nil { return requests[head] }
                dropHead()
            }
            return nil
        }

        /// Removes what ``first()`` has returned.
        mutating func removeFirst() {
            if again.isEmpty { dropHead() } else { again.removeFirst() }
        }

        /// Removes and returns all requests.
        mutating func removeAll() -> [SharedRequest] {
            defer { self = SharedQueue() }
            return again + requests[head...]
        }

        private mutating func dropHead() {
            head += 1
            if head * 2 > requests.count, head > 32 || head == requests.count {
                requests.removeFirst(head)
                head = 0
            }
        }
    }
#endif
