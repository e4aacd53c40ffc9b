/// The rank of a record in a search: integers that depend on the record and the search alone.
///
/// A record ranks before another, in this order of importance, if
///
/// 1. more different terms are found in it,
/// 2. more of these are found as whole words,
/// 3. its first field with a match comes earlier in `search:`,
/// 4. the terms occur more often,
/// 5. its searched fields have fewer words,
/// 6. its id is smaller.
package struct SearchRank: Hashable, Sendable {
    /// The number of different terms found.
    package var terms = 0
    /// The number of terms that are found as whole words.
    package var wholeTerms = 0
    /// The position in `search:` of the first field in which a term is found.
    package var field = Int.max
    /// The number of occurrences of all terms.
    package var occurrences = 0
    /// The number of words in all searched fields.
    package var words = 0

    /// Creates the rank of a record in which nothing is found.
    package init() {}

    /// The integers as they stand in a cursor.
    var values: [StoredValue] {
        [terms, wholeTerms, field, occurrences, words].map { .integer(Int64($0)) }
    }

    /// Whether a larger number ranks first, for each of ``values``.
    static let isDescending = [true, true, false, true, false]

    /// Whether a record of this rank comes before one of another rank, whatever their ids are.
    package func precedes(_ other: SearchRank) -> Bool {
        if terms != other.terms { return terms > other.terms }
        if wholeTerms != other.wholeTerms { return wholeTerms > other.wholeTerms }
        if field != other.field { return field < other.field }
        if occurrences != other.occurrences { return occurrences > other.occurrences }
        return words < other.words
    }

    /// Adds the occurrences of one term.
    package mutating func add(_ found: TermMatch) {
        guard found.occurrences > 0 else { return }
        terms += 1
        if found.isWhole { wholeTerms += 1 }
        field = min(field, found.field)
        occurrences += found.occurrences
        words = max(words, found.words)
    }
}

/// What a search finds of one term in a record.
package struct TermMatch: Hashable, Sendable {
    /// The number of occurrences.
    package var occurrences = 0
    /// Whether an occurrence consists of whole words.
    package var isWhole = false
    /// The position of the first field with an occurrence.
    package var field = Int.max
    /// The number of words in all searched fields; 0 if the index stores it elsewhere.
    package var words = 0

    /// Creates a match without occurrences.
    package init() {}

    /// Adds occurrences in a field.
    package mutating func add(_ count: Int, isWhole: Bool, field: Int) {
        occurrences += count
        if isWhole { self.isWhole = true }
        self.field = min(self.field, field)
    }
}

/// The words of the searched fields of a record.
package struct SearchedWords {
    /// The words of a field, or of one element of a list.
    package struct Segment {
        /// The position of the field in `search:`.
        package var field: Int
        /// The words, in order.
        package var words: [String]
    }

    /// The fields and elements, in order.
    package private(set) var segments: [Segment] = []

    /// The occurrences of each different word, in the order of first appearance.
    package var postings: [SearchPosting] {
        var places: [TextKey: Int] = [:]
        var postings: [SearchPosting] = []
        for segment in segments {
            for word in segment.words {
                let place = places[TextKey(word)] ?? postings.count
                if place == postings.count {
                    places[TextKey(word)] = place
                    postings.append(SearchPosting(word: word, field: segment.field))
                }
                postings[place].occurrences += 1
            }
        }
        return postings
    }

    /// Reads the words of a record.
    ///
    /// - Parameters:
    ///   - row: the field values, by field index.
    ///   - fields: the searched fields, in the order of `search:`.
    package init(_ row: [StoredValue], _ fields: [Int]) {
        for (position, field) in fields.enumerated() {
            switch row[field] {
            case .text(let text): add(text, position)
            case .list(let elements):
                for case .text(let text) in elements { add(text, position) }
            default: break
            }
        }
    }

    private mutating func add(_ text: String, _ field: Int) {
        segments.append(Segment(field: field, words: WordReader.words(of: text)))
    }

    /// The number of words.
    package var count: Int { segments.reduce(0) { $0 + $1.words.count } }

    /// Returns the rank in a search; nil if the record is not found.
    package func rank(in query: SearchQuery) -> SearchRank? {
        var rank = SearchRank()
        for term in query.terms {
            let found = matches(of: term)
            if query.matching == .all, found.occurrences == 0 { return nil }
            rank.add(found)
        }
        guard rank.terms > 0 else { return nil }
        rank.words = count
        return rank
    }

    /// Returns the occurrences of a term.
    private func matches(of term: SearchTerm) -> TermMatch {
        if term.parts.count == 1 { return matches(of: term.parts[0]) }
        var found = TermMatch()
        for segment in segments where segment.words.count >= term.parts.count {
            for start in 0...(segment.words.count - term.parts.count) {
                let words = segment.words[start...]
                guard zip(term.parts, words).allSatisfy({ $0.matches($1) }) else { continue }
                let isWhole = zip(term.parts, words).allSatisfy {
                    String.isSameIdentifier($0.word, $1)
                }
                found.add(1, isWhole: isWhole, field: segment.field)
            }
        }
        return found
    }

    /// Returns the occurrences of a term of one word or prefix.
    private func matches(of part: SearchTerm.Part) -> TermMatch {
        var found = TermMatch()
        for segment in segments {
            for word in segment.words where part.matches(word) {
                let isWhole = word.utf8.count == part.word.utf8.count
                found.add(1, isWhole: isWhole, field: segment.field)
            }
        }
        return found
    }
}

/// What an index stores of a word in a record.
package struct SearchPosting: Hashable, Sendable {
    /// The normalized word.
    package var word: String
    /// The position of the first field with the word.
    package var field: Int
    /// The number of occurrences in all searched fields.
    package var occurrences = 0
}
