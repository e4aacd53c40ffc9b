internal import RepositoryRuntime

extension StoreBehaviour {
    /// Random searches.
    static let randomSearches: [StoreBehaviour] = [
        StoreBehaviour(
            "random.searches", "Random searches between random writes find what plain Swift finds.",
            needs: [.records, .listing, .queries, .updates, .references]
        ) { trial in
            var random = SeededGenerator(seed: RandomSettings.seed)
            // The first writes are so many that stores index them together.
            for _ in 0..<90 { try await random.write(to: trial.essays) }
            for number in 0..<60 {
                for _ in 0..<Int.random(in: 0..<4, using: &random) {
                    try await random.write(to: trial.essays)
                }
                let search = random.search()
                let all = try await trial.essays.fetch()
                let message = "\(number), seed \(RandomSettings.seed): \(search.text)"
                try await expect(
                    trial.essays.search(search.text, matching: search.matching).map(\.number),
                    is: search.found(in: all), message)
                let recent = Query<Essay>.where { $0.year >= 2000 }.limit(3)
                try await expect(
                    trial.essays.search(search.text, recent, matching: search.matching).map(
                        \.number),
                    is: Array(search.found(in: all.filter { $0.year >= 2000 }).prefix(3)), message)
            }
        }
    ]
}

/// A search with its terms, and what it finds by the documented rank.
private struct ModelSearch {
    /// A term: adjacent words, each with whether it is a prefix.
    typealias Term = [(word: String, isPrefix: Bool)]

    var terms: [Term] = []
    var matching = SearchMatching.all

    /// The search as a user enters it.
    var text: String {
        terms.map { term in
            let words = term.map { $0.word + ($0.isPrefix ? "*" : "") }.joined(separator: " ")
            return term.count > 1 ? "\"\(words)\"" : words
        }.joined(separator: ", ")
    }

    /// The ids of the essays that are found, best first.
    func found(in essays: [Essay]) -> [Essay.ID] {
        let ranked = essays.compactMap { essay in rank(of: essay).map { ($0, essay.number) } }
        return ranked.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    }

    /// The numbers by which an essay is sorted, smaller ones first; nil if it is not found.
    private func rank(of essay: Essay) -> [Int]? {
        var parts = [(0, essay.title)]
        if let summary = essay.summary { parts.append((1, summary)) }
        parts += essay.tags.map { (2, $0) }
        let fields = parts.map { field, text in
            (field, text.lowercased().split(separator: " ").map(String.init))
        }
        var (found, whole, first, occurrences) = (0, 0, Int.max, 0)
        for term in terms {
            var (count, isWhole) = (0, false)
            for (field, words) in fields where words.count >= term.count {
                for start in 0...words.count - term.count {
                    let pairs = zip(term, words[start...])
                    guard
                        pairs.allSatisfy({ part, word in
                            part.isPrefix ? word.hasPrefix(part.word) : word == part.word
                        })
                    else { continue }
                    count += 1
                    isWhole = isWhole || pairs.allSatisfy { $0.word == $1 }
                    first = min(first, field)
                }
            }
            if count > 0 { found += 1 }
            if isWhole { whole += 1 }
            occurrences += count
        }
        guard found > 0, matching == .any || found == terms.count else { return nil }
        let words = fields.reduce(0) { $0 + $1.1.count }
        return [-found, -whole, first, -occurrences, words, essay.number.rawValue]
    }
}

extension SeededGenerator {
    private mutating func text() -> String {
        (0..<Int.random(in: 0..<5, using: &self)).map { _ in
            once(in: 4)
                ? one(of: ["A", "Ab", "BA"]) : one(of: ["a", "ab", "abc", "b", "bab", "c"])
        }.joined(separator: " ")
    }

    /// A random search, whose terms are different.
    fileprivate mutating func search() -> ModelSearch {
        var search = ModelSearch()
        var seen: Set<String> = []
        for _ in 0..<Int.random(in: 1..<4, using: &self) {
            let count = once(in: 4) ? 2 : 1
            let term: ModelSearch.Term = (0..<count).map { _ in
                (one(of: ["a", "ab", "abc", "b", "ba", "c", "d"]), once(in: 3))
            }
            guard seen.insert(ModelSearch(terms: [term]).text).inserted else { continue }
            search.terms.append(term)
        }
        if once(in: 2) { search.matching = .any }
        return search
    }

    /// Creates, changes or deletes an essay.
    fileprivate mutating func write(to essays: EssayRepository) async throws {
        let id = Essay.ID(Int.random(in: 0..<120, using: &self))
        let exists = try await essays.exists(id)
        if exists, once(in: 3) { return try await essays.delete(id) }
        var essay =
            exists ? try await essays.read(id) : Essay(number: id, title: text())
        if once(in: 2) || !exists { essay.title = text() }
        if once(in: 2) { essay.summary = once(in: 3) ? nil : text() }
        if once(in: 2) { essay.tags = [text(), text()].filter { !$0.isEmpty } }
        essay.year = 1995 + Int.random(in: 0..<10, using: &self)
        try await essays.save(essay)
    }
}
