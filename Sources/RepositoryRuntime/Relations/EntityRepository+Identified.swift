extension EntityRepository {
    /// The entities of some ids, by id; those that are not there have no entry.
    ///
    /// It is how references are followed, for many records as for one:
    /// ```swift
    /// let authors = try await library.authors.fetch(ids: books.map(\.authorID))
    /// for book in books { show(book, by: authors[book.authorID]) }
    /// ```
    /// A store that answers selections by itself, such as SQLite, is asked once for each 500 ids, not once for each; others read
    /// the records one by one. An id may be given several times.
    /// - Throws: `unsupported` where the store answers no queries, or what the store throws.
    public func fetch(ids: [Model.ID]) async throws -> [Model.ID: Model] {
        try await context.open()
        var found: [Model.ID: Model] = [:]
        try await context.visit(Array(Set(ids)).sorted()) { (entity: Model, _) in
            found[entity.id] = entity
        }
        return found
    }
}
