#if PostgreSQL
    internal import CPostgreSQL

    /// Reads that wait for their answers on the threads of their callers.
    ///
    /// A thread of the cooperative pool is blocked meanwhile, at most for a millisecond. This is done
    /// only where one task reads at a time, and the last answer took no longer than some wake-ups of
    /// threads do (``longestTrip``): on the same machine, or over a very fast network.
    extension SharedPipeline {
        /// The number of requests that must have been sent alone before.
        private static let leastStreak = 4

        /// Whether one task at a time has read.
        var isAlone: Bool { streak >= Self.leastStreak }

        /// Whether the caller of the next request waits for its answer.
        var canPoll: Bool {
            !isPolled && isAlone && trip <= longestTrip && groups.isEmpty
                && connection != nil && waiting.count == 0
        }

        /// Sends the only request, whose caller waits for what the server sends. The thread of the
        /// reactor is not called meanwhile.
        ///
        /// - Returns: the connection; `nil` if the caller cannot wait for it.
        mutating func beginPoll(_ effects: inout SharedEffects) -> PostgreSQLConnection? {
            // An empty group that tries the connection is sent first, and answered later.
            pump(&effects)
            guard let connection, groups.count == 1, groups[0].isFlushed,
                groups[0].requests.count == 1
            else {
                listen()
                return nil
            }
            isPolled = true
            counts.polled += 1
            if isListening {
                isListening = false
                connection.watch(reading: false, writing: false)
                // A tick notices an idle connection that has ended.
                connection.reactor.startClock()
            }
            return connection
        }

        /// Leaves what the server sends to the thread of the reactor, unless no answer is expected.
        mutating func endPoll() {
            isPolled = false
            if !groups.isEmpty { listen() }
        }

        /// Lets the thread of the reactor be called when the server has sent something, unless a
        /// caller waits for it.
        mutating func listen() {
            guard !isListening, !isPolled, let connection else { return }
            isListening = true
            connection.watch(reading: true, writing: false)
        }

        /// Counts a group that is sent.
        mutating func noteStreak(_ group: inout SharedGroup) {
            guard groups.isEmpty, group.requests.count == 1, kind == .reads else {
                streak = 0
                return
            }
            streak += 1
            group.sentAlone = .now
        }
    }
#endif
