/// Whether a search requires all terms or one of them.
public enum SearchMatching: String, Sendable, Hashable, CaseIterable {
    /// Every term is found, in whichever of the fields.
    case all
    /// At least one term is found.
    case any
}

/// The terms of a search, parsed from what a user enters.
///
/// Every text is a valid search: `*` directly after a word makes it a prefix, quotes join adjacent
/// words, and everything else only separates words.
public struct SearchQuery: Sendable, Hashable {
    /// The different terms, in the order of their first appearance.
    package let terms: [SearchTerm]
    /// Whether all terms are required.
    public let matching: SearchMatching
    /// The number of best records that suffice; nil for all.
    ///
    /// An index may return no more: see ``SearchHits/isComplete``.
    package var wanted: Int?

    /// Parses a text.
    ///
    /// - Parameters:
    ///   - text: what a user enters. Without words, it finds no records.
    ///   - matching: whether all terms are required or one of them.
    public init(_ text: String, matching: SearchMatching = .all) {
        var parser = SearchParser()
        WordReader.visit(text) { parser.read($0) }
        terms = parser.finished()
        self.matching = matching
    }

    /// Creates a search for one word.
    ///
    /// - Parameter word: the normalized word.
    init(word: String) {
        terms = [SearchTerm(parts: [SearchTerm.Part(word: word)])]
        matching = .all
    }

    /// The version of Unicode whose tables divide text into words. An index that was built with
    /// another version is rebuilt.
    package static let unicodeVersion = SearchTables.version

    /// Whether the text had no words, so that no record is found.
    public var isEmpty: Bool { terms.isEmpty }

    /// The words of all terms, as text that two equal searches share.
    var canonicalText: String {
        let parts = terms.map { term in
            term.parts.map { $0.word + ($0.isPrefix ? "*" : "") }.joined(separator: " ")
        }
        return matching.rawValue + ":" + parts.joined(separator: ",")
    }
}

extension SearchQuery: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of terms, without the words.
    public var description: String { "search of \(terms.count) terms, \(matching.rawValue)" }
    /// The number of terms, without the words.
    public var debugDescription: String { description }
    /// A mirror without the words.
    public var customMirror: Mirror { Mirror(hiding: self) }
}

/// One term of a search: a word, a prefix, or several adjacent ones.
package struct SearchTerm: Sendable, Hashable {
    /// A word or the beginning of one.
    package struct Part: Sendable, Hashable {
        /// The normalized word.
        package var word: String
        /// Whether longer words that begin with the word match.
        package var isPrefix = false

        /// Whether a normalized word matches.
        func matches(_ other: String) -> Bool {
            isPrefix ? other.utf8.starts(with: word.utf8) : other.isSameIdentifier(word)
        }
    }

    /// The adjacent words; at least one.
    package var parts: [Part]
}

extension String {
    /// Whether both strings have the same bytes.
    fileprivate func isSameIdentifier(_ other: String) -> Bool {
        String.isSameIdentifier(self, other)
    }
}

/// The parser of ``SearchQuery``.
private struct SearchParser {
    /// U+0022 and the typographic quotation marks, which keyboards insert instead.
    private static let quotes: Set<UInt32> = [0x22, 0x201C, 0x201D, 0x201E]

    private var terms: [SearchTerm] = []
    private var seen: Set<SearchTerm> = []
    /// The adjacent words that become the next term.
    private var parts: [SearchTerm.Part] = []
    private var isInQuotes = false
    /// Whether the parts are a run of words of one scalar each outside of quotes.
    private var isRun = false
    /// Whether the last piece was a word, which a following `*` makes a prefix.
    private var isAfterWord = false

    mutating func read(_ piece: WordReader.Piece) {
        switch piece {
        case .word(let word):
            if !isInQuotes { endTerm() }
            parts.append(SearchTerm.Part(word: word))
            isRun = false
        case .own(let word):
            if !isInQuotes, !isRun { endTerm() }
            parts.append(SearchTerm.Part(word: word))
            isRun = !isInQuotes
        case .separator(let scalar):
            if scalar == 0x2A, isAfterWord, let last = parts.indices.last {
                parts[last].isPrefix = true
            }
            let isQuote = Self.quotes.contains(scalar)
            if !isInQuotes || isQuote { endTerm() }
            if isQuote { isInQuotes.toggle() }
            isAfterWord = false
            return
        }
        isAfterWord = true
    }

    private mutating func endTerm() {
        isRun = false
        guard !parts.isEmpty else { return }
        let term = SearchTerm(parts: parts)
        parts = []
        if seen.insert(term).inserted { terms.append(term) }
    }

    /// Ends the text and returns the terms. Quotes that are not closed reach to the end.
    mutating func finished() -> [SearchTerm] {
        endTerm()
        return terms
    }
}
