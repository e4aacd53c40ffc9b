#if PostgreSQL
    extension PostgreSQLStore {
        /// The connections at this moment, and what they have done since the store was created.
        public var statistics: PostgreSQLStatistics {
            let pool = access.pool
            let (counts, numbers) = (pool.counts, pool.numbers)
            let reads = access.sharedReads?.counts
            let writes = access.sharedWrites?.counts
            let shared = [reads, writes].reduce(0) { $0 + ($1?.isOpen ?? false ? 1 : 0) }
            return PostgreSQLStatistics(
                connectionLimit: pool.limit, openConnections: counts.open,
                idleConnections: counts.idle, sharedConnections: shared,
                leasedConnections: max(0, counts.open - counts.idle - shared),
                waitingOperations: counts.waiting, openedConnections: numbers.opened,
                failedConnections: numbers.failed, leases: numbers.leases,
                reads: Sharing(reads), writes: Sharing(writes))
        }
    }

    private typealias Sharing = PostgreSQLStatistics.Sharing

    /// Numbers of the connections of a store.
    public struct PostgreSQLStatistics: Sendable, Hashable {
        /// The greatest number of connections.
        public let connectionLimit: Int
        /// The connections that are open or being opened.
        public let openConnections: Int
        /// The open connections that no operation uses.
        public let idleConnections: Int
        /// The open connections that many operations share.
        public let sharedConnections: Int
        /// The connections that one operation, transaction or snapshot has, or that are being opened.
        public let leasedConnections: Int
        /// The operations that wait for a connection of their own.
        public let waitingOperations: Int
        /// The connections that were opened since the store was created.
        public let openedConnections: Int
        /// The attempts to connect that have failed.
        public let failedConnections: Int
        /// The number of times that an operation, a transaction or a snapshot got a connection of its
        /// own.
        public let leases: Int
        /// What the shared connection of reads has done.
        public let reads: Sharing
        /// What the shared connection of writes has done.
        public let writes: Sharing

        /// Numbers of a shared connection.
        public struct Sharing: Sendable, Hashable {
            /// The operations that have succeeded.
            public let operations: Int
            /// The groups in which they were sent. All writes of a group were committed at once.
            public let groups: Int
            /// The greatest number of operations of a group.
            public let largestGroup: Int
            /// The operations that wait for their turn.
            public let waitingOperations: Int
            /// The groups in which an operation has failed, so that the others ran again.
            public let undoneGroups: Int
            /// The operations that continued on a connection of their own, because they had to wait
            /// for a lock.
            public let movedOperations: Int
            /// The number of times that the connection was lost.
            public let lostConnections: Int

            init(_ shared: (counts: SharedCounts, waiting: Int, isOpen: Bool)?) {
                let counts = shared?.counts ?? SharedCounts()
                operations = counts.requests
                groups = counts.groups
                largestGroup = counts.largestGroup
                waitingOperations = shared?.waiting ?? 0
                undoneGroups = counts.undoneGroups
                movedOperations = counts.moved
                lostConnections = counts.lost
            }
        }
    }
#endif
