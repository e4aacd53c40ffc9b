#if PostgreSQL
    extension PostgreSQLPoolAccess {
        /// The shared connections that will be opened. They are not left to streams.
        private var unopened: Int {
            [sharedReads, sharedWrites].compactMap(\.self).count { !$0.counts.isOpen }
        }

        /// Whether a stream can have a connection.
        var hasSpare: Bool { pool.hasSpare(besides: unopened) }

        /// Leases a connection for a stream.
        ///
        /// - Returns: `nil` if it would be the last one.
        func leaseSpare(for pages: FollowingPages) async throws -> PostgreSQLConnection? {
            guard hasSpare else { return nil }
            let connection = try await pool.lease(pool.answerLimit)
            pool.add(pages)
            return connection
        }
    }

    extension ConnectionPool {
        /// Returns whether another connection is left for other operations if a stream takes one.
        ///
        /// - Parameter reserved: the number of connections that are not opened yet, and belong to
        ///   others.
        func hasSpare(besides reserved: Int) -> Bool {
            let counts = counts
            return counts.waiting == 0 && counts.idle + limit - counts.open >= reserved + 2
        }

        /// Gives the connection of a stream back.
        func giveBack(_ connection: PostgreSQLConnection, from pages: FollowingPages) {
            remove(pages)
            giveBack(connection)
        }
    }
#endif
