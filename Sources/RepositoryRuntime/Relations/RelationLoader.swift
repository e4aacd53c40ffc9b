/// Loads the records of a relation, for one parent record or for many at once.
///
/// A generated repository has a loader named after each of its `relations`:
/// ```swift
/// let loans = try await library.books.loans(of: books)   // [Book.ID: [Loan]]
/// for book in books { show(book, loans[book.id] ?? []) }
/// let own = try await library.books.loans(of: book)      // [Loan]
/// ```
/// For many parents the records are loaded together. A store that runs queries itself, such as
/// SQLite, runs one query per 500 parents; other stores scan the index of the reference once per
/// parent. A limit applies to each parent, and no more records than the limit are held in memory
/// for it. If an index delivers the order, no more are read either.
///
/// The records are sorted as the relation declares, then by id. Inside a transaction or a snapshot
/// all of them come from the same state. Elsewhere other tasks may write between the queries for a
/// long list of parents.
public struct RelationLoader<Parent: Entity, Related: Entity>: Sendable {
    private let context: RepositoryContext
    private let link: RelationLink
    private let order: [String]
    private let limit: Int?

    /// Creates a loader of the records that refer to the parent through one of their fields.
    ///
    /// - Parameters:
    ///   - context: the context of the repositories.
    ///   - field: the property of the related entity that holds the parent's id.
    ///   - order: the properties to sort by, with a leading `-` for descending order.
    ///   - limit: the maximum number of records per parent; nil for all.
    public init(
        _ context: RepositoryContext, by field: String, sortedBy order: [String] = [],
        limit: Int? = nil
    ) {
        self.init(context, .field(field), order, limit)
    }

    /// Creates a loader of the records that a join entity connects to the parent. A record occurs
    /// once per parent, even if several join records connect it.
    ///
    /// - Parameters:
    ///   - context: the context of the repositories.
    ///   - join: the entity that refers to both records.
    ///   - field: the property of the join entity that holds the parent's id.
    ///   - other: the property of the join entity that holds the related record's id.
    ///   - order: the properties of the related entity to sort by, with a leading `-` for
    /// descending order.
    ///   - limit: the maximum number of records per parent; nil for all.
    public init<Join: Entity>(
        _ context: RepositoryContext, through join: Join.Type, from field: String, to other: String,
        sortedBy order: [String] = [], limit: Int? = nil
    ) {
        self.init(context, .join(join, from: field, to: other), order, limit)
    }

    private init(
        _ context: RepositoryContext, _ link: RelationLink, _ order: [String], _ limit: Int?
    ) {
        self.context = context
        self.link = link
        self.order = order
        self.limit = limit
    }

    /// Loads the related records of several parents.
    ///
    /// - Returns: an entry for each parent; its array is empty if the parent has no related
    ///   records.
    public func callAsFunction(of parents: [Parent]) async throws -> [Parent.ID: [Related]] {
        try await load(parents.map(\.id))
    }

    /// Loads the related records of one parent.
    public func callAsFunction(of parent: Parent) async throws -> [Related] {
        try await load([parent.id])[parent.id] ?? []
    }

    /// Loads the related records of several parents, given by their ids.
    ///
    /// - Returns: an entry for each id; its array is empty if the parent has no related records or
    ///   does not exist.
    @_disfavoredOverload
    public func callAsFunction(of ids: [Parent.ID]) async throws -> [Parent.ID: [Related]] {
        try await load(ids)
    }

    /// Loads the related records of one parent, given by its id. The array is empty if the parent
    /// does not exist.
    @_disfavoredOverload
    public func callAsFunction(of id: Parent.ID) async throws -> [Related] {
        try await load([id])[id] ?? []
    }

    /// Loads the related records and decodes the keys to parent ids. Every id gets an entry.
    private func load(_ ids: [Parent.ID]) async throws -> [Parent.ID: [Related]] {
        try await context.open()
        var results: [Parent.ID: [Related]] = [:]
        var keys: [StoredValue] = []
        for id in ids where results.updateValue([], forKey: id) == nil {
            keys.append(try StoredValue(encoding: id))
        }
        for (key, records) in try await related(to: keys) {
            results[try StoredValueDecoder.value(Parent.ID.self, key)] = records
        }
        return results
    }

    /// Loads the records related to some keys. Keys without records have no entry.
    private func related(to keys: [StoredValue]) async throws -> [StoredValue: [Related]] {
        let related = RelatedRecords<Related>(context, sortedBy: order, limit: limit)
        switch link {
        case .field(let field): return try await related.referring(by: field, to: keys)
        case .join(let join, let from, let to):
            return try await related.joined(by: join, from: from, to: to, of: keys)
        }
    }
}

extension RelationLoader: RelativeLoader {
    /// Loads the related records of some records.
    public func load<Record: Entity>(for records: [Record]) async throws -> [[Related]] {
        try await context.open()
        let keys = try records.map { try StoredValue(encoding: $0.id) }
        let found = try await related(to: Array(Set(keys)))
        return keys.map { found[$0] ?? [] }
    }
}

extension RelationLoader: RelativeCounter {
    /// Counts the related records of several parents. The limit of the relation does not apply.
    ///
    /// - Returns: an entry for each parent.
    public func count(of parents: [Parent]) async throws -> [Parent.ID: Int] {
        Dictionary(
            zip(parents.map(\.id), try await count(for: parents)),
            uniquingKeysWith: { first, _ in first })
    }

    /// Counts the related records of one parent. The limit of the relation does not apply.
    public func count(of parent: Parent) async throws -> Int {
        try await count(for: [parent])[0]
    }

    /// Counts the related records of some records. The limit of the relation does not apply.
    public func count<Record: Entity>(for records: [Record]) async throws -> [Int] {
        try await context.open()
        let keys = try records.map { try StoredValue(encoding: $0.id) }
        let resolution = RelatedResolution(
            context: context, store: context.store, allowsFullScan: true)
        let numbers: [StoredValue: Int] =
            switch link {
            case .field(let field):
                try await resolution.counts(
                    link(RecordLink(field, from: Related.self, by: field)), through: nil,
                    Related.self,
                    among: Set(keys))
            case .join(let join, let from, let to):
                try await resolution.counts(
                    link(RecordLink(from, from: join, by: from)),
                    through: link(RecordLink(to, try join.path(of: to), to: Related.self)), join,
                    among: Set(keys))
            }
        return keys.map { numbers[$0] ?? 0 }
    }

    /// Returns a link that finds deleted records only if the repository includes them.
    private func link(_ link: RecordLink) -> RecordLink {
        context.includesDeleted ? link : link.hidingDeleted
    }
}

extension Entity {
    /// The path of a property.
    fileprivate static func path(of property: String) throws -> FieldPath {
        try FieldPath(Self.self, property)
    }
}

/// How a relation connects a parent with related records.
enum RelationLink: Sendable {
    /// The related records refer to the parent by this property.
    case field(String)
    /// The records of a join entity refer to the parent and to the related record by these
    /// properties.
    case join(any Entity.Type, from: String, to: String)
}
