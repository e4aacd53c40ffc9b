#if PostgreSQL
    internal import CPostgreSQL
    internal import RepositoryRuntime

    /// The state of a shared connection: the requests that wait, and the groups that were sent.
    ///
    /// All of it happens under one lock. What may block, or resumes tasks, is left to the caller in
    /// ``SharedEffects``.
    struct SharedPipeline {
        /// What the connection is shared for.
        enum Kind: Sendable { case reads, writes }

        let kind: Kind
        /// The statement that is sent before each group.
        let leading: @Sendable () -> PostgreSQLConnection.Step?
        /// What is written once for each group besides the records; `nil` if there is nothing.
        let journal: PostgreSQLJournal?
        /// The idle time after which the connection is tried before it is used.
        private let unproven: Duration
        /// How long a group, and a trial of the connection, wait for the next byte.
        let limit: AnswerLimit?
        let trialLimit: AnswerLimit
        /// The time that the last answer may have taken if the caller waits for the next one itself.
        let longestTrip: Duration
        /// The number of ticks since something was received, or sent while nothing was expected.
        var quietTicks: UInt64 = 0
        var connection: PostgreSQLConnection?
        var isConnecting = false
        var isClosed = false
        var waiting = SharedQueue()
        /// What was in the inbox last.
        var received: [SharedRequest] = []
        /// The groups that were sent, in order.
        var groups: [SharedGroup] = []
        var counts = SharedCounts()
        /// The numbers of requests on leased connections, by the places whose locks they wait for.
        var contended: [Int: Int] = [:]
        /// The number of requests that share a Sync. A group that fails halves it for writes: where
        /// many fail, the others need not be undone and repeated so often.
        private var most: Int
        /// Whether the socket has not taken all bytes.
        private var isFlushing = false
        /// Whether the thread of the reactor is called when the server has sent something.
        var isListening = true
        /// Whether the thread of a caller waits for what the server sends.
        var isPolled = false
        /// The number of requests in a row that were sent alone, while no answer was expected.
        var streak = 0
        /// The time between sending the last of them and its answer.
        var trip = Duration.zero
        /// Whether the prepared statements are to be forgotten.
        var forgets = false
        /// Whether the server has said that it ends the connection.
        var isDoomed = false
        /// Whether what is being read has answered the trial of the connection.
        var isProven = false

        /// The number of bytes from which a group is not extended.
        private static let mostBytes = 1 << 18
        /// The number of statements from which a group is not extended.
        private static let mostSteps = 256
        /// The number of times that a request runs on connections that are lost.
        static let mostFailures = 3
        /// The number of times that a request runs on connections on which nothing is answered.
        static let mostUnanswered = 2
        /// The number of groups that run after each other without waiting for answers. Further
        /// requests gather meanwhile.
        private static let (readDepth, aloneDepth) = (2, 16)
        /// The number of groups of reads if the last ones are full: with so many callers the server
        /// has something to do while their threads take turns.
        private static let fullDepth = 4

        init(
            _ kind: Kind, unproven: Duration, limit: AnswerLimit?, trialLimit: AnswerLimit,
            longestTrip: Duration, journal: PostgreSQLJournal?,
            leading: @escaping @Sendable () -> PostgreSQLConnection.Step?
        ) {
            self.kind = kind
            self.leading = leading
            self.journal = journal
            self.unproven = unproven
            (self.limit, self.trialLimit, self.longestTrip) = (limit, trialLimit, longestTrip)
            most = Self.most(kind)
        }

        private static func most(_ kind: Kind) -> Int { kind == .reads ? 16 : 64 }

        /// Adjusts the size of groups to their success.
        mutating func adapt(succeeded: Bool) {
            most = succeeded ? min(Self.most(kind), most + 2) : max(1, most / 2)
        }

        // MARK: Sending

        /// Sends what can be sent.
        mutating func pump(_ effects: inout SharedEffects) {
            // It is no proof for a request that comes later.
            defer { isProven = false }
            if let connection, groups.isEmpty, waiting.first() != nil {
                // Nothing is sent on a connection that is known to be over: a write would be lost.
                if connection.isClosedByServer { return lose(connection.lost(), &effects) }
                if !isProven, connection.idleTime > unproven, !send([], connection) {
                    return lose(connection.lost(), &effects)
                }
            }
            while let connection, let requests = nextGroup(&effects) {
                guard send(requests, connection) else {
                    return lose(connection.lost(), &effects)
                }
            }
            if connection == nil, waiting.first() != nil, !isConnecting, !isClosed {
                isConnecting = true
                effects.connects = true
            }
        }

        /// Gives bytes to the socket.
        ///
        /// - Returns: whether the connection is there still.
        mutating func flush(_ connection: PostgreSQLConnection) -> Bool {
            let rest = PQflush(connection.handle)
            if rest < 0 { return false }
            if rest == 0 {
                for place in groups.indices { groups[place].isFlushed = true }
            }
            if isFlushing != (rest > 0) {
                isFlushing = rest > 0
                isListening = true
                connection.watch(reading: true, writing: isFlushing)
            }
            return true
        }

        /// Removes and returns the requests that share the next Sync; `nil` if none is to be sent.
        private mutating func nextGroup(_ effects: inout SharedEffects) -> [SharedRequest]? {
            var requests: [SharedRequest] = []
            var (bytes, steps) = (0, 0)
            while let request = waiting.first() {
                if let place = request.place, contended[place] != nil {
                    waiting.removeFirst()
                    move(request, &effects)
                    continue
                }
                if requests.isEmpty, !canSend(request) { return nil }
                if !requests.isEmpty {
                    if request.isAlone || requests.count >= most || bytes >= Self.mostBytes
                        || steps >= Self.mostSteps
                    {
                        break
                    }
                }
                waiting.removeFirst()
                requests.append(request)
                bytes += request.bytes
                steps += request.steps.count
                if request.isAlone { break }
            }
            return requests.isEmpty ? nil : requests
        }

        /// Returns whether a group that begins with a request may be sent now.
        private func canSend(_ request: SharedRequest) -> Bool {
            if groups.isEmpty { return true }
            // An empty group tries a connection that was idle for long.
            if groups[0].requests.isEmpty { return false }
            if kind == .reads {
                return groups.count < Self.readDepth
                    || (groups.count < Self.fullDepth && waiting.count >= most)
            }
            // Only the last write of a connection can be asked for.
            if journal?.isExactlyOnce ?? false { return false }
            return request.isAlone && groups.count < Self.aloneDepth
                && groups.allSatisfy(\.isAlone)
        }

        /// Lets a request run on a leased connection.
        mutating func move(_ request: SharedRequest, _ effects: inout SharedEffects) {
            guard request.waiting != nil else { return }
            counts.moved += 1
            if let place = request.place { contended[place, default: 0] += 1 }
            effects.answer(request, .failure(SharedRefusal.needsLease))
        }

        /// Sends a group.
        ///
        /// - Returns: whether the connection is there still. If not, none of the group was done.
        private mutating func send(
            _ requests: [SharedRequest], _ connection: PostgreSQLConnection
        ) -> Bool {
            var group = SharedGroup(requests)
            for request in requests { request.isSent = true }
            var isSent = true
            if forgets || connection.prepared.count >= PostgreSQLConnection.mostPrepared {
                forgets = false
                connection.prepared = [:]
                group.items.append(.forget)
                isSent = connection.putForgetting()
            }
            if isSent, !requests.isEmpty, let leading = leading() {
                isSent = put(leading, request: SharedGroup.leading, step: 0, &group, connection)
            }
            for (number, request) in requests.enumerated() {
                for (place, step) in request.steps.enumerated() where isSent {
                    isSent = put(step, request: number, step: place, &group, connection)
                }
            }
            if isSent, let journal, !requests.isEmpty {
                isSent = put(journal, &group, connection)
            }
            group.items.append(.sync)
            // Nothing takes effect without the Sync. It is not answered if it was not sent whole.
            isSent = isSent && PQpipelineSync(connection.handle) == 1
            if groups.isEmpty { quietTicks = 0 }
            noteStreak(&group)
            groups.append(group)
            if limit != nil || requests.isEmpty { connection.reactor.startClock() }
            return isSent && flush(connection)
        }

        /// Puts what is written besides the records of a group into the pipeline.
        ///
        /// - Returns: whether the connection is there still.
        private func put(
            _ journal: PostgreSQLJournal, _ group: inout SharedGroup,
            _ connection: PostgreSQLConnection
        ) -> Bool {
            var log = ChangeLog()
            for request in group.requests { if let own = request.log { log.add(own) } }
            var isSent = true
            for (place, step) in journal.steps(connection, log).enumerated() where isSent {
                isSent = put(step, request: SharedGroup.journal, step: place, &group, connection)
            }
            if journal.isExactlyOnce {
                group.question = connection.writeSession.map {
                    PostgreSQLWriteQuestion(PostgreSQLLostWrite(session: $0))
                }
            }
            return isSent
        }

        private func put(
            _ step: PostgreSQLConnection.Step, request: Int, step place: Int,
            _ group: inout SharedGroup, _ connection: PostgreSQLConnection
        ) -> Bool {
            let (isPut, prepared) = connection.put(step)
            if let prepared {
                group.items.append(.prepare(prepared, request: request, step: place))
            }
            group.items.append(.step(request: request, step: place))
            return isPut
        }

        /// Begins to use a connection.
        mutating func adopt(_ new: PostgreSQLConnection, _ effects: inout SharedEffects) {
            isConnecting = false
            (isFlushing, isDoomed, forgets) = (false, false, false)
            (isListening, streak) = (true, 0)
            guard !isClosed else {
                new.unwatch()
                new.discard()
                effects.retired = new
                return
            }
            connection = new
            pump(&effects)
        }

        /// Answers all requests with the error of connecting.
        mutating func refuse(_ error: any Error, _ effects: inout SharedEffects) {
            isConnecting = false
            let refusal: any Error =
                kind == .writes ? SharedRefusal.unconnected(error) : error
            for request in waiting.removeAll() { effects.answer(request, .failure(refusal)) }
        }
    }
#endif
