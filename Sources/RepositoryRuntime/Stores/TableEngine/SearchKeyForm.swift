/// The recipe for the keys of a search index: one key for each different word of a record.
///
/// A key consists of the word, the components of the id, the position of the first field with the
/// word, the number of its occurrences, and the number of words of the record. A search therefore
/// ranks records without reading them.
struct SearchKeyForm: Sendable {
    /// The number of bytes of a word that a key contains. Longer words are cut, and records with
    /// them are read.
    private static let wordLimit = 128

    /// The searched fields.
    private let fields: [Int]
    /// The components of the id and their types.
    private let id: [(field: Int, type: StoredType)]
    /// The types of the components of the id.
    private let types: [StoredType]

    /// Creates the recipe for a table; nil if the table is not searched.
    init?(_ table: EntityTable) {
        guard !table.searchedFields.isEmpty else { return nil }
        fields = table.searchedFields
        id = table.key.map { ($0, table.layout.fields[$0].type) }
        types = id.map(\.type)
    }

    /// Returns the keys of a record, all of which are different.
    func keys(of row: [StoredValue]) -> [IndexKey] {
        let words = SearchedWords(row, fields)
        let count = words.count
        return cut(words.postings).map { posting in
            var writer = IndexKeyWriter()
            writer.append(.text(posting.word), .text, descending: false)
            for part in id { writer.append(row[part.field], part.type, descending: false) }
            for number in [posting.field, posting.occurrences, count] {
                writer.append(.integer(Int64(number)), .int64, descending: false)
            }
            return IndexKey(writer.bytes)
        }
    }

    /// Returns the postings with long words cut. Words that then are the same become one.
    private func cut(_ postings: [SearchPosting]) -> [SearchPosting] {
        guard postings.contains(where: { $0.word.utf8.count > Self.wordLimit }) else {
            return postings
        }
        var places: [TextKey: Int] = [:]
        var result: [SearchPosting] = []
        for var posting in postings {
            posting.word = Self.cut(posting.word)
            if let place = places[TextKey(posting.word)] {
                result[place].occurrences += posting.occurrences
                result[place].field = min(result[place].field, posting.field)
            } else {
                places[TextKey(posting.word)] = result.count
                result.append(posting)
            }
        }
        return result
    }

    /// Returns the first scalars of a word.
    private static func cut(_ word: String) -> String {
        guard word.utf8.count > wordLimit else { return word }
        var result = ""
        var count = 0
        for scalar in word.unicodeScalars {
            count += UTF8.width(scalar)
            if count > wordLimit { break }
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    /// What a key says.
    struct Posting {
        /// The id, whose components are decoded on request.
        var id: SearchedID
        /// The number of bytes of the word.
        var length: Int
        /// The position of the first field with the word.
        var field: Int
        /// The number of occurrences of the word.
        var occurrences: Int
        /// The number of words of the record.
        var count: Int

        /// The encoded id.
        struct SearchedID {
            /// The bytes.
            var bytes: IndexKey
            fileprivate var types: [StoredType]

            /// The components; nil if the bytes are not an id.
            var components: [StoredValue]? {
                var reader = IndexKeyReader(bytes)
                var values: [StoredValue] = []
                for type in types {
                    guard let value = reader.component(type) else { return nil }
                    values.append(value)
                }
                return reader.isAtEnd ? values : nil
            }
        }
    }

    /// Decodes a key; nil if the bytes are not a key of the index.
    func posting(of key: IndexKey) -> Posting? {
        var reader = IndexKeyReader(key)
        guard reader.skip(descending: false) else { return nil }
        let start = reader.position
        for _ in id where !reader.skip(descending: false) { return nil }
        let end = reader.position
        guard end <= key.bytes.count, case .integer(let field)? = reader.component(.int64),
            case .integer(let occurrences)? = reader.component(.int64),
            case .integer(let count)? = reader.component(.int64), reader.isAtEnd
        else { return nil }
        return Posting(
            // The word has a byte for its kind and a terminator.
            id: Posting.SearchedID(bytes: IndexKey(Array(key.bytes[start..<end])), types: types),
            length: start - 2, field: Int(clamping: field), occurrences: Int(clamping: occurrences),
            count: Int(clamping: count))
    }

    /// Returns the records in which the terms of a search may be found.
    ///
    /// - Throws: `IndexFailure` if the keys are damaged.
    func hits(_ query: SearchQuery, in keys: any OrderedKeys) throws -> SearchHits {
        var merge = SearchMerge<IndexKey>(query)
        for term in query.terms where !merge.isFinished {
            if term.parts.contains(where: { $0.word.utf8.count >= Self.wordLimit - 4 }) {
                merge.isExact = false
            }
            try merge.add(term) { try matches($0, in: keys) }
        }
        var hits = SearchHits(ranked: [], unranked: [])
        for (key, rank) in merge.results {
            let id = Posting.SearchedID(bytes: key, types: types)
            guard let components = id.components else { throw IndexFailure.noKey }
            if merge.isExact {
                hits.ranked.append(SearchHits.Ranked(rank: rank, id: components))
            } else {
                hits.unranked.append(components)
            }
        }
        return hits
    }

    /// Returns the occurrences of a word or a prefix, by the bytes of the id.
    private func matches(
        _ part: SearchTerm.Part, in keys: any OrderedKeys
    ) throws -> [IndexKey: TermMatch] {
        let word = Self.cut(part.word)
        var bytes = [IndexKeyWriter.Kind.text.rawValue] + Array(word.utf8)
        if !part.isPrefix { bytes.append(0) }
        let lower = IndexKey(bytes)
        let range = IndexKeyRange(lower: lower, upper: lower.end)
        var found: [IndexKey: TermMatch] = [:]
        for key in try keys.ascending(range, limit: .max) {
            guard let posting = posting(of: key) else { throw IndexFailure.noKey }
            var match = found[posting.id.bytes] ?? TermMatch()
            match.add(
                posting.occurrences, isWhole: posting.length == part.word.utf8.count,
                field: posting.field)
            match.words = posting.count
            found[posting.id.bytes] = match
        }
        return found
    }
}
