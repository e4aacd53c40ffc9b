extension ReadableRepository {
    /// Reads the entities with some ids.
    ///
    /// Use this method to follow references of many records:
    /// ```swift
    /// let authors = try await library.authors.fetch(ids: books.map(\.authorID))
    /// for book in books { show(book, by: authors[book.authorID]) }
    /// ```
    /// A store that runs queries itself, such as SQLite, runs one query per 500 ids. Other stores
    /// read the records one by one.
    ///
    /// - Parameter ids: the ids, which may contain duplicates.
    /// - Returns: the stored entities by id. An id without a stored entity has no entry.
    /// - Throws: `unsupported` if the store does not support queries, or an error of the store.
    public func fetch(ids: [Model.ID]) async throws -> [Model.ID: Model] {
        try await context.open()
        var found: [Model.ID: Model] = [:]
        try await context.visit(Array(Set(ids)).sorted()) { (entity: Model, _) in
            found[entity.id] = entity
        }
        return found
    }
}
