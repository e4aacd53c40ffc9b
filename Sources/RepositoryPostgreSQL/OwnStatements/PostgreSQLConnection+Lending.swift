#if PostgreSQL
    internal import CPostgreSQL
    internal import Foundation

    extension PostgreSQLConnection {
        /// Lends the connection to code that may block, on a thread of its own.
        func lend<R: Sendable>(
            _ body: @escaping @Sendable (borrowing PostgreSQLHandle) throws -> R
        ) async -> Result<R, any Error> {
            do {
                return .success(
                    try await OwnThread.run("PostgreSQL lent") { [self] in
                        PQsetnonblocking(handle, 0)
                        defer {
                            PQsetnonblocking(handle, 1)
                            // The notices may be received by the closure's own function.
                            notices.receive(from: handle)
                        }
                        return try body(PostgreSQLHandle(pointer: handle))
                    })
            } catch {
                return .failure(error)
            }
        }
    }

    extension PostgreSQLResult {
        /// The number of rows that the statement wrote; 0 for a statement that only reads.
        var written: Int {
            let tag = String(cString: PQcmdStatus(handle))
            let isWrite = ["INSERT", "UPDATE", "DELETE", "MERGE"].contains { tag.hasPrefix($0) }
            return isWrite ? changed : 0
        }

        /// Returns a result with some of the columns, in another order.
        ///
        /// - Throws: `PostgreSQLError` if there is no memory left.
        func choosing(_ places: [Int]) throws -> PostgreSQLResult {
            let failure = PostgreSQLError(client: "there is no memory left")
            guard let new = PQmakeEmptyPGresult(nil, PGRES_TUPLES_OK) else { throw failure }
            var descriptions = places.map { place in
                var column = PGresAttDesc()
                column.format = 1
                column.typid = type(place)
                return column
            }
            var isDone = PQsetResultAttrs(new, Int32(places.count), &descriptions) != 0
            for row in 0..<count where isDone {
                for (column, place) in places.enumerated() {
                    let value = bytes(row, place)
                    let start = value.baseAddress?.assumingMemoryBound(to: CChar.self)
                    let isNull = isNull(row, place)
                    // The bytes are copied, and not changed.
                    isDone =
                        isDone
                        && PQsetvalue(
                            new, Int32(row), Int32(column),
                            isNull ? nil : UnsafeMutablePointer(mutating: start),
                            isNull ? -1 : Int32(value.count)) != 0
                }
            }
            guard isDone else {
                PQclear(new)
                throw failure
            }
            return PostgreSQLResult(new)
        }
    }
#endif
