/// Loads the records to which a reference leads, for one record or for many at once.
///
/// A generated repository has a loader for each reference, under its declared name:
/// ```swift
/// let authors = try await library.books.author(of: books)   // [Book.ID: Author]
/// for book in books { show(book, by: authors[book.id]) }
/// let author = try await library.books.author(of: book)     // Author?
/// ```
/// For many records the targets are loaded together, each of them once. A store that runs queries
/// itself, such as SQLite, runs one query per 500 targets; other stores read them one by one.
public struct ReferenceLoader<Parent: Entity, Target: Entity>: Sendable {
    private let context: RepositoryContext
    /// The property that holds the id of the target.
    private let property: String

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - context: the context of the repositories.
    ///   - property: the property of the record that holds the id of the target.
    public init(_ context: RepositoryContext, by property: String) {
        self.context = context
        self.property = property
    }

    /// Loads the records to which several records refer.
    ///
    /// - Returns: the targets by the id of the record that refers to them. A record whose reference
    ///   is null or leads to no record has no entry.
    public func callAsFunction(of parents: [Parent]) async throws -> [Parent.ID: Target] {
        var results: [Parent.ID: Target] = [:]
        for (parent, target) in zip(parents, try await load(for: parents)) {
            results[parent.id] = target
        }
        return results
    }

    /// Loads the record to which another one refers; nil if the reference is null or leads to no
    /// record.
    public func callAsFunction(of parent: Parent) async throws -> Target? {
        try await load(for: [parent])[0]
    }
}

extension ReferenceLoader: RelativeLoader {
    /// Loads the record to which each of some records refers.
    public func load<Record: Entity>(for records: [Record]) async throws -> [Target?] {
        try await context.open()
        let field = try FieldPath(Record.self, property)
        var ids: [Target.ID?] = []
        ids.reserveCapacity(records.count)
        for record in records {
            let key = field.value(in: try StoredValueEncoder.values(of: record, Record.Mapper.self))
            ids.append(key == .null ? nil : try StoredValueDecoder.value(Target.ID.self, key))
        }
        var found: [Target.ID: Target] = [:]
        try await context.visit(Set(ids.compactMap(\.self)).sorted()) { (target: Target, _) in
            found[target.id] = target
        }
        return ids.map { $0.flatMap { found[$0] } }
    }
}
