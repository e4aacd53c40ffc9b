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
        guard !changed.goesOn else { return nil }
        let unranked = try changed.ids.map { try StoredValueEncoder.components(of: $0) }
        return try hits(changed: unranked)
    }

    /// Returns the records with the terms, and the changed ones, whose entries are out of date.
    private func hits(changed: [[StoredValue]]) throws -> SearchHits {
        var merge = SQLiteSearchMerge(query.matching)
        for term in query.terms where !merge.isFinished {
            try merge.add(term) { try matches($0) }
        }
        let outdated = Set(changed)
        var hits = SearchHits(ranked: [], unranked: changed)
        var found = merge.candidates
        if merge.isExact, let wanted = query.wanted {
            // Changed records may be among the best ones.
            found = merge.best(wanted.addingReportingOverflow(changed.count).partialValue)
            hits.isComplete = found.count == merge.candidates.count
        }
        let statement = try connection.statement(index.selectKey)
        defer { statement.reset() }
        for candidate in found {
            statement.reset()
            try statement.bind(candidate.record, at: 1)
            guard try statement.step() else { continue }
            var row = SQLiteRow(id: statement, index.table)
            let id = try StoredValueEncoder.components(of: E.ID.decodeComponents(from: &row))
            if !outdated.isEmpty, outdated.contains(id) { continue }
            if merge.isExact {
                hits.ranked.append(SearchHits.Ranked(rank: candidate.rank, id: id))
            } else {
                hits.unranked.append(id)
            }
        }
        return hits
    }

    /// Returns the records with a word, or with words that begin with it, in ascending order.
    private func matches(_ part: SearchTerm.Part) throws -> [SQLiteSearchMatch] {
        let statement = try connection.statement(
            part.isPrefix ? index.selectPrefix : index.selectWord)
        defer { statement.reset() }
        try statement.bind(part.word, at: 1)
        // No word contains the last scalar.
        if part.isPrefix { try statement.bind(part.word + "\u{10FFFF}", at: 2) }
        let encoding = index.encoding
        var found: [SQLiteSearchMatch] = []
        while try statement.step() {
            let isWhole = !part.isPrefix || statement.integer(at: 2) != 0
            try index.visit(statement, encoding) { entry in
                var match = TermMatch()
                match.occurrences = entry.occurrences
                match.isWhole = isWhole
                match.field = entry.field
                match.words = entry.words
                found.append(SQLiteSearchMatch(record: entry.record, match: match))
            }
        }
        return part.isPrefix ? Self.combined(found) : found
    }

    /// Combines the matches of several words in the same records.
    private static func combined(_ found: [SQLiteSearchMatch]) -> [SQLiteSearchMatch] {
        let sorted = found.sorted { $0.record < $1.record }
        var combined: [SQLiteSearchMatch] = []
        combined.reserveCapacity(sorted.count)
        for other in sorted {
            guard combined.last?.record == other.record else {
                combined.append(other)
                continue
            }
            combined[combined.count - 1].match.add(
                other.match.occurrences, isWhole: other.match.isWhole, field: other.match.field)
        }
        return combined
    }
}
