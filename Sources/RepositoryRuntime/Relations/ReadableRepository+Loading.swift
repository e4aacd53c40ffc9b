extension ReadableRepository {
    /// Returns the entities that a query selects, in its order, each with the records to which its
    /// references lead and with those of its relations.
    ///
    /// ```swift
    /// for (book, author, loans) in try await books.fetch(query, loading: \.author, \.loans) {
    ///     show(book, author, loans)   // Book, Author?, [Loan]
    /// }
    /// ```
    /// Everything comes from one snapshot of the store, if it has snapshots. The related records of
    /// all entities are loaded together, as by ``RelationLoader`` and ``ReferenceLoader``.
    ///
    /// - Parameters:
    ///   - query: selects and sorts the entities. The default selects all, in id order.
    ///   - first: a reference or a relation of the repository.
    ///   - rest: further ones.
    /// - Returns: the entity with an optional record for each reference, and with an array for each
    ///   relation, in its order and within its limit.
    /// - Throws: `invalidQuery`, `unsupported` or an error of the store.
    public func fetch<First: RelativeLoader, each Rest: RelativeLoader>(
        _ query: Query<Model> = .all, loading first: KeyPath<Self, First>,
        _ rest: repeat KeyPath<Self, each Rest>
    ) async throws -> [(Model, First.Loaded, repeat (each Rest).Loaded)] {
        try await context.open()
        return try await context.withOneState { context in
            let repository = Self(context.loading(for: query))
            let records = try await repository.fetch(query)
            let firsts = try await repository[keyPath: first].load(for: records)
            let others = (repeat try await repository[keyPath: each rest].load(for: records))
            var rows: [(Model, First.Loaded, repeat (each Rest).Loaded)] = []
            rows.reserveCapacity(records.count)
            for place in records.indices {
                rows.append((records[place], firsts[place], repeat (each others)[place]))
            }
            return rows
        }
    }

    /// Returns the entities that a query selects, in its order, each with the numbers of the
    /// records of its relations.
    ///
    /// ```swift
    /// for (book, loans) in try await books.fetch(query, counting: \.loans) { … }   // Book, Int
    /// ```
    /// Everything comes from one snapshot of the store, if it has snapshots. The limit of a
    /// relation does not apply.
    ///
    /// - Parameters:
    ///   - query: selects and sorts the entities. The default selects all, in id order.
    ///   - first: a relation of the repository.
    ///   - rest: further ones.
    /// - Throws: `invalidQuery`, `unsupported` or an error of the store.
    public func fetch<First: RelativeCounter, each Rest: RelativeCounter>(
        _ query: Query<Model> = .all, counting first: KeyPath<Self, First>,
        _ rest: repeat KeyPath<Self, each Rest>
    ) async throws -> [(Model, First.Number, repeat (each Rest).Number)] {
        try await context.open()
        return try await context.withOneState { context in
            let repository = Self(context.loading(for: query))
            let records = try await repository.fetch(query)
            let firsts = try await repository[keyPath: first].count(for: records)
            let others = (repeat try await repository[keyPath: each rest].count(for: records))
            var rows: [(Model, First.Number, repeat (each Rest).Number)] = []
            rows.reserveCapacity(records.count)
            for place in records.indices {
                rows.append((records[place], firsts[place], repeat (each others)[place]))
            }
            return rows
        }
    }

    /// Returns the entities that a query selects, in its order, each with related records and with
    /// the numbers of others.
    ///
    /// ```swift
    /// let rows = try await books.fetch(query, loading: \.author, counting: \.loans)
    /// for (book, author, loans) in rows { … }   // Book, Author?, Int
    /// ```
    /// - Parameters:
    ///   - query: selects and sorts the entities. The default selects all, in id order.
    ///   - first: a reference or a relation of the repository.
    ///   - rest: further ones.
    ///   - counted: a relation of the repository.
    ///   - more: further ones.
    /// - Throws: `invalidQuery`, `unsupported` or an error of the store.
    public func fetch<
        First: RelativeLoader, each Rest: RelativeLoader, Counted: RelativeCounter,
        each More: RelativeCounter
    >(
        _ query: Query<Model> = .all, loading first: KeyPath<Self, First>,
        _ rest: repeat KeyPath<Self, each Rest>, counting counted: KeyPath<Self, Counted>,
        _ more: repeat KeyPath<Self, each More>
    ) async throws -> [(
        Model, First.Loaded, repeat (each Rest).Loaded, Counted.Number, repeat (each More).Number
    )] {
        try await context.open()
        return try await context.withOneState { context in
            let repository = Self(context.loading(for: query))
            let records = try await repository.fetch(query)
            let firsts = try await repository[keyPath: first].load(for: records)
            let others = (repeat try await repository[keyPath: each rest].load(for: records))
            let numbers = try await repository[keyPath: counted].count(for: records)
            let furtherNumbers =
                (repeat try await repository[keyPath: each more].count(for: records))
            return records.indices.map { place in
                (
                    records[place], firsts[place], repeat (each others)[place], numbers[place],
                    repeat (each furtherNumbers)[place]
                )
            }
        }
    }
}

/// Loads the related records of several records together: a ``RelationLoader`` or a
/// ``ReferenceLoader``.
public protocol RelativeLoader: Sendable {
    /// What is loaded for each record.
    associatedtype Loaded: Sendable
    /// Loads the related records of some records of the entity that has the relation or reference.
    ///
    /// - Returns: one element for each record, in the given order.
    func load<Record: Entity>(for records: [Record]) async throws -> [Loaded]
}

/// Counts the related records of several records together: a ``RelationLoader``.
public protocol RelativeCounter: Sendable {
    /// The number of related records: `Int`.
    associatedtype Number: Sendable
    /// Counts the related records of some records of the entity that has the relation.
    ///
    /// - Returns: one number for each record, in the given order.
    func count<Record: Entity>(for records: [Record]) async throws -> [Number]
}
