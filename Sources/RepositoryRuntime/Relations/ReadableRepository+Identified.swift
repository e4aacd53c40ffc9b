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
    /// - Parameters:
    ///   - ids: the ids, which may contain duplicates.
    ///   - includingDeleted: whether deleted records are found like others, where the entity has
    ///     `softDelete`.
    /// - Returns: the stored entities by id. An id without a stored entity has no entry.
    /// - Throws: `unsupported` if the store does not support queries, or an error of the store.
    public func fetch(
        ids: [Model.ID], includingDeleted: Bool = false
    ) async throws -> [Model.ID: Model] {
        // With one parameter, the compiler would take this method for a query with a mistake.
        let context = includingDeleted ? self.includingDeleted.context : context
        try await context.open()
        var found: [Model.ID: Model] = [:]
        try await context.visit(Array(Set(ids)).sorted()) { (entity: Model, _) in
            found[entity.id] = entity
        }
        return found
    }
}
