#if PostgreSQL
    internal import CPostgreSQL
    internal import Foundation

    /// The rows of `COPY … TO STDOUT`, in parts, on a thread that may block.
    final class PostgreSQLCopyOut {
        private let connection: PostgreSQLBlockingConnection
        /// The number of rows, after the last part.
        private(set) var rows = 0
        private var isOver = false
        /// The least number of bytes of a part, except the last one.
        private static let partBytes = 1 << 18

        fileprivate init(_ connection: PostgreSQLBlockingConnection) {
            self.connection = connection
        }

        /// Returns the next rows; `nil` after the last one.
        func next() throws -> Data? {
            if isOver { return nil }
            let (part, rows) = try connection.wait { try await $0.nextCopied(Self.partBytes) }
            if let rows { (self.rows, isOver) = (rows, true) }
            return part.isEmpty ? nil : part
        }
    }

    /// Sends rows by `COPY … FROM STDIN`, in parts, on a thread that may block.
    final class PostgreSQLCopyIn {
        private let connection: PostgreSQLBlockingConnection

        fileprivate init(_ connection: PostgreSQLBlockingConnection) {
            self.connection = connection
        }

        /// Sends rows.
        func put(_ data: Data) throws {
            try connection.wait { try await $0.put(Array(data)) }
        }

        /// Ends the rows.
        ///
        /// - Returns: the number of rows.
        func end() throws -> Int {
            try connection.wait { connection in
                try await connection.endCopy(nil)
                return try await connection.results().last?.changed ?? 0
            }
        }

        /// Ends the statement without rows.
        func fail() {
            // The server reports what it is told; the first error is the one to report.
            _ = try? connection.wait { connection in
                try await connection.endCopy("the file cannot be read")
                _ = try await connection.results()
            }
        }
    }

    extension PostgreSQLBlockingConnection {
        /// Begins to read the rows of a table.
        func copyOut(_ text: String) throws -> PostgreSQLCopyOut {
            try wait { try await $0.beginCopy(text, PGRES_COPY_OUT) }
            return PostgreSQLCopyOut(self)
        }

        /// Begins to send the rows of a table.
        func copyIn(_ text: String) throws -> PostgreSQLCopyIn {
            try wait { try await $0.beginCopy(text, PGRES_COPY_IN) }
            return PostgreSQLCopyIn(self)
        }
    }

    extension PostgreSQLConnection {
        /// Sends a statement that is followed by rows.
        func beginCopy(_ text: String, _ status: ExecStatusType) async throws {
            guard PQsendQuery(handle, text) == 1 else { throw lost() }
            guard let first = try await next() else { throw lost() }
            let failure = error(of: first)
            let isReady = PQresultStatus(first) == status
            PQclear(first)
            guard isReady else {
                _ = try await results()
                throw failure ?? lost()
            }
        }

        /// Waits until the server has sent something, and takes it from the socket.
        func awaitInput() async throws {
            if await reactor.wait(socket, .readable, answerLimit) { throw unanswered(answerLimit) }
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }

        /// Returns the next rows of `COPY … TO STDOUT`.
        ///
        /// - Returns: the rows; the number of all rows at the end.
        fileprivate func nextCopied(_ least: Int) async throws -> (Data, rows: Int?) {
            var part = Data()
            while part.count < least {
                var buffer: UnsafeMutablePointer<CChar>?
                let count = PQgetCopyData(handle, &buffer, 1)
                if let buffer {
                    part.append(
                        UnsafeRawPointer(buffer).assumingMemoryBound(to: UInt8.self),
                        count: Int(count))
                    PQfreemem(buffer)
                } else if count == 0 {
                    try await awaitInput()
                } else {
                    // The end, or an error, which is among the results.
                    let results = try await results()
                    guard count == -1 else { throw lost() }
                    return (part, results.last?.changed ?? 0)
                }
            }
            return (part, nil)
        }
    }
#endif
