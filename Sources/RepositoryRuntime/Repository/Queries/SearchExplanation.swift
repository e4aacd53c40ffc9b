/// A readable description of how a search is executed: the result of
/// ``SearchableRepository/explain(searching:_:matching:)``.
///
/// For example, a search for a word and a prefix with a condition:
/// ```
/// SQLite: finds by the index of words (title, subtitle): 1 word, 1 prefix, all required
/// runtime: tests year >= ?
/// runtime: ranks what it reads
/// reads 12 records at most
/// ```
public struct SearchExplanation: Sendable, Hashable, CustomStringConvertible {
    /// The name of the store.
    public let store: String
    /// Whether an index of words finds the records. Otherwise every record that satisfies the
    /// condition is read.
    public let usesIndex: Bool
    /// The maximum number of records that are read; nil if it depends on the records.
    public let maximumReads: Int?
    /// The steps, one per line. It names fields, but contains neither words nor values.
    public let description: String
}

extension SearchableRepository {
    /// Returns how a search is executed: its index, what the runtime does, and how many records are
    /// read.
    ///
    /// It reads the index, but no records.
    ///
    /// - Parameters:
    ///   - text: the words to find.
    ///   - query: the condition that the entities must also satisfy, with its limit and offset. It
    ///     must not sort.
    ///   - matching: whether all words are required or one of them.
    /// - Throws: `invalidQuery` if the query sorts, or its limit is negative.
    public func explain(
        searching text: String, _ query: Query<Model> = .all, matching: SearchMatching = .all
    ) async throws -> SearchExplanation {
        try await context.open()
        let query = context.scoped(query)
        let store = context.store
        let run = try SearchRun(SearchQuery(text, matching: matching), query)
        guard context.needsResolution(query, in: store) else {
            return try await run.explanation(in: store)
        }
        // Conditions on related records become conditions on ids before the search.
        let steps = try RelatedSteps(query, store).lines
        return try await run.explanation(in: store, steps: steps)
    }
}

extension SearchRun {
    /// Describes the execution.
    ///
    /// - Parameter steps: lines about the related records that are found first; nil if the query
    ///   needs none.
    func explanation(
        in store: any EntityStore, steps: [String]? = nil
    ) async throws -> SearchExplanation {
        guard store.capabilities.has(.queries) else {
            throw CRUDRepositoryError.unsupported("queries", by: store.name)
        }
        guard !search.isEmpty, capacity > query.skipped else {
            let reason = search.isEmpty ? "the text has no words" : "the limit is 0"
            return SearchExplanation(
                store: store.name, usesIndex: false, maximumReads: 0,
                description: "\(store.name): nothing is read, because \(reason)")
        }
        if steps != nil || !query.namesRelatives, let hits = try await store.search(E.self, search)
        {
            return explanation(of: hits, store.name, steps ?? [])
        }
        // The order and the limit are those of the ranks.
        let all = Query<E>(query.condition, sortKeys: [])
        let plan = QueryPlan(steps == nil ? all : all.assumingRelatives(in: store), store)
        let scan = QueryExplanation(
            plan, E.Mapper.table, store: store.name, steps: steps ?? [])
        var lines = scan.description.split(separator: "\n").map(String.init)
        lines.insert("runtime: ranks them by \(terms), in \(fields)", at: lines.count - 1)
        return SearchExplanation(
            store: store.name, usesIndex: false, maximumReads: plan.maximumReads,
            description: lines.joined(separator: "\n"))
    }

    private func explanation(
        of hits: SearchHits, _ store: String, _ steps: [String]
    ) -> SearchExplanation {
        let layout = E.Mapper.layout
        let conditions = query.condition.tree.conjuncts.map { $0.text(in: layout) }
        // Without a condition, each of the best records is a result, unless it changes meanwhile.
        let best =
            conditions.isEmpty
            ? plannedReads(of: hits.ranked.count) : hits.ranked.count
        let reads = best + hits.unranked.count
        var lines = steps + ["\(store): finds by the index of words (\(fields)): \(terms)"]
        if !conditions.isEmpty {
            lines.append("runtime: tests \(conditions.joined(separator: " && "))")
        }
        lines.append("runtime: ranks what it reads")
        lines.append("reads \(reads) records at most")
        return SearchExplanation(
            store: store, usesIndex: true, maximumReads: reads,
            description: lines.joined(separator: "\n"))
    }

    private var fields: String {
        E.Mapper.table.searchedFields.map { E.Mapper.layout.fields[$0].name }
            .joined(separator: ", ")
    }

    /// The kinds of terms, such as `2 words, 1 prefix, all required`.
    private var terms: String {
        let phrases = search.terms.count { $0.parts.count > 1 }
        let prefixes = search.terms.count { $0.parts.count == 1 && $0.parts[0].isPrefix }
        let words = search.terms.count - phrases - prefixes
        let counts = [
            (words, "word", "words"), (prefixes, "prefix", "prefixes"),
            (phrases, "phrase", "phrases"),
        ]
        let texts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
        let required = search.matching == .all ? "all required" : "one required"
        return (texts + (search.terms.count > 1 ? [required] : [])).joined(separator: ", ")
    }
}
