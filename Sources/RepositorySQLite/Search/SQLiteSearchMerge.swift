internal import RepositoryRuntime

/// A record with a word or a prefix.
struct SQLiteSearchMatch {
    /// The number of the record in the index.
    var record: Int64
    /// What is found of the term in it.
    var match: TermMatch
}

/// A record in which the terms of a search are found.
struct SQLiteSearchCandidate {
    /// The number of the record in the index.
    var record: Int64
    /// The rank of the record.
    var rank: SearchRank
}

/// Combines the entries of the terms of a search into ranks, by merging lists that are sorted by
/// the numbers of the records.
///
/// `SearchMerge` does the same with dictionaries, for indexes whose keys are not sorted integers.
struct SQLiteSearchMerge {
    private let matching: SearchMatching
    /// The records in which the terms so far are found, in ascending order.
    private(set) var candidates: [SQLiteSearchCandidate] = []
    private var isFirst = true
    /// Whether the ranks count all occurrences. The index does not know where words stand.
    private(set) var isExact = true

    /// Creates a merge without terms.
    init(_ matching: SearchMatching) { self.matching = matching }

    /// Whether no record can be found any more.
    var isFinished: Bool { !isFirst && matching == .all && candidates.isEmpty }

    /// Adds the next term.
    ///
    /// - Parameters:
    ///   - term: the term.
    ///   - matches: returns the records with a word or a prefix, in ascending order.
    mutating func add(
        _ term: SearchTerm, _ matches: (SearchTerm.Part) throws -> [SQLiteSearchMatch]
    ) rethrows {
        guard let first = term.parts.first else { return }
        var found = try matches(first)
        for part in term.parts.dropFirst() {
            isExact = false
            if found.isEmpty { break }
            found = Self.common(found, try matches(part))
        }
        if isFirst {
            candidates = found.map { Self.candidate($0) }
        } else if matching == .all {
            require(found)
        } else {
            include(found)
        }
        isFirst = false
    }

    /// Returns the matches whose records are in both lists.
    private static func common(
        _ found: [SQLiteSearchMatch], _ others: [SQLiteSearchMatch]
    ) -> [SQLiteSearchMatch] {
        var other = 0
        return found.filter { match in
            while other < others.count, others[other].record < match.record { other += 1 }
            return other < others.count && others[other].record == match.record
        }
    }

    /// Keeps the candidates with a further term.
    private mutating func require(_ found: [SQLiteSearchMatch]) {
        var kept: [SQLiteSearchCandidate] = []
        var place = 0
        for match in found {
            while place < candidates.count, candidates[place].record < match.record { place += 1 }
            if place == candidates.count { break }
            guard candidates[place].record == match.record else { continue }
            kept.append(candidates[place])
            kept[kept.count - 1].rank.add(match.match)
        }
        candidates = kept
    }

    /// Adds a further term to the candidates with it, and the other records with it.
    private mutating func include(_ found: [SQLiteSearchMatch]) {
        var all: [SQLiteSearchCandidate] = []
        all.reserveCapacity(candidates.count + found.count)
        var place = 0
        for match in found {
            while place < candidates.count, candidates[place].record < match.record {
                all.append(candidates[place])
                place += 1
            }
            if place < candidates.count, candidates[place].record == match.record {
                all.append(candidates[place])
                all[all.count - 1].rank.add(match.match)
                place += 1
            } else {
                all.append(Self.candidate(match))
            }
        }
        all += candidates[place...]
        candidates = all
    }

    private static func candidate(_ match: SQLiteSearchMatch) -> SQLiteSearchCandidate {
        var rank = SearchRank()
        rank.add(match.match)
        return SQLiteSearchCandidate(record: match.record, rank: rank)
    }

    /// Returns the best candidates, in any order, with all whose rank is that of the last one.
    ///
    /// Candidates of the same rank are ordered by their ids, which are not known here.
    ///
    /// - Parameter count: the number of candidates that suffice.
    func best(_ count: Int) -> [SQLiteSearchCandidate] {
        guard count > 0, candidates.count > count else { return candidates }
        var best: [SQLiteSearchCandidate] = []
        var cutoff: SearchRank?
        var limit = max(count.addingReportingOverflow(count).partialValue, count)
        for candidate in candidates {
            if let cutoff, cutoff.precedes(candidate.rank) { continue }
            best.append(candidate)
            guard best.count > limit else { continue }
            cutoff = Self.cut(&best, count)
            // Many candidates of the same rank would otherwise be sorted again and again.
            limit = max(limit, 2 * best.count)
        }
        _ = Self.cut(&best, count)
        return best
    }

    /// Sorts candidates, and removes those that rank after a number of others.
    ///
    /// - Returns: the rank of the last one.
    private static func cut(
        _ best: inout [SQLiteSearchCandidate], _ count: Int
    ) -> SearchRank? {
        guard best.count > count else { return nil }
        best.sort { $0.rank.precedes($1.rank) }
        let last = best[count - 1].rank
        let end = best[count...].firstIndex { last.precedes($0.rank) } ?? best.count
        best.removeLast(best.count - end)
        return last
    }
}
