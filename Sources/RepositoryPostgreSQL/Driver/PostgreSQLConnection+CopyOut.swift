#if PostgreSQL
    internal import CPostgreSQL

    /// The progress of a `COPY … TO STDOUT (FORMAT binary)` whose rows are kept for decoding.
    ///
    /// The conformance to `Sendable` is unchecked. It is valid because the thread of the reactor
    /// uses it only while the task that reads waits for that thread.
    final class PostgreSQLRowCopy: @unchecked Sendable {
        /// What has become of the reading after the data that have arrived.
        enum State { case wanting, full, over, malformed }

        /// A result with the columns of the rows.
        let columns: PostgreSQLResult
        /// The rows that were read and not taken.
        private var rows: CopiedRows
        /// Whether the header of the data is still to come.
        private var isFirst = true
        private(set) var state = State.wanting

        /// - Parameter columns: a result with the columns of the rows.
        init(columns: PostgreSQLResult) {
            self.columns = columns
            rows = CopiedRows(columns: columns.columns)
        }

        /// Takes the rows that were read.
        func take() -> PostgreSQLResult? {
            guard rows.count > 0 else { return nil }
            defer {
                rows = CopiedRows(columns: columns.columns)
                if state == .full { state = .wanting }
            }
            return PostgreSQLResult(rows, columns)
        }

        /// Reads the rows that have arrived, until the buffer is full.
        ///
        /// - Returns: the number of messages.
        @discardableResult
        func read(_ handle: OpaquePointer) -> Int {
            var messages = 0
            while state == .wanting {
                var message: UnsafeMutablePointer<CChar>?
                let count = PQgetCopyData(handle, &message, 1)
                guard let message else {
                    // The end, or an error, which is among the results.
                    if count < 0 { state = .over }
                    return messages
                }
                defer { PQfreemem(message) }
                messages += 1
                do {
                    // What follows the last row is the end of the statement.
                    _ = try rows.append(
                        UnsafeRawBufferPointer(start: message, count: Int(count)),
                        isFirst: isFirst)
                    isFirst = false
                    if rows.isFull { state = .full }
                } catch {
                    state = .malformed
                }
            }
            return messages
        }
    }

    extension PostgreSQLConnection {
        /// Reads the next rows of `COPY … TO STDOUT`, on the thread of the reactor.
        ///
        /// - Returns: the rows; `nil` at the end.
        /// - Throws: `PostgreSQLError`; `CopiedRows.Malformed`, in which case the statement goes
        ///   on.
        func nextRows(_ copy: PostgreSQLRowCopy) async throws -> PostgreSQLResult? {
            copy.read(handle)
            while copy.state == .wanting {
                let isLate = await reactor.wait(socket, .readable, answerLimit) {
                    self.receive(copy)
                }
                if isLate { throw unanswered(answerLimit) }
                if hasFailed { throw lost() }
            }
            if copy.state == .malformed { throw CopiedRows.Malformed() }
            return copy.take()
        }

        /// Reads what has arrived, on the thread of the reactor.
        ///
        /// - Returns: whether the buffer is full, or nothing more will arrive.
        private func receive(_ copy: PostgreSQLRowCopy) -> Bool {
            while true {
                hasFailed = PQconsumeInput(handle) != 1
                if hasFailed { return true }
                let messages = copy.read(handle)
                if copy.state != .wanting { return true }
                // The socket may have more than one part, which are read without another wake-up.
                if messages == 0 { return false }
            }
        }

        /// Reads the rest of a `COPY … TO STDOUT` that was cancelled, and forgets it.
        func dropCopiedRows() async throws {
            while true {
                var message: UnsafeMutablePointer<CChar>?
                let count = PQgetCopyData(handle, &message, 1)
                if let message {
                    PQfreemem(message)
                } else if count < 0 {
                    return
                } else {
                    try await awaitInput()
                }
            }
        }
    }
#endif
