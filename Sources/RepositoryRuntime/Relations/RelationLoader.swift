/// Loads what a relation of an entity leads to, for one record or for many at once.
///
/// A generated repository has one under the name of each of its `relations`:
/// ```swift
/// let loans = try await library.books.loans(of: books)   // [Book.ID: [Loan]]
/// for book in books { show(book, loans[book.id] ?? []) }
/// let own = try await library.books.loans(of: book)      // [Loan]
/// ```
/// Many records are asked for together: a store that answers selections by itself, such as SQLite, is asked once for each
/// 500 of them; others walk the index of the reference once for each. A limit counts for each record, and no more than the
/// limit is kept of any; where the store knows the order, no more is read either.
///
/// What is found stands in the order that the relation declares, then in id order. Inside a transaction, and over a snapshot,
/// it is what stands there; elsewhere other tasks may write between two reads of a long list.
public struct RelationLoader<Parent: Entity, Related: Entity>: Sendable {
    private let context: RepositoryContext
    private let link: RelationLink
    private let order: [String]
    private let limit: Int?

    /// Leads to the records that refer to the parent by a field of theirs.
    ///
    /// - Parameters:
    ///   - context: what the repositories share.
    ///   - field: the property that holds the parent's id.
    ///   - order: the properties that they are sorted by, `-` before a descending one.
    ///   - limit: how many there are at most for each parent; nil for all.
    public init(
        _ context: RepositoryContext, by field: String, sortedBy order: [String] = [],
        limit: Int? = nil
    ) {
        self.init(context, .field(field), order, limit)
    }

    /// Leads to the records that others join to the parent; each of them stands there once, however often it is joined.
    ///
    /// - Parameters:
    ///   - context: what the repositories share.
    ///   - join: the entity that refers to both.
    ///   - field: its property that holds the parent's id.
    ///   - other: its property that holds the id of what is loaded.
    ///   - order: the properties of what is loaded that it is sorted by, `-` before a descending one.
    ///   - limit: how many there are at most for each parent; nil for all.
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

    /// What belongs to each of some records.
    ///
    /// - Returns: an entry for every one of them, empty where nothing belongs to it.
    public func callAsFunction(of parents: [Parent]) async throws -> [Parent.ID: [Related]] {
        try await load(parents.map(\.id))
    }

    /// What belongs to a record.
    public func callAsFunction(of parent: Parent) async throws -> [Related] {
        try await load([parent.id])[parent.id] ?? []
    }

    /// What belongs to each of some records, given by their ids.
    ///
    /// - Returns: an entry for every one of them, empty where nothing belongs to it, or where there is no such record.
    @_disfavoredOverload
    public func callAsFunction(of ids: [Parent.ID]) async throws -> [Parent.ID: [Related]] {
        try await load(ids)
    }

    /// What belongs to a record, given by its id; nothing where there is no such record.
    @_disfavoredOverload
    public func callAsFunction(of id: Parent.ID) async throws -> [Related] {
        try await load([id])[id] ?? []
    }

    private func load(_ ids: [Parent.ID]) async throws -> [Parent.ID: [Related]] {
        try await context.open()
        var results: [Parent.ID: [Related]] = [:]
        var keys: [StoredValue] = []
        for id in ids where results.updateValue([], forKey: id) == nil {
            keys.append(try StoredValue(encoding: id))
        }
        let related = RelatedRecords<Related>(context, sortedBy: order, limit: limit)
        let found =
            switch link {
            case .field(let field): try await related.referring(by: field, to: keys)
            case .join(let join, let from, let to):
                try await related.joined(by: join, from: from, to: to, of: keys)
            }
        for (key, records) in found {
            results[try StoredValueDecoder.value(Parent.ID.self, key)] = records
        }
        return results
    }
}

/// How a relation leads from a record to others.
enum RelationLink: Sendable {
    /// They refer to it by the property of this name.
    case field(String)
    /// Another entity refers to it and to them, by properties of these names.
    case join(any Entity.Type, from: String, to: String)
}
