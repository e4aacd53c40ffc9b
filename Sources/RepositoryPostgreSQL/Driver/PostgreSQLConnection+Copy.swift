#if PostgreSQL
    internal import CPostgreSQL

    extension PostgreSQLConnection {
        /// The number of bytes that are given to the connection together.
        private static let copiedBytes = 1 << 16

        /// Sends rows by `COPY … FROM STDIN (FORMAT binary)`, which is faster than a statement for
        /// each. Source of the format: https://www.postgresql.org/docs/current/sql-copy.html
        ///
        /// - Parameters:
        ///   - text: the statement.
        ///   - count: the number of rows.
        ///   - row: returns the values of a row, by its number.
        /// - Throws: `PostgreSQLError`; what `row` throws. No row is stored then.
        func copyIn(
            _ text: String, count: Int, _ row: (Int) throws -> PostgreSQLParameters
        ) async throws {
            // The end of the statement, and the checks of the commit, take their time.
            answerLimit = nil
            onStatement?(text)
            guard PQsendQuery(handle, text) == 1 else { throw lost() }
            guard let first = try await next() else { throw lost() }
            let failure = error(of: first)
            let isReady = PQresultStatus(first) == PGRES_COPY_IN
            PQclear(first)
            guard isReady else {
                _ = try await results()
                throw failure ?? lost()
            }
            do {
                // The signature, no flags and no extension.
                var buffer: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0]
                buffer.append(Int32(0))
                buffer.append(Int32(0))
                for number in 0..<count {
                    try row(number).appendRow(to: &buffer)
                    if buffer.count >= Self.copiedBytes {
                        try await put(buffer)
                        buffer.removeAll(keepingCapacity: true)
                    }
                }
                buffer.append(Int16(-1))
                try await put(buffer)
                try await endCopy(nil)
            } catch {
                if isUsable {
                    try await endCopy("a value cannot be stored")
                    // The server reports what it was told; the first error is the one to report.
                    _ = try? await results()
                }
                throw error
            }
            _ = try await results()
        }

        /// Gives bytes to the server.
        func put(_ bytes: [UInt8]) async throws {
            while true {
                let code = bytes.withUnsafeBytes { buffer in
                    PQputCopyData(
                        handle, buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                        Int32(truncatingIfNeeded: buffer.count))
                }
                if code < 0 { throw lost() }
                // What the socket does not take would be kept in memory.
                try await flush()
                if code == 1 { return }
            }
        }

        /// Ends the rows.
        ///
        /// - Parameter reason: why the statement shall fail; `nil` if it shall succeed.
        func endCopy(_ reason: String?) async throws {
            while true {
                let code = PQputCopyEnd(handle, reason)
                if code < 0 { throw lost() }
                try await flush()
                if code == 1 { return }
            }
        }
    }

    extension PostgreSQLParameters {
        /// Appends the values as a row of `COPY`.
        func appendRow(to buffer: inout [UInt8]) {
            buffer.append(Int16(truncatingIfNeeded: count))
            for number in 0..<count {
                guard let value = value(number) else {
                    buffer.append(Int32(-1))
                    continue
                }
                buffer.append(Int32(truncatingIfNeeded: value.count))
                buffer.append(contentsOf: value)
            }
        }
    }
#endif
