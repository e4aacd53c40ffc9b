internal import RepositoryRuntime

/// Reads the search index of a table, in one read transaction.
struct SQLiteSearchReader<E: Entity> {
    /// The number of changed records up to which a search reads them itself.
    static var changeLimit: Int { 64 }

    private let index: SQLiteSearchIndex
    private let connection: SQLiteConnection
    private let query: SearchQuery

    init(_ index: SQLiteSearchIndex, _ connection: SQLiteConnection, _ query: SearchQuery) {
        self.index = index
        self.connection = connection
        self.query = query
    }

    /// Returns the records that are found; nil if the index does not fit the schema, or if too many
    /// records have changed since they were indexed.
    func run() throws -> SearchHits? {
        let begins = !connection.isInTransaction
        if begins { try connection.statement("BEGIN").run() }
        // A rollback cannot fail if nothing was written.
        defer { if begins { try? connection.statement("ROLLBACK").run() } }
        guard try connection.searchDefinition(of: index) == index.definition else { return nil }
        let changed = try connection.changedRecords(E.self, index, limit: Self.changeLimit + 1)
        guard changed.count <= Self.changeLimit else { return nil }
        let unranked = try changed.map { try StoredValueEncoder.components(of: $0) }
        return try hits(changed: unranked)
    }

    /// Returns the records with the terms, and the changed ones, whose entries are out of date.
    private func hits(changed: [[StoredValue]]) throws -> SearchHits {
        var merge = SearchMerge<Int64>(query)
        for term in query.terms where !merge.isFinished {
            try merge.add(term) { try matches($0) }
        }
        let outdated = Set(changed)
        var hits = SearchHits(ranked: [], unranked: changed)
        let statement = try connection.statement(index.selectKey)
        defer { statement.reset() }
        let isExact = merge.isExact
        for (record, rank) in merge.results {
            statement.reset()
            try statement.bind(record, at: 1)
            guard try statement.step() else { continue }
            var row = SQLiteRow(id: statement, index.table)
            let id = try StoredValueEncoder.components(of: E.ID.decodeComponents(from: &row))
            if !outdated.isEmpty, outdated.contains(id) { continue }
            guard isExact else {
                hits.unranked.append(id)
                continue
            }
            var rank = rank
            rank.words = Int(statement.integer(at: index.table.key.count))
            hits.ranked.append(SearchHits.Ranked(rank: rank, id: id))
        }
        return hits
    }

    /// Returns the records with a word, or with words that begin with it.
    private func matches(_ part: SearchTerm.Part) throws -> [Int64: TermMatch] {
        let statement = try connection.statement(
            part.isPrefix ? index.selectPrefix : index.selectWord)
        defer { statement.reset() }
        try statement.bind(part.word, at: 1)
        // No word contains the last scalar.
        if part.isPrefix { try statement.bind(part.word + "\u{10FFFF}", at: 2) }
        var found: [Int64: TermMatch] = [:]
        while try statement.step() {
            found[statement.integer(at: 0), default: TermMatch()].add(
                Int(statement.integer(at: 2)),
                isWhole: !part.isPrefix || statement.integer(at: 3) != 0,
                field: Int(statement.integer(at: 1)))
        }
        return found
    }
}
