extension ReadableRepository {
    /// Returns the number of entities.
    public func count() async throws -> Int {
        try await context.open()
        if context.hidesDeleted(Model.self) { return try await count(.all) }
        return try await context.store.count(Model.self)
    }

    /// Returns all ids, in id order.
    public func ids() async throws -> [Model.ID] {
        try await context.open()
        if context.hidesDeleted(Model.self) { return try await ids(.all) }
        return try await context.store.ids(Model.self)
    }

    /// Returns all entities, in id order.
    ///
    /// - Throws: `invalidRecord` if records cannot be read; the error names up to 10 of them.
    ///   ``fetch(tolerant:)`` returns the others.
    public func fetch() async throws -> [Model] {
        try await context.open()
        return try await namingUnreadable {
            if context.hidesDeleted(Model.self) { return try await fetch(.all) }
            return try await context.store.page(Model.self, after: nil, limit: .max)
        }
    }

    /// Returns a stream of all entities, in id order. It holds at most one page in memory.
    ///
    /// - Parameter pageSize: the number of entities per page; `nil` for 256, or as many as the store
    ///   reads well at once: PostgreSQL about half a megabyte.
    public func stream(pageSize: Int? = nil) -> EntityStream<Model> {
        EntityStream(context: context, pageSize: pageSize.map { max(1, $0) })
    }

    /// Returns the entities that a declared index finds. Generated finders call this method.
    public func find(index: Int, _ values: [StoredValue]) async throws -> [Model] {
        if !context.isReady { try await context.open() }
        let table = Model.Mapper.table
        guard table.hasFieldsIgnoringCase else {
            return present(
                try await context.store.find(
                    Model.self, IndexScan(index, equal: values), limit: .max))
        }
        let keys = table.indexes.indices.contains(index) ? table.indexes[index].keys : []
        // If the index has no such key, the store reports the invalid scan.
        let compared = values.enumerated().map { position, value in
            keys.indices.contains(position)
                ? table.comparable(value, of: keys[position]) : value
        }
        return present(
            try await context.store.find(
                Model.self, IndexScan(index, equal: compared), limit: .max))
    }

    /// Returns the entities that are not deleted; all of them if the repository includes deleted
    /// ones.
    @inline(__always)
    private func present(_ entities: [Model]) -> [Model] {
        guard context.hidesDeleted(Model.self) else { return entities }
        return entities.filter { Model.Mapper.deletion(of: $0) == nil }
    }
}

/// The entities of a repository, read page by page.
///
/// A record that is written or deleted during the iteration may be included or not. No record is
/// included twice.
public struct EntityStream<Model: Entity>: AsyncSequence, Sendable {
    /// The entity type.
    public typealias Element = Model
    let context: RepositoryContext
    let pageSize: Int?

    /// The iterator of a stream.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let context: RepositoryContext
        private var source: RecordSource<Model>
        private var page: [Model] = []
        private var next = 0

        init(context: RepositoryContext, pageSize: Int?) {
            self.context = context
            source = RecordSource(context.store, .scan, after: nil, limit: .max)
            source.wantedPageSize = pageSize
            source.readsAhead = true
        }

        /// Returns the next entity; nil after the last one.
        public mutating func next() async throws -> Model? {
            while next == page.count {
                try Task.checkCancellation()
                try await context.open()
                guard let found = try await source.nextEntities() else { return nil }
                page = found
                next = 0
                if context.hidesDeleted(Model.self) {
                    page.removeAll { Model.Mapper.deletion(of: $0) != nil }
                }
            }
            defer { next += 1 }
            return page[next]
        }
    }

    /// Creates an iterator that starts at the first entity.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(context: context, pageSize: pageSize)
    }
}
