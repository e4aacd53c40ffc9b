#if PostgreSQL
    /// Requests that share a Sync, and the answers that are expected for them.
    struct SharedGroup {
        /// What a message of the group is for.
        enum Item {
            /// A statement is prepared, for the request with a number.
            case prepare(PostgreSQLConnection.Prepared, request: Int, step: Int)
            /// All prepared statements are forgotten.
            case forget
            /// A statement of a request. The statement that precedes those of all requests, and
            /// those of the journal, which follow them, have numbers that no request has.
            case step(request: Int, step: Int)
            /// The end of the group.
            case sync
        }

        /// The first error of the group.
        struct Failure {
            let error: PostgreSQLError
            /// The request whose statement failed; `nil` if it was the end of the group.
            let request: Int?
            /// The number of the statement.
            let step: Int
        }

        /// The numbers that stand for the leading statement, and for those of the journal, instead
        /// of a request.
        static let (leading, journal) = (-1, -2)

        var requests: [SharedRequest]
        var items: [Item] = []
        /// The number of the item that is answered next.
        var next = 0
        /// Whether this item has a result. A null result ends it.
        var hasResult = false
        var failure: Failure?
        /// When it was sent, if it is a request that was sent alone.
        var sentAlone: ContinuousClock.Instant?
        /// Finds out whether the group was committed, if its answer is lost; `nil` if it cannot be
        /// known.
        var question: PostgreSQLWriteQuestion?
        /// Whether all bytes of the group were given to the system.
        var isFlushed = false

        /// Whether it is one request that runs by itself after the failure of a group.
        var isAlone: Bool { requests.count == 1 && requests[0].isAlone }

        init(_ requests: [SharedRequest]) { self.requests = requests }

        /// Notes a failure, unless there was an earlier one.
        mutating func fail(_ error: PostgreSQLError, request: Int?, step: Int) {
            if failure == nil { failure = Failure(error: error, request: request, step: step) }
        }
    }

    /// What is to be done when the lock of a shared connection was released.
    struct SharedEffects {
        /// The tasks that go on.
        var answered: [UnsafeContinuation<Void, Never>] = []
        /// Whether to connect.
        var connects = false
        /// A connection that is not used any more.
        var retired: PostgreSQLConnection?

        /// Answers a request, if it is still waited for.
        mutating func answer(
            _ request: SharedRequest, _ answer: Result<[PostgreSQLResult], any Error>
        ) {
            guard let waiting = request.waiting else { return }
            request.waiting = nil
            request.answer = answer
            if case .task(let task) = waiting { answered.append(task) }
        }
    }

    /// What a shared connection counts.
    struct SharedCounts {
        /// The requests that succeeded.
        var requests = 0
        /// The groups that succeeded.
        var groups = 0
        /// The greatest number of requests of a group.
        var largestGroup = 0
        /// The groups that failed, so that their requests ran again.
        var undoneGroups = 0
        /// The requests that were moved to a leased connection.
        var moved = 0
        /// The requests whose callers have waited for the answers themselves.
        var polled = 0
        /// The connections that were lost.
        var lost = 0
    }
#endif
