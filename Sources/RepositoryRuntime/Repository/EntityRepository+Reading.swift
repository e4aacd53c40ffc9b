extension EntityRepository {
    /// The number of entities.
    public func count() async throws -> Int {
        try await context.open()
        return try await context.store.count(Model.self)
    }

    /// All ids, in id order.
    public func ids() async throws -> [Model.ID] {
        try await context.open()
        return try await context.store.ids(Model.self)
    }

    /// All entities, in id order.
    public func fetch() async throws -> [Model] {
        try await context.open()
        return try await context.store.page(Model.self, after: nil, limit: .max)
    }

    /// All entities, in id order, one page in memory at most.
    ///
    /// - Parameter pageSize: how many entities are read at once.
    public func stream(pageSize: Int = 256) -> EntityStream<Model> {
        EntityStream(context: context, pageSize: max(1, pageSize))
    }

    /// The entities found by a declared index; what generated finders call.
    public func find(index: Int, _ values: [StoredValue]) async throws -> [Model] {
        if !context.isReady { try await context.open() }
        let table = Model.Mapper.table
        guard table.hasFieldsIgnoringCase else {
            return try await context.store.find(
                Model.self, IndexScan(index, equal: values), limit: .max)
        }
        let keys = table.indexes.indices.contains(index) ? table.indexes[index].keys : []
        // Without a key the store says that there is no such index.
        let compared = values.enumerated().map { position, value in
            keys.indices.contains(position)
                ? table.comparable(value, of: keys[position].field) : value
        }
        return try await context.store.find(
            Model.self, IndexScan(index, equal: compared), limit: .max)
    }
}

/// All entities of a repository, read a page at a time. A record written or deleted while it runs may or may not be seen;
/// none is seen twice.
public struct EntityStream<Model: Entity>: AsyncSequence, Sendable {
    /// The entities streamed.
    public typealias Element = Model
    let context: RepositoryContext
    let pageSize: Int

    /// The place in a stream.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let context: RepositoryContext
        let pageSize: Int
        var page: [Model] = []
        var next = 0
        var last: Model.ID?
        var isAtEnd = false

        /// The next entity, or nil after the last.
        public mutating func next() async throws -> Model? {
            if next == page.count {
                guard !isAtEnd else { return nil }
                try Task.checkCancellation()
                try await context.open()
                page = try await context.store.page(Model.self, after: last, limit: pageSize)
                next = 0
                last = page.last?.id
                isAtEnd = page.count < pageSize
            }
            guard next < page.count else { return nil }
            defer { next += 1 }
            return page[next]
        }
    }

    /// Starts at the first entity.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(context: context, pageSize: pageSize)
    }
}
