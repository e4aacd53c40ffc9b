extension ReadableRepository {
    /// Returns a stream of the entities that a query selects, in its order. It holds at most one
    /// page in memory.
    ///
    /// If the store cannot deliver the entities in order, their ids are collected and sorted first,
    /// and each entity is read when it is requested. An entity that is written or deleted during
    /// the iteration may be included or not. If its position in the order of an index changes, it
    /// may be included twice. Every entity satisfies the condition.
    public func stream(_ query: Query<Model>) -> QueryStream<Model> {
        QueryStream(context: context, query: context.scoped(query))
    }
}

/// A stream of the entities that a query selects.
public struct QueryStream<Model: Entity>: AsyncSequence, Sendable {
    /// The entity type.
    public typealias Element = Model
    let context: RepositoryContext
    let query: Query<Model>

    /// Creates an iterator that starts at the first entity.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(context: context, query: query)
    }

    /// The iterator of a stream.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let context: RepositoryContext
        private let query: Query<Model>
        private var run: QueryRun<Model>?
        private var page: [Model] = []
        private var next = 0
        /// The numbers of entities that are still to be skipped and to be returned.
        private var skipped: Int
        private var remaining: Int

        init(context: RepositoryContext, query: Query<Model>) {
            self.context = context
            self.query = query
            skipped = query.skipped
            remaining = query.maximum ?? .max
        }

        /// Returns the next entity; nil after the last one.
        public mutating func next() async throws -> Model? {
            // Most entities only need this: the run is not touched for them.
            if next < page.count, skipped == 0, remaining > 0 {
                next += 1
                remaining -= 1
                return page[next - 1]
            }
            return try await nextOfRun()
        }

        /// Returns the next entity, and reads the next page if necessary.
        private mutating func nextOfRun() async throws -> Model? {
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

        /// Plans the query. If the runtime has to sort, it collects the sorted ids.
        private mutating func start() async throws -> QueryRun<Model> {
            try await context.open()
            var query = try await context.resolvedIfNeeded(query)
            var run = try QueryRun(query, context.store)
            try context.admit(query, run.plan)
            guard run.plan.sortsInRuntime || query.sortsByRelatives else {
                run.readAhead()
                return run
            }
            if query.namesRelatives {
                // The records are tested again when they are read.
                query = try await context.withOneState { [query] context in
                    try await context.resolved(query, in: context.store)
                }
                run = try QueryRun(query, context.store)
            }
            let ids = try await run.collect { row in
                try StoredValueEncoder.components(of: row.entity.id)
            }
            // The ids already exclude the skipped entities and those beyond the limit.
            skipped = 0
            return try QueryRun(query, context.store, reading: ids)
        }
    }
}
