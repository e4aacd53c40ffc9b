extension EntityRepository {
    /// The entities that a query asks for, in its order, one page in memory at most.
    ///
    /// Where the store does not find them in the order of the query, their ids are gathered and sorted first, and each
    /// entity is read when it is its turn. An entity written or deleted while the stream runs may or may not be seen, and
    /// one whose place in the order of an index changes meanwhile may be seen at both; none is seen that is not as the
    /// condition says.
    public func stream(_ query: Query<Model>) -> QueryStream<Model> {
        QueryStream(context: context, query: query)
    }
}

/// The entities of a query, read as they are asked for.
public struct QueryStream<Model: Entity>: AsyncSequence, Sendable {
    /// What it gives.
    public typealias Element = Model
    let context: RepositoryContext
    let query: Query<Model>

    /// Starts at the beginning.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(context: context, query: query)
    }

    /// The place in a stream.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let context: RepositoryContext
        private let query: Query<Model>
        private var run: QueryRun<Model>?
        private var page: [Model] = []
        private var next = 0
        /// How many are still to be left out, and how many are still to be given.
        private var skipped: Int
        private var remaining: Int

        init(context: RepositoryContext, query: Query<Model>) {
            self.context = context
            self.query = query
            skipped = query.skipped
            remaining = query.maximum ?? .max
        }

        /// The next entity, or nil after the last.
        public mutating func next() async throws -> Model? {
            var run: QueryRun<Model>
            if let running = self.run { run = running } else { run = try await start() }
            defer { self.run = run }
            while remaining > 0 {
                while next < page.count {
                    next += 1
                    if skipped > 0 {
                        skipped -= 1
                        continue
                    }
                    remaining -= 1
                    return page[next - 1]
                }
                guard let found = try await run.nextPage() else { return nil }
                page = found
                next = 0
            }
            return nil
        }

        private mutating func start() async throws -> QueryRun<Model> {
            try await context.open()
            var run = try QueryRun(query, context.store)
            try context.admit(query, run.plan)
            guard run.plan.sortsInRuntime else { return run }
            let ids = try await run.collect { row in
                try StoredValueEncoder.components(of: row.entity.id)
            }
            // What was left out and what is too much is not among the ids.
            skipped = 0
            return try QueryRun(query, context.store, reading: ids)
        }
    }
}
