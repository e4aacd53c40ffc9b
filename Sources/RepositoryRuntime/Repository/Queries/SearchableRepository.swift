/// A repository whose entity declares `search:`, the fields of its full-text search.
///
/// A search reads like what users enter: `*` directly after a word makes it a prefix, quotes join
/// adjacent words, and everything else separates words. Case and diacritics are ignored. Every text
/// is valid; without a word it finds nothing.
///
/// ```swift
/// let books = try await library.books.search("dispos* \"le guin\"", limit: 20)
/// ```
/// The results have the same order on every store. A record ranks before another if more different
/// terms are found in it, then if more of them are whole words, then if the first field with a
/// match comes earlier in `search:`, then if the terms occur more often, then if its searched
/// fields have fewer words, then by id.
public protocol SearchableRepository<Model>: ReadableRepository {}

extension SearchableRepository {
    /// Returns the entities in which a text is found, best first.
    ///
    /// - Parameters:
    ///   - text: the words to find.
    ///   - query: the condition that the entities must also satisfy, with its limit and offset. It
    ///     must not sort.
    ///   - matching: whether all words are required or one of them.
    ///   - limit: the maximum number of entities; nil for the limit of the query.
    /// - Throws: `invalidQuery` if the query sorts, or its limit is negative.
    public func search(
        _ text: String, _ query: Query<Model> = .all, matching: SearchMatching = .all,
        limit: Int? = nil
    ) async throws -> [Model] {
        let query = context.scoped(limit.map { query.limit($0) } ?? query)
        return try await search(SearchRun(SearchQuery(text, matching: matching), query))
            .map(\.entity)
    }

    /// Returns the number of entities in which a text is found, up to the limit of the query.
    ///
    /// - Parameters:
    ///   - text: the words to find.
    ///   - query: the condition that the entities must also satisfy. It must not sort.
    ///   - matching: whether all words are required or one of them.
    public func count(
        searching text: String, _ query: Query<Model> = .all, matching: SearchMatching = .all
    ) async throws -> Int {
        let run = try SearchRun(
            SearchQuery(text, matching: matching), context.scoped(query))
        return try await search(run).count
    }

    /// Returns a page of the entities in which a text is found, best first, with a cursor for the
    /// next page.
    ///
    /// - Parameters:
    ///   - text: the words to find.
    ///   - query: the condition that the entities must also satisfy. Its limit is the page size;
    ///     the default is 100. It must not sort.
    ///   - matching: whether all words are required or one of them.
    ///   - cursor: the cursor of the previous page; nil for the first page.
    /// - Throws: `invalidQuery` if the limit is 0, or if the cursor belongs to another search.
    public func page(
        searching text: String, _ query: Query<Model> = .all, matching: SearchMatching = .all,
        after cursor: QueryCursor? = nil
    ) async throws -> QueryPage<Model> {
        let size = query.maximum ?? 100
        guard size != 0 else {
            throw CRUDRepositoryError.invalidQuery(
                "The size of a page must be at least 1.", table: Model.Mapper.table.name)
        }
        // One additional record shows whether a further page exists.
        let extended = size < .max ? size + 1 : size
        let query = context.scoped(
            query.page(after: cursor).limit(size < 0 ? size : extended))
        let run = try SearchRun(SearchQuery(text, matching: matching), query)
        let rows = try await search(run)
        let last = rows.count > size ? rows[size - 1] : nil
        return QueryPage(
            items: rows.prefix(size).map(\.entity), next: last.map { run.cursor(after: $0) })
    }

    /// Runs a search, after related records in its condition were found.
    private func search(_ run: SearchRun<Model>) async throws -> [SearchRun<Model>.Row] {
        try await context.open()
        if run.query.namesRelatives,
            let found = try await context.withResolved(
                run.query, { context, query in try await run.with(query).rows(in: context.store) })
        {
            return found
        }
        return try await run.rows(in: context.store)
    }
}
