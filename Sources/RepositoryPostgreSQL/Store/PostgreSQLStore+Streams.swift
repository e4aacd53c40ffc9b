#if PostgreSQL
    package import RepositoryRuntime
    internal import RepositorySQLCore

    extension PostgreSQLStore {
        /// The number of times that a stream begins again on a cluster, where pages are dear.
        private static var mostStops: Int { 3 }
        /// The time that a loop may take for a page on a cluster.
        private static var clusterPatience: Duration { .seconds(60) }

        /// Begins to read the rest of a stream by one statement, if the stream is long and there
        /// are connections left for others.
        ///
        /// The fields of encrypted records are decrypted page by page, because keys are looked up
        /// on the same connection.
        package func followingRecords<E: Entity>(
            _ type: E.Type, _ rest: StreamRest<E>, _ progress: StreamProgress
        ) -> (any FollowingRecords<E>)? {
            guard !access.refusesCopies, let plan = tables.find(E.Mapper.table.name),
                plan.table.cipher == nil
            else { return nil }
            let isSpread = access.isSpread && plan.table.isDistributed
            let isLong =
                isSpread
                ? progress.stops < Self.mostStops
                : progress.pages >= options.streams.fewPages && progress.stops == 0
            guard isLong, access.hasSpare, let copy = try? plan.copy(rest) else {
                return nil
            }
            let patience = isSpread ? Self.clusterPatience : options.streams.patience
            return PostgreSQLFollowingRecords(
                PostgreSQLStreamReading(
                    access: access, plan: plan, copy: copy, patience: patience))
        }
    }

    extension SQLTable {
        /// Whether the rows are distributed by a field.
        fileprivate var isDistributed: Bool {
            if case .column? = declaredDistribution { true } else { false }
        }
    }
#endif
