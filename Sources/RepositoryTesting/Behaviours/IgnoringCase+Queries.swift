internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Queries over case-insensitive fields.
    static let foldedQueries: [StoreBehaviour] = [
        folded("conditions", "All comparisons ignore case on both sides.") { trial in
            try await trial.fillBylines()
            try await trial.expectBylines([1, 2]) { $0.byline == "ÄNNE" }
            try await trial.expectBylines([3, 4, 5, 6, 7]) { $0.byline != "äNNE" }
            try await trial.expectBylines([3, 6]) { $0.byline.in(["BERT", nil]) }
            try await trial.expectBylines([3, 4]) { $0.byline >= "b" && $0.byline < "D" }
            try await trial.expectBylines([3, 4]) { $0.byline > "A" && $0.byline <= "CÄSAR" }
            try await trial.expectBylines([6]) { $0.byline == nil }
            try await trial.expectBylines([5]) { $0.byline == "İ" }
            try await trial.expectBylines([]) { $0.byline == "i" }
        },
        folded("searches", "Substrings and prefixes are found regardless of case.") { trial in
            try await trial.fillBylines()
            try await trial.expectBylines([1, 2]) { $0.byline.hasPrefix("äN") }
            try await trial.expectBylines([4]) { $0.byline.contains("ÄS") }
            try await trial.expectBylines([7]) { $0.byline.hasPrefix("STRAß") }
            try await trial.expectBylines([]) { $0.byline.contains("SS") }
            try await trial.expectBylines([1, 2]) { $0.byline.equalsIgnoringCase("Änne") }
            try await trial.expectBylines([1, 2, 3, 4, 5, 7]) { $0.byline.contains("") }
        },
        folded("order", "Records are sorted by the folded strings, then by id.") { trial in
            try await trial.fillBylines()
            let ascending = Query<Article>.sorted(by: \.byline)
            try await expect(
                trial.articles.ids(ascending).map(\.rawValue), is: [6, 3, 4, 7, 1, 2, 5])
            let descending = Query<Article>.sorted(by: \.byline, .descending)
            try await expect(
                trial.articles.ids(descending).map(\.rawValue), is: [5, 1, 2, 7, 4, 3, 6])
        },
        folded("pages", "A cursor continues after all records with the same folded string.") {
            trial in
            for number in 0..<12 {
                try await trial.articles.create(
                    Article(
                        number: .init(number), section: "s", rank: number % 3,
                        byline: ["Ab", "aB", "B", "b", nil, "É", "é"][number % 7]))
            }
            let orders: [Query<Article>] = [
                .sorted(by: \.byline), .sorted(by: \.byline, .descending),
                .sorted(by: \.byline, .descending).sorted(by: \.rank),
                .where { $0.byline == "AB" || $0.byline > "B" }.sorted(by: \.byline),
            ]
            for query in orders {
                let all = try await trial.articles.fetch(query)
                for size in [1, 2, 5] {
                    let paged = try await trial.paged(query, in: trial.articles, size: size)
                    try expect(
                        paged, is: all, "Pages of size \(size) differ from the complete result.")
                }
            }
        },
        folded("groups", "Groups, minimum and maximum use folded strings; projections do not.") {
            trial in
            try await trial.fillBylines()
            let groups = try await trial.articles.group(by: \.byline, .count)
            try expect(
                groups.map { "\($0.0 ?? "nil") \($0.1)" },
                is: ["nil 1", "bert 1", "cäsar 1", "straße 1", "änne 2", "İ 1"])
            try await expect(trial.articles.minimum(of: \.byline) ?? "nil", is: "bert")
            let named = Query<Article>.where { $0.byline == "ÄNNE" }
            try await expect(trial.articles.maximum(of: \.byline, from: named) ?? "nil", is: "änne")
            let written = try await trial.articles.project(\.byline, from: named)
            try expect(written.map { $0 ?? "nil" }, is: ["Änne", "ÄNNE"])
        },
        folded("finders", "A finder ignores case.", needs: [.finders]) { trial in
            try await trial.fillBylines()
            let found = try await trial.articles.findAll(byline: "äNNE")
            try expect(Set(found.map(\.number.rawValue)), is: [1, 2])
            try await expect(trial.articles.findAll(byline: "anne"), is: [])
        },
        folded("index", "An index serves case-insensitive conditions.", needs: [.indexScans]) {
            trial in
            try await trial.fillBylines()
            let articles = trial.repositories(fullScans: .refuse).articles
            try await expect(articles.count(.where { $0.byline == "äNNE" }), is: 2)
            try await expect(articles.count(.where { $0.byline.hasPrefix("ÄN") }), is: 2)
            try await trial.store.rebuildIndexes()
            try await expect(articles.count(.where { $0.byline.in(["BERT", "CÄSAR"]) }), is: 2)
        },
        folded("observed", "An observer sees a change of case.", needs: [.observation]) { trial in
            try await trial.fillBylines()
            let query = Query<Article>.where { $0.byline == "bert" }
            let reader = trial.reader(trial.articles.observe(query))
            try await expect(reader.next().map { $0.byline ?? "nil" }, is: ["Bert"])
            var article = try await trial.articles.read(3)
            article.byline = "BERT"
            try await trial.articles.update(article)
            try await expect(reader.next().map { $0.byline ?? "nil" }, is: ["BERT"])
        },
        folded("updates", "`updateAll` finds records regardless of case.", needs: [.updates]) {
            trial in
            try await trial.fillBylines()
            let count = try await trial.articles.updateAll(where: { $0.byline == "änne" }) {
                $0.byline = "BERT"
            }
            try expect(count, is: 2)
            try await trial.expectBylines([1, 2, 3]) { $0.byline == "bert" }
            try await expect(trial.articles.read(1).byline ?? "nil", is: "BERT")
        },
    ]

    /// A behaviour of queries over case-insensitive fields.
    private static func folded(
        _ name: String, _ sentence: String, needs: [StoreCapability] = [],
        fileID: String = #fileID, line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            "ignoringCase.\(name)", sentence, needs: [.records, .queries] + needs, fileID: fileID,
            line: line, body)
    }
}

extension StoreTrial {
    /// Stores articles 1 to 7. The bylines of two of them differ only in case.
    fileprivate func fillBylines() async throws {
        let bylines = ["Änne", "ÄNNE", "Bert", "cäsar", "İ", nil, "Straße"]
        for (number, byline) in bylines.enumerated() {
            try await repositories.articles.create(
                Article(number: .init(number + 1), section: "s", byline: byline))
        }
    }

    /// Throws unless a condition matches exactly the articles with these numbers.
    fileprivate func expectBylines(
        _ numbers: [Int], fileID: String = #fileID, line: Int = #line,
        where condition: (Article.Fields) -> Condition
    ) async throws {
        let query = Query<Article>.where(condition)
        try await expect(
            repositories.articles.ids(query).map(\.rawValue), is: numbers,
            "The condition matches other records.",
            fileID: fileID, line: line)
        try await expect(
            repositories.articles.count(query), is: numbers.count, "The count differs.",
            fileID: fileID,
            line: line)
        try await expect(
            repositories.articles.exists(where: condition), is: !numbers.isEmpty,
            "`exists` differs.",
            fileID: fileID, line: line)
    }
}
