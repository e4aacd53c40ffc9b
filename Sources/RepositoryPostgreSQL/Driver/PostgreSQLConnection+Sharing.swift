#if PostgreSQL
    internal import CPostgreSQL
    internal import Foundation

    extension PostgreSQLConnection {
        /// Prepares the connection to be shared: from now on it is in pipeline mode, and is closed
        /// afterwards.
        ///
        /// - Parameter lockTimeout: the time that a statement waits for a lock.
        func share(lockTimeout: Duration) async throws {
            try await runSimple("SET lock_timeout = \(max(1, lockTimeout.milliseconds))")
            guard PQenterPipelineMode(handle) == 1 else { throw lost() }
        }

        /// Calls functions on the thread of the reactor: one when the server has sent something,
        /// one for each tick of its clock, which returns whether an answer is expected.
        ///
        /// - Returns: whether they will be called.
        func watch(
            _ body: @escaping @Sendable () -> Void, tick: @escaping @Sendable () -> Bool
        ) -> Bool {
            reactor.watch(socket, body, tick: tick)
        }

        /// Sets whether the function is called when the server has sent something, and when the
        /// socket takes more bytes.
        func watch(reading: Bool, writing: Bool) {
            reactor.watch(socket, reading: reading, writing: writing)
        }

        /// Blocks the thread until the server has sent something, at most for a millisecond.
        ///
        /// - Returns: whether it has sent something.
        func hasAnswer() -> Bool {
            var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            return Foundation.poll(&poll, 1, 1) > 0
        }

        /// Returns whether the server has closed an idle connection.
        var isClosedByServer: Bool {
            var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            // The end comes behind the message that tells why.
            while Foundation.poll(&poll, 1, 0) > 0 {
                if PQconsumeInput(handle) == 0 || PQstatus(handle) != CONNECTION_OK { return true }
            }
            return false
        }

        /// Ends the calls.
        func unwatch() { reactor.forget(socket) }

        /// Puts a statement into the pipeline. It is prepared before, if it was not.
        ///
        /// - Returns: whether the connection is there still; what is prepared.
        func put(_ step: Step) -> (isPut: Bool, prepared: Prepared?) {
            let key = Prepared(text: step.text, types: step.parameters.types)
            var preparing: Prepared?
            let name: String
            if let known = self.name(of: key) {
                name = known
            } else {
                number += 1
                onStatement?(step.text)
                name = "r\(number)"
                guard PQsendPrepare(handle, name, step.text, Int32(key.types.count), key.types) == 1
                else { return (false, nil) }
                prepared[key] = name
                preparing = key
            }
            let isSent = step.parameters.withPointers { values, lengths, formats in
                PQsendQueryPrepared(
                    handle, name, Int32(step.parameters.count), values, lengths, formats, 1)
            }
            return (isSent == 1, preparing)
        }

        /// Puts the statement that forgets all prepared ones into the pipeline.
        func putForgetting() -> Bool {
            let text = "DEALLOCATE ALL"
            onStatement?(text)
            return PQsendQueryParams(handle, text, 0, nil, nil, nil, nil, 1) == 1
        }
    }

    extension Duration {
        /// The number of whole milliseconds.
        var milliseconds: Int64 {
            components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
        }
    }
#endif
