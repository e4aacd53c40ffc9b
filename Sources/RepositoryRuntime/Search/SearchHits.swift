/// The records that a store's search index finds.
///
/// The runtime reads the records, tests the condition of the search and computes their ranks again,
/// so that an index may find too many records. One that finds too few gives wrong results.
public struct SearchHits: Sendable {
    /// A record whose rank the index knows.
    package struct Ranked: Sendable {
        /// The rank.
        package var rank: SearchRank
        /// The components of the id.
        package var id: [StoredValue]

        package init(rank: SearchRank, id: [StoredValue]) {
            self.rank = rank
            self.id = id
        }
    }

    /// The records with known ranks, in any order.
    package var ranked: [Ranked]
    /// The components of the ids of further records, each of which is read and ranked.
    package var unranked: [[StoredValue]]
    /// Whether ``ranked`` has every record. Otherwise it has at least the best ones, as many as
    /// the search wanted.
    package var isComplete = true

    /// Creates the hits of an index that knows no ranks.
    ///
    /// - Parameter ids: for each record that may be found, the components of its id.
    public init(ids: [[StoredValue]]) {
        ranked = []
        unranked = ids
    }

    /// Creates the hits of an index of the package.
    package init(ranked: [Ranked], unranked: [[StoredValue]]) {
        self.ranked = ranked
        self.unranked = unranked
    }
}

/// Combines the postings of the terms of a search into ranks.
///
/// - Note: `Key` identifies a record in the index.
package struct SearchMerge<Key: Hashable> {
    private let query: SearchQuery
    /// The ranks of the records in which the terms so far are found.
    private var ranks: [Key: SearchRank] = [:]
    private var isFirst = true
    /// Whether the ranks count all occurrences. An index does not know where words stand.
    package var isExact = true

    /// Creates a merge without terms.
    package init(_ query: SearchQuery) {
        self.query = query
    }

    /// Whether no record can be found any more.
    package var isFinished: Bool { !isFirst && query.matching == .all && ranks.isEmpty }

    /// Adds the next term.
    ///
    /// - Parameters:
    ///   - term: the term.
    ///   - matches: returns the records with a word or a prefix.
    package mutating func add(
        _ term: SearchTerm, _ matches: (SearchTerm.Part) throws -> [Key: TermMatch]
    ) rethrows {
        guard let first = term.parts.first else { return }
        var found = try matches(first)
        for part in term.parts.dropFirst() {
            isExact = false
            if found.isEmpty { break }
            let others = try matches(part)
            found = found.filter { others[$0.key] != nil }
        }
        if query.matching == .all, !isFirst {
            var kept: [Key: SearchRank] = [:]
            for (key, match) in found {
                guard var rank = ranks[key] else { continue }
                rank.add(match)
                kept[key] = rank
            }
            ranks = kept
        } else {
            for (key, match) in found { ranks[key, default: SearchRank()].add(match) }
        }
        isFirst = false
    }

    /// The records and their ranks, which lack the number of words.
    package var results: [Key: SearchRank] { ranks }
}
